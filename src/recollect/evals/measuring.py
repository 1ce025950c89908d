"""From a set and a method to figures."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from recollect.evals.asking import Method, Outcome, checked, outcomes
from recollect.evals.metrics import all_at, ndcg_at, recall_at, stands_above
from recollect.evals.model import EvalSet
from recollect.evals.stores import Filled, filled
from recollect.ports import Embedder, Progress

Watch = Callable[[str], AbstractContextManager[Progress | None]]
"""Given what goes on, a context in which its progress is heard."""
DIGITS = 4


def unwatched(_: str) -> AbstractContextManager[Progress | None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Measured:
    """All that one run over one set gave."""

    name: str
    outcomes: tuple[Outcome, ...]
    unresolved: int
    stores: tuple[Filled, ...]


def evaluate(
    sets: Sequence[EvalSet],
    embedder: Embedder,
    method: Method | None = None,
    *,
    stores: Path | None = None,
    watch: Watch = unwatched,
) -> dict[str, Any]:
    """The figures of a set; of several, those of all questions together and of each."""
    chosen = method or Method()
    profile = checked(chosen, embedder)
    with stores_folder(stores) as folder:
        found = [measured(one, embedder, chosen, folder, watch) for one in sets]
    parts = [figures(one, chosen, profile) for one in found]
    return parts[0] if len(parts) == 1 else _together(found, parts, chosen, profile)


def measured(
    whole: EvalSet, embedder: Embedder, method: Method, folder: Path, watch: Watch = unwatched
) -> Measured:
    """Fills the stores of a set and asks its questions."""
    ready: list[Filled] = []
    for place, corpus in enumerate(whole.corpora, 1):
        with watch(f"filling {whole.name} {place}/{len(whole.corpora)}") as heard:
            ready.append(filled(corpus, folder, embedder, heard, settings=method.settings))
    answers: list[Outcome | None] = []
    for place, (corpus, store) in enumerate(zip(whole.corpora, ready, strict=True), 1):
        with watch(f"asking {whole.name} {place}/{len(whole.corpora)}") as heard:
            answers += outcomes(corpus, store, embedder, method, heard)
    resolved = tuple(one for one in answers if one is not None)
    return Measured(whole.name, resolved, len(answers) - len(resolved), tuple(ready))


def figures(run: Measured, method: Method, profile: str) -> dict[str, Any]:
    """One flat object, as `--json` prints it."""
    types = sorted({one.type for one in run.outcomes})
    changed = [one for one in run.outcomes if one.newer and one.older]
    return {
        "set": run.name,
        **quality(run.outcomes),
        "unresolved": run.unresolved,
        "by_type": {type_: _by_type([o for o in run.outcomes if o.type == type_]) for type_ in types},
        **({"newer_above_older": newer_above_older(changed)} if changed else {}),
        **_cost(run),
        "profile": profile,
        "ablated": list(method.ablate),
        "baseline": method.baseline,
    }


def quality(found: Sequence[Outcome]) -> dict[str, float]:
    """How much of the gold was found, on average over the questions."""
    return {
        "n": len(found),
        **{f"recall@{k}": _mean([recall_at(one.ranks, k) for one in found]) for k in (5, 10, 20)},
        "recall_all@10": _mean([all_at(one.ranks, 10) for one in found]),
        "ndcg@10": _mean([ndcg_at(one.ranks, 10) for one in found]),
    }


def newer_above_older(changed: Sequence[Outcome]) -> dict[str, Any]:
    """In which share of the questions about something that changed the newest state stands first."""

    def share(some: Sequence[Outcome]) -> float:
        return _mean([float(stands_above(one.newer, one.older)) for one in some])

    types = sorted({one.type for one in changed})
    missed = [one for one in changed if not any(one.newer) and not any(one.older)]
    return {
        "n": len(changed),
        "share": share(changed),
        "neither_found": len(missed),
        **{type_: share([one for one in changed if one.type == type_]) for type_ in types},
    }


@contextmanager
def stores_folder(kept: Path | None) -> Iterator[Path]:
    """Where the stores are kept, or a folder that is gone afterwards."""
    if kept is not None:
        yield kept.expanduser()
        return
    with tempfile.TemporaryDirectory(prefix="recollect-eval-") as name:
        yield Path(name)


def _together(
    found: Sequence[Measured], parts: Sequence[Mapping[str, Any]], method: Method, profile: str
) -> dict[str, Any]:
    whole = Measured(
        "multihop",
        tuple(outcome for one in found for outcome in one.outcomes),
        sum(one.unresolved for one in found),
        tuple(store for one in found for store in one.stores),
    )
    by_set = {one.name: _by_type(one.outcomes) for one in found}
    return {**figures(whole, method, profile), "by_type": by_set, "sets": list(parts)}


def _by_type(found: Sequence[Outcome]) -> dict[str, float]:
    return {"n": len(found), "recall@10": _mean([recall_at(one.ranks, 10) for one in found])}


def _cost(run: Measured) -> dict[str, Any]:
    items = sum(store.items for store in run.stores)
    seconds = sum(store.seconds for store in run.stores)
    times = [one.elapsed_ms for one in run.outcomes]
    p50, p95 = np.percentile(times, [50, 95]) if times else (0.0, 0.0)
    return {
        "items": items,
        "ingest_items_per_s": round(items / seconds, 1) if seconds else 0.0,
        "recall_ms": {"p50": round(float(p50), 2), "p95": round(float(p95), 2)},
        "bytes_per_item": round(sum(store.bytes for store in run.stores) / items) if items else 0,
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), DIGITS) if values else 0.0
