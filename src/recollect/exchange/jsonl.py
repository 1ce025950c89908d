"""JSON Lines: a version, an edge or what was learnt a line, complete enough to make the same store again."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from recollect.errors import InvalidInput
from recollect.exchange.learnt import (
    Ended,
    counted,
    counters_from_value,
    counters_value,
    ended_from_value,
    ended_value,
    endings,
    noted,
    noted_from_value,
    noted_value,
    of_memory,
    outside,
)
from recollect.exchange.values import edge_from_value, edge_value, iso, memory_from_value, memory_value
from recollect.model import Counters, Edge, Filter, Memory, State
from recollect.ports import RecordChange, Store

FORMAT = 2
"""1 had memories and edges alone."""
PAGE = 500
EVERYTHING = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)


def exported(store: Store, user: str, at: datetime, where: Filter = EVERYTHING) -> Iterator[str]:
    """The lines of an export: a heading, every version of what the filter finds, the edges among them, what was learnt."""
    yield _line({"record": "recollect", "format": FORMAT, "user": user, "exported_at": iso(at)})
    # Read before the memories, so that of what has ended every step is there.
    ended = [one for one in endings(store, user) if one.success is not None]
    after: str | None = None
    known: set[str] = set()
    while page := store.find(user, where, limit=PAGE, after=after):
        ids = [memory.id for memory in page]
        known.update(ids)
        every = [version for one in ids for version in store.versions(user, one)]
        for version in outside(store, user, every):
            yield _line({"record": "memory", **memory_value(version)})
        for memory_id, counters in counted(store, user, ids).items():
            yield _line({"record": "counters", **counters_value(memory_id, counters)})
        after = page[-1].id
    for edge in store.all_edges(user):
        if edge.source in known and edge.target in known:
            yield _line({"record": "edge", **edge_value(edge)})
    for one in noted(store, user):
        if of_memory(one.kind, one.key, one.value) in known:
            yield _line({"record": "note", **noted_value(one)})
    for ending in ended:
        if ending.episode in known:
            # A file takes nothing back: what it lacks is left as it is.
            yield _line({"record": "outcome", **ended_value(replace(ending, undone_at=None))})


@dataclass
class Bundle:
    """What an import found: histories by id, edges, and what was learnt."""

    histories: dict[str, list[Memory]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    counters: dict[str, Counters] = field(default_factory=dict)
    notes: list[RecordChange] = field(default_factory=list)
    endings: list[Ended] = field(default_factory=list)


def parsed(lines: Iterable[str]) -> Bundle:
    """Reads an export; the first line that is wrong is named and nothing is taken."""
    bundle = Bundle()
    memories: list[Memory] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            _take(json.loads(line), bundle, memories)
        except (json.JSONDecodeError, RecursionError, InvalidInput) as error:
            raise InvalidInput(f"line {number}: {error}; nothing was imported") from None
    memories.sort(key=lambda m: (m.id, m.version))
    for memory_id, history in groupby(memories, key=lambda m: m.id):
        versions = list(history)
        if [m.version for m in versions] != list(range(1, len(versions) + 1)):
            raise InvalidInput(
                f"{memory_id} lacks a version: it has {[m.version for m in versions]}; nothing was imported"
            )
        bundle.histories[memory_id] = versions
    return bundle


def _take(value: Any, bundle: Bundle, memories: list[Memory]) -> None:
    if not isinstance(value, Mapping):
        raise InvalidInput("not an object")
    match value.get("record"):
        case "recollect":
            if value.get("format", 0) > FORMAT:
                raise InvalidInput(
                    f"format {value['format']} is newer than this Recollect knows ({FORMAT}): upgrade"
                )
        case "memory":
            memories.append(memory_from_value(value))
        case "edge":
            bundle.edges.append(edge_from_value(value))
        case "counters":
            memory_id, counters = counters_from_value(value)
            bundle.counters[memory_id] = counters
        case "note":
            bundle.notes.append(noted_from_value(value))
        case "outcome":
            bundle.endings.append(ended_from_value(value))
        case other:
            raise InvalidInput(
                f"unknown record {other!r}; expected 'memory', 'edge', 'counters', 'note' or 'outcome'"
            )


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
