"""JSON Lines: one version or edge a line, complete enough to make the same store again."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from recollect.errors import InvalidInput
from recollect.exchange.values import edge_from_value, edge_value, iso, memory_from_value, memory_value
from recollect.model import Edge, Filter, Memory, State
from recollect.ports import Store

FORMAT = 1
PAGE = 500
EVERYTHING = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)


def exported(store: Store, user: str, at: datetime, where: Filter = EVERYTHING) -> Iterator[str]:
    """The lines of an export: a heading, every version of what the filter finds, then the edges among them."""
    yield _line({"record": "recollect", "format": FORMAT, "user": user, "exported_at": iso(at)})
    after: str | None = None
    known: set[str] = set()
    while page := store.find(user, where, limit=PAGE, after=after):
        for memory in page:
            known.add(memory.id)
            for version in store.versions(user, memory.id):
                yield _line({"record": "memory", **memory_value(version)})
        after = page[-1].id
    for edge in store.all_edges(user):
        if edge.source in known and edge.target in known:
            yield _line({"record": "edge", **edge_value(edge)})


@dataclass
class Bundle:
    """What an import found: histories by id, edges, and the lines that make no sense."""

    histories: dict[str, list[Memory]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)


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
        case other:
            raise InvalidInput(f"unknown record {other!r}; expected 'memory' or 'edge'")


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
