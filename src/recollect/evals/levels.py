"""Whether memories of a level are found when it is asked for: flat, by depth, and by the place in a curved space.

Told are the share of the first ten hits that are of the level, and the share of what answers at that level that is among
them. Each way is measured where the structure of everything is known, and where that of every second tree is not, so that
only its texts can tell.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from recollect.engine import Recollect
from recollect.evals.embeddings import KeptEmbedder
from recollect.evals.measuring import DIGITS, Watch, unwatched
from recollect.evals.sets.levelled import Asked, Levelled, read
from recollect.formulas.levels import name_of
from recollect.learn.mixing import Judged, Mixing
from recollect.ports import Embedder

K: Final = 10
ARMS: Final[Mapping[str, Mapping[str, Any] | None]] = MappingProxyType(
    {"flat": None, "depth": {}, "ball": {"ablate": ("hierarchy",)}}
)
"""The level is not asked for; asked for by its depth; by its place in the ball."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What asking one question for one level brought."""

    depth: int
    of_level: float
    """The share of the hits that are of the level."""
    found: float
    """The share of what answers at the level that is among the hits, of as many as could be."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A filled store, and what its memories are."""

    memory: Recollect
    keys: Mapping[str, str]
    """From a memory's id to its key."""
    depths: Mapping[str, int]
    """From a key to its depth."""


def levels(
    data: Path,
    embedder: Embedder,
    limit: int | None = None,
    *,
    stores: Path | None = None,
    watch: Watch = unwatched,
) -> dict[str, Any]:
    """Of each set and each way, both shares, and what feedback teaches the weight of the level."""
    corpora = read(data, limit)
    kept = KeptEmbedder(embedder, stores)
    outcomes: dict[str, dict[str, list[Outcome]]] = {}
    learnt: dict[str, list[dict[str, float]]] = {}
    texts: dict[str, list[float | None]] = {}
    for place, corpus in enumerate(corpora, 1):
        with watch(f"asking {corpus.name} {place}/{len(corpora)}"):
            known = outcomes.setdefault(corpus.set, {})
            for part, hidden in (("known", False), ("half known", True)):
                with _stored(corpus, kept, hidden=hidden) as store:
                    if hidden:
                        _ask(known, f"{part}, not fitted", store, corpus, ("depth",))
                    report = store.memory.fit_geometry()
                    texts.setdefault(corpus.set, []).append(report[0].told_by_text)
                    _ask(known, part, store, corpus, tuple(ARMS))
                    if not hidden:
                        learnt.setdefault(corpus.set, []).append(_taught(store, corpus))
        kept.flush()
    return {
        "set": "levels",
        "embedder": embedder.name,
        "k": K,
        "sets": {
            name: {
                "corpora": len([one for one in corpora if one.set == name]),
                "nodes": sum(len(one.nodes) for one in corpora if one.set == name),
                "questions": sum(len(one.questions) for one in corpora if one.set == name),
                "told_by_text": _mean([one for one in texts[name] if one is not None]),
                "arms": {arm: _figures(found) for arm, found in known.items()},
                "mixed": {figure: _mean([one[figure] for one in learnt[name]]) for figure in learnt[name][0]},
            }
            for name, known in outcomes.items()
        },
    }


@contextmanager
def _stored(corpus: Levelled, embedder: Embedder, *, hidden: bool) -> Iterator[Stored]:
    """A store of its own that holds a corpus; of every second tree without its structure, where that is hidden."""
    trees = sorted({node.tree for node in corpus.nodes})
    unknown = frozenset(trees[::2]) if hidden else frozenset[str]()
    with (
        tempfile.TemporaryDirectory() as folder,
        Recollect(Path(folder) / "levels.db", user="eval", channel="_global", embedder=embedder) as memory,
    ):
        drafts = [
            {"text": node.text, "kind": "note" if node.tree in unknown else node.kind}
            for node in corpus.nodes
        ]
        ids: dict[str, str] = {}
        keys: dict[str, str] = {}
        for node, one in zip(corpus.nodes, memory.remember_many(drafts), strict=True):
            # The same text twice is one memory, and stands for the first.
            if one.id is not None and one.id not in keys:
                ids[node.key], keys[one.id] = one.id, node.key
        for node in corpus.nodes:
            if node.tree not in unknown and node.above in ids and node.key in ids:
                memory.link(ids[node.key], ids[node.above], "part_of")
        yield Stored(memory, keys, {node.key: node.depth for node in corpus.nodes})


def _ask(
    outcomes: dict[str, list[Outcome]], part: str, store: Stored, corpus: Levelled, arms: Sequence[str]
) -> None:
    for arm in arms:
        outcomes.setdefault(f"{arm}, {part}", []).extend(
            outcome for question in corpus.questions for outcome in _answers(store, question, ARMS[arm])
        )


def _answers(store: Stored, question: Asked, options: Mapping[str, Any] | None) -> Iterator[Outcome]:
    flat = store.memory.recall(question.text, K, learn=False) if options is None else None
    there = set(store.keys.values())
    for depth, wanted in question.gold.items():
        gold = wanted & there
        if not gold:
            continue
        hits = flat
        if hits is None:
            hits = store.memory.recall(question.text, K, learn=False, level=depth, **(options or {}))
        keys = [store.keys[hit.id] for hit in hits]
        right = sum(store.depths[key] == depth for key in keys)
        yield Outcome(depth, right / K, len(gold.intersection(keys)) / min(K, len(gold)))


def _taught(store: Stored, corpus: Levelled) -> dict[str, float]:
    """Both shares on every second question before and after the hits of the others were judged."""
    asked, held = corpus.questions[::2], corpus.questions[1::2]
    store.memory.configure({"learning.levels": True})
    before = [outcome for question in held for outcome in _answers(store, question, {})]
    mixing = Mixing(store.memory.store, store.memory.user)
    for question in asked:
        for depth, gold in question.gold.items():
            hits = store.memory.recall(question.text, K, learn=False, level=depth)
            # Told to the weight alone: as feedback, it would also change what is believed of each memory.
            judged = [
                Judged(
                    min(max(hit.score - hit.signals["level"], 0.0), 1.0),
                    hit.values["level"],
                    store.keys[hit.id] in gold,
                )
                for hit in hits
            ]
            mixing.learn(judged, store.memory.now())
    after = [outcome for question in held for outcome in _answers(store, question, {})]
    return {
        "weight": store.memory.level_weight(),
        **{
            f"{name} {when}": value
            for when, some in (("before", before), ("after", after))
            for name, value in _means(some).items()
        },
    }


def _figures(found: Sequence[Outcome]) -> dict[str, Any]:
    depths = sorted({one.depth for one in found})
    return {
        "n": len(found),
        **_means(found),
        "by_level": {
            name_of(depth): _means([one for one in found if one.depth == depth]) for depth in depths
        },
    }


def _means(found: Sequence[Outcome]) -> dict[str, float]:
    return {
        f"level_precision@{K}": _mean([one.of_level for one in found]),
        f"recall@{K}": _mean([one.found for one in found]),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), DIGITS) if values else 0.0
