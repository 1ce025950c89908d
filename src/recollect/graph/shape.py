"""One user's memory as a graph: nodes with a label and columns, links with a type, both as plain rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from recollect.model import Edge, Filter, Memory, State
from recollect.ports import Store

MEMORY, ENTITY, TAG, EPISODE = "Memory", "Entity", "Tag", "Episode"
BY_KIND: Final = MappingProxyType({"episode": EPISODE, "step": "Step", "skill": "Skill", "goal": "Goal"})
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
EVERYTHING: Final = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)
Row = tuple[Any, ...]
Named = Callable[[Sequence[Memory]], Mapping[str, Sequence[str]]]
"""Given memories: by memory, the ids of the entities that it names."""


class Pair(NamedTuple):
    """A type of link between two labels."""

    type: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Rows:
    """The whole graph: by label and id the nodes' rows, by pair and ends the links'."""

    nodes: Mapping[str, Mapping[str, Row]]
    links: Mapping[Pair, Mapping[tuple[str, str], Row]]


def graph_rows(store: Store, user: str, named: Named, channel: str | None = None) -> Rows:
    """What the store holds now of one user, or of one channel, as a graph; asleep memories too, erased ones not."""
    with store.reading():
        where = EVERYTHING if channel is None else replace(EVERYTHING, channels=(channel,))
        memories = store.find(user, where)
        edges = list(store.all_edges(user))
    nodes: dict[str, dict[str, Row]] = {label: {} for label in LABELS}
    label_of: dict[str, str] = {}
    for memory in memories:
        label = BY_KIND.get(memory.kind, MEMORY)
        label_of[memory.id] = label
        nodes[label][memory.id] = _row(memory)
    links: dict[Pair, dict[tuple[str, str], Row]] = {}
    mentioned = named(memories)
    for source, type_, target, rest in (*_written(edges), *_implied(memories, mentioned, label_of)):
        for end in (source, target):
            if end not in label_of and (row := _named_row(end)) is not None:
                label_of[end] = TAG if end.startswith("tag:") else ENTITY
                nodes[label_of[end]][end] = row
        if source in label_of and target in label_of:
            pair = Pair(type_, label_of[source], label_of[target])
            links.setdefault(pair, {})[source, target] = (source, target, *rest)
    return Rows(nodes, links)


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


def _named_row(node: str) -> Row | None:
    """The row of an entity or a tag, by its id."""
    if node.startswith("tag:"):
        return (node, node.removeprefix("tag:"), "tag")
    if node.startswith("entity://"):
        kind, _, slug = node.removeprefix("entity://").partition("/")
        return (node, slug.replace("-", " "), kind)
    return None


Written = tuple[str, str, str, Row]


def _written(edges: Iterable[Edge]) -> Iterator[Written]:
    for edge in edges:
        yield (
            edge.source,
            edge.type,
            edge.target,
            (float(edge.weight), edge.reason, _moment(edge.recorded_at)),
        )


def _implied(
    memories: Iterable[Memory], mentioned: Mapping[str, Sequence[str]], label_of: Mapping[str, str]
) -> Iterator[Written]:
    """What follows from the memories themselves: tags, entities, the episode of a step and what came next."""
    last: dict[str, tuple[Any, str]] = {}
    for memory in memories:
        since = (1.0, None, _moment(memory.recorded_at))
        for tag in memory.tags:
            yield memory.id, "has_tag", f"tag:{tag}", since
        for entity in mentioned.get(memory.id, ()):
            yield memory.id, "mentions", entity, since
        run = memory.origin.run
        if memory.kind == "step" and run is not None and label_of.get(run) == EPISODE:
            yield memory.id, "part_of", run, (1.0, "action", since[2])
    steps = [one for one in memories if one.kind == "step" and one.origin.run is not None]
    for step in sorted(steps, key=lambda one: (str(one.origin.run), one.recorded_at, one.id)):
        before = last.get(str(step.origin.run))
        if before is not None:
            yield before[1], "temporal", step.id, (1.0, None, _moment(step.recorded_at))
        last[str(step.origin.run)] = (step.recorded_at, step.id)
