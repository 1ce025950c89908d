"""One user's memory as a graph: nodes with a label and columns, links with a type, both as plain rows."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from recollect.model import Edge, Filter, Memory, State
from recollect.ports import Store

MEMORY, ENTITY, TAG, EPISODE, STEP = "Memory", "Entity", "Tag", "Episode", "Step"
BY_KIND: Final = MappingProxyType({"episode": EPISODE, "step": STEP, "skill": "Skill", "goal": "Goal"})
"""Kinds of memory that have a label of their own; every other is a `Memory`."""
LABELS: Final = (MEMORY, *BY_KIND.values(), ENTITY, TAG)
COLUMNS: Final = MappingProxyType(
    {
        "id": "STRING",
        "text": "STRING",
        "kind": "STRING",
        "lane": "STRING",
        "channel": "STRING",
        "state": "STRING",
        "session": "STRING",
        "run": "STRING",
        "role": "STRING",
        "speaker": "STRING",
        "title": "STRING",
        "action": "STRING",
        "task_type": "STRING",
        "importance": "DOUBLE",
        "confidence": "DOUBLE",
        "pinned": "BOOL",
        "version": "INT64",
        "valid_from": "TIMESTAMP",
        "valid_until": "TIMESTAMP",
        "recorded_at": "TIMESTAMP",
        "superseded_by": "STRING",
    }
)
"""What every node of a memory has; of entities and tags, `NAMED`."""
NAMED: Final = MappingProxyType({"id": "STRING", "name": "STRING", "kind": "STRING"})
LINKED: Final = MappingProxyType(
    {
        "source": "STRING",
        "target": "STRING",
        "weight": "DOUBLE",
        "reason": "STRING",
        "recorded_at": "TIMESTAMP",
    }
)
"""What every link has; its two ends by their ids, so that it can be drawn without them."""
_RECORDED_AT: Final = [*COLUMNS].index("recorded_at")
EVERYTHING: Final = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)
Row = tuple[Any, ...]
Written = tuple[str, str, str, Row]
"""A link: its source, its type, its target, and the rest of its columns."""


class Naming(NamedTuple):
    """How memories name entities: which each names, and which id stands for each of those that are counted."""

    of: Callable[[Memory], Sequence[str]]
    merged: Callable[[Mapping[str, int]], Mapping[str, str]]
    influences: Callable[[Store, str, Iterable[str]], Iterable[Edge]] = lambda _store, _user, _nodes: ()
    """What was found between those that are named, as edges."""


class Known(NamedTuple):
    """What of a memory is in the graph: its node, and what its links are made from."""

    label: str
    row: Row
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    run: str | None
    """Of a step: its episode."""


class Pair(NamedTuple):
    """A type of link between two labels."""

    type: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Rows:
    """The whole graph: by label and id the nodes' rows, by pair and ends the links'."""

    nodes: dict[str, dict[str, Row]]
    links: dict[Pair, dict[tuple[str, str], Row]]


def graph_rows(store: Store, user: str, naming: Naming, channel: str | None = None) -> Rows:
    """What the store holds now of one user, or of one channel, as a graph; asleep memories too, erased ones not."""
    with store.reading():
        where = EVERYTHING if channel is None else replace(EVERYTHING, channels=(channel,))
        memories = store.find(user, where)
        edges = list(store.all_edges(user))
        rows = assembled({one.id: known_of(one, naming) for one in memories}, written(edges), naming)
        return influenced(rows, store, user, naming)


def known_of(memory: Memory, naming: Naming) -> Known:
    """What of a memory is in the graph."""
    label = BY_KIND.get(memory.kind, MEMORY)
    run = memory.origin.run if label == STEP else None
    return Known(label, _row(memory), memory.tags, tuple(naming.of(memory)), run)


def assembled(known: Mapping[str, Known], edges: Iterable[Written], naming: Naming) -> Rows:
    """The graph of some memories and the edges between them."""
    counts = Counter(entity for one in known.values() for entity in one.entities)
    return put_together(known, chain(edges, implied(known, naming.merged(counts))))


def put_together(known: Mapping[str, Known], links: Iterable[Written]) -> Rows:
    """The graph of some memories and links, the last of those that say the same; whatever is named is a node of it."""
    label_of: dict[str, str] = {}
    nodes: dict[str, dict[str, Row]] = {label: {} for label in LABELS}
    for memory, one in known.items():
        label_of[memory] = one.label
        nodes[one.label][memory] = one.row
    between: dict[Pair, dict[tuple[str, str], Row]] = {}
    for source, type_, target, rest in links:
        for end in (source, target):
            if end not in label_of and (row := named_row(end)) is not None:
                label_of[end] = label_of_name(end)
                nodes[label_of[end]][end] = row
        if source in label_of and target in label_of:
            pair = Pair(type_, label_of[source], label_of[target])
            between.setdefault(pair, {})[source, target] = (source, target, *rest)
    return Rows(nodes, between)


def influenced(rows: Rows, store: Store, user: str, naming: Naming) -> Rows:
    """The same with what was found between its entities and tags."""
    label_of = {node: label for label in (ENTITY, TAG) for node in rows.nodes[label]}
    found = list(written(naming.influences(store, user, label_of)))
    if not found:
        return rows
    links = {pair: dict(ends) for pair, ends in rows.links.items()}
    for source, type_, target, rest in found:
        pair = Pair(type_, label_of[source], label_of[target])
        links.setdefault(pair, {})[source, target] = (source, target, *rest)
    return replace(rows, links=links)


def _row(memory: Memory) -> Row:
    said = memory.metadata
    told = {
        "title": said.get("title"),
        "action": said.get("action"),
        "task_type": said.get("task_type"),
    }
    texts = {name: value if isinstance(value, str) else None for name, value in told.items()}
    return (
        memory.id,
        memory.text,
        memory.kind,
        str(memory.lane),
        memory.channel,
        str(memory.state),
        memory.origin.session,
        memory.origin.run,
        memory.origin.role,
        memory.origin.speaker,
        texts["title"],
        texts["action"],
        texts["task_type"],
        float(memory.importance),
        float(memory.confidence),
        memory.pinned,
        memory.version,
        _moment(memory.valid_from),
        _moment(memory.valid_until),
        _moment(memory.recorded_at),
        memory.superseded_by,
    )


def _moment(when: Any) -> str | None:
    # Moments are in UTC; without their zone, and much quicker than by a format.
    return None if when is None else when.isoformat(" ", "microseconds")[:26]


def named_row(node: str) -> Row | None:
    """The row of an entity or a tag, by its id."""
    if node.startswith("tag:"):
        return (node, node.removeprefix("tag:"), "tag")
    if node.startswith("entity://"):
        kind, _, slug = node.removeprefix("entity://").partition("/")
        return (node, slug.replace("-", " "), kind)
    return None


def label_of_name(node: str) -> str:
    """The label of a tag or an entity, by its id; none of anything else."""
    return TAG if node.startswith("tag:") else ENTITY if node.startswith("entity://") else ""


def written(edges: Iterable[Edge]) -> Iterator[Written]:
    """Edges as the graph has them."""
    for edge in edges:
        yield (
            edge.source,
            edge.type,
            edge.target,
            (float(edge.weight), edge.reason, _moment(edge.recorded_at)),
        )


def implied(known: Mapping[str, Known], stands_for: Mapping[str, str]) -> Iterator[Written]:
    """What follows from the memories themselves: tags, entities, the episode of a step and what came next."""
    steps: dict[str, list[str]] = defaultdict(list)
    for memory, one in known.items():
        yield from implied_by(memory, one, known, stands_for)
        if one.run is not None:
            steps[one.run].append(memory)
    for taken in steps.values():
        yield from in_turn(taken, known)


def implied_by(
    memory: str, one: Known, known: Mapping[str, Known], stands_for: Mapping[str, str]
) -> Iterator[Written]:
    """What follows from one memory: its tags, its entities, and of a step its episode."""
    recorded_at = one.row[_RECORDED_AT]
    since = (1.0, None, recorded_at)
    for tag in one.tags:
        yield memory, "has_tag", f"tag:{tag}", since
    for entity in dict.fromkeys(stands_for[entity] for entity in one.entities):
        yield memory, "mentions", entity, since
    if one.run is not None and one.run in known and known[one.run].label == EPISODE:
        yield memory, "part_of", one.run, (1.0, "action", recorded_at)


def in_turn(steps: Iterable[str], known: Mapping[str, Known]) -> Iterator[Written]:
    """Of the steps of one run, which came after which."""
    taken = sorted((known[step].row[_RECORDED_AT], step) for step in steps)
    for (_, before), (recorded_at, after) in pairwise(taken):
        yield before, "temporal", after, (1.0, None, recorded_at)
