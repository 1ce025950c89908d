"""Corpora with real levels: goals, plans, steps and findings of agents' runs and of chats; titles, passages, sentences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.evals.sets import beam
from recollect.evals.sets.files import document, documents, located, shaped
from recollect.evals.tau import called
from recollect.language.sentences import sentences

GOAL, PLAN, STEP, FINDING = range(4)
TASKS: Final = 30
RUNS_A_TASK: Final = 2
"""Of so many tasks so many runs are kept; a further one asks."""
LONGEST: Final = 600
"""So many characters of a message or a tool's result are kept."""
PASSAGES: Final = 300
"""So many passages there are, those that answer among them."""


@dataclass(frozen=True, slots=True)
class Node:
    """Something of a level, and what it is a part of."""

    key: str
    text: str
    depth: int
    above: str | None
    tree: str
    """What it belongs to as a whole: structure is known of all of a tree, or of nothing."""
    kind: str = "note"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and by depth the keys of what answers it."""

    text: str
    gold: Mapping[int, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Levelled:
    """What one store holds, and what is asked of it."""

    set: str
    name: str
    nodes: tuple[Node, ...]
    questions: tuple[Asked, ...]


def read(data: Path, limit: int | None = None) -> list[Levelled]:
    """The corpora of all sets that lie in a folder, with at most so many questions of each set."""
    found: list[Levelled] = []
    for name, (usual, reader) in READERS.items():
        path = located(data, usual)
        if path != data.expanduser():
            corpora = list(reader(path, name))
            share = None if limit is None else max(1, limit // len(corpora))
            found += [Levelled(one.set, one.name, one.nodes, one.questions[:share]) for one in corpora]
    if not found:
        usual_names = ", ".join(one for usual, _ in READERS.values() for one in usual)
        raise InvalidInput(f"{data} has none of the sets with levels: {usual_names}")
    return found


def _tau(path: Path, name: str) -> Iterator[Levelled]:
    """Runs at the same task tell the same story: the first ask, up to three others are what is known."""
    tasks: dict[str, list[Sequence[Mapping[str, Any]]]] = {}
    for file in documents(path):
        with shaped(file, "a file of recorded runs"):
            for run in document(file):
                said = [one for one in run["traj"] if one["role"] != "system"]
                if run["info"].get("task") and said:
                    tasks.setdefault(str(run["info"]["task"]["instruction"]), []).append(said)
    nodes: list[Node] = []
    questions = []
    for place, runs in enumerate([one for one in tasks.values() if len(one) > 1][:TASKS]):
        own = [
            node for at, said in enumerate(runs[1 : 1 + RUNS_A_TASK]) for node in _run(f"{place}-{at}", said)
        ]
        nodes += own
        questions.append(Asked(_goal(runs[0]), _by_depth(own)))
    if questions:
        yield Levelled(name, name, tuple(nodes), tuple(questions))


def _goal(said: Sequence[Mapping[str, Any]]) -> str:
    return next((str(one["content"]) for one in said if one["role"] == "user"), "") or "help the user"


def _run(name: str, said: Sequence[Mapping[str, Any]]) -> Iterator[Node]:
    """What the user wants; what the agent says that it will do; what it calls; what that gives."""
    yield Node(f"{name}/goal", _goal(said), GOAL, None, name, "goal")
    above, waiting = f"{name}/goal", list[str]()
    for place, one in enumerate(said[1:], 1):
        text = str(one.get("content") or "").strip()
        calls = called(one)
        if waiting and one["role"] != "assistant" and text:
            yield Node(f"{name}/{place}", text[:LONGEST], FINDING, waiting.pop(0), name)
        elif calls:
            for number, (tool, arguments) in enumerate(calls):
                waiting.append(f"{name}/{place}/{number}")
                yield Node(waiting[-1], f"{tool}({arguments})"[:LONGEST], STEP, above, name, "step")
        elif one["role"] == "assistant" and text:
            above = f"{name}/{place}"
            yield Node(above, text[:LONGEST], PLAN, f"{name}/goal", name)


def _beam(path: Path, name: str) -> Iterator[Levelled]:
    """In each exchange the user sets out something, the assistant plans it, the user goes on, it answers."""
    for chat in sorted(path.rglob("chat.json")):
        nodes: list[Node] = []
        with shaped(chat, "a BEAM chat"):
            for batch in document(chat):
                for number, turn in enumerate(batch["turns"]):
                    nodes += _exchange(f"{batch['batch_number']}-{number}", turn)
        tree = {node.key: node.tree for node in nodes}
        in_tree: dict[str, list[Node]] = {}
        for node in nodes:
            in_tree.setdefault(node.tree, []).append(node)
        corpus = beam.read(chat.parent)[0].corpora[0]
        questions = []
        for question in corpus.questions:
            trees = dict.fromkeys(tree[key] for key in question.gold if key in tree)
            if trees:
                told = [node for one in trees for node in in_tree[one]]
                questions.append(Asked(question.text, _by_depth(told)))
        yield Levelled(name, f"{name}-{chat.parent.name}", tuple(nodes), tuple(questions))


def _exchange(name: str, turn: Sequence[Mapping[str, Any]]) -> Iterator[Node]:
    above: str | None = None
    for place, one in enumerate(turn):
        # Whatever goes on after the first four is as particular as they were in the end.
        depth = place if place < 4 else STEP + place % 2
        key, text = str(one["id"]), beam.unmarked(str(one["content"])).strip()[:LONGEST]
        if text:
            kind = {GOAL: "goal", STEP: "step"}.get(depth, "note")
            upper = above if depth != STEP else f"{turn[1]['id']}" if len(turn) > 1 else above
            yield Node(key, text, depth, None if depth == GOAL else upper, name, kind)
            above = key


def _two_wiki(path: Path, name: str) -> Iterator[Levelled]:
    """A title stands for its passages, a passage for its sentences."""
    file = path / "2wiki.json" if path.is_dir() else path
    found = document(file)
    with shaped(file, "a multi-hop file"):
        gold = sorted({int(one) for query in found["queries"] for one in query["gold"]})
        others = [place for place in range(len(found["corpus"])) if place not in set(gold)]
        kept = sorted([*gold, *others[: max(0, PASSAGES - len(gold))]])
        nodes = [node for place in kept for node in _passage(str(place), found["corpus"][place])]
        in_passage: dict[str, list[Node]] = {}
        for node in nodes:
            in_passage.setdefault(node.tree, []).append(node)
        questions = tuple(
            Asked(query["question"], _by_depth(n for one in query["gold"] for n in in_passage[str(one)]))
            for query in found["queries"]
        )
    yield Levelled(name, name, tuple(nodes), questions)


def _passage(key: str, one: Mapping[str, Any]) -> Iterator[Node]:
    yield Node(f"{key}/title", one["title"], 0, None, key)
    yield Node(key, f"{one['title']}: {one['text']}", 1, f"{key}/title", key)
    for place, sentence in enumerate(sentences(one["text"])):
        yield Node(f"{key}/{place}", sentence.text, 2, key, key)


def _by_depth(nodes: Iterable[Node]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for node in nodes:
        found.setdefault(node.depth, set()).add(node.key)
    return {depth: frozenset(keys) for depth, keys in sorted(found.items())}


READERS: Final = MappingProxyType(
    {
        "tau": (("tau_bench",), _tau),
        "beam": (("beam-100k", "beam"), _beam),
        "2wiki": (("multihop", "2wiki.json"), _two_wiki),
    }
)
"""By set, the names that it usually lies under, and how it is read."""
