"""Memories, edges and moments as JSON-shaped values and back."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from recollect.errors import InvalidInput
from recollect.language.plain import MOST_LEVELS, is_too_deep, without_no_numbers
from recollect.model import Edge, Lane, Memory, Origin, Scope, State, utc

ORIGIN_NAMES = tuple(f.name for f in fields(Origin))
ORIGIN_FIELDS = frozenset(ORIGIN_NAMES)
NOT_TOLD = ("content", "origin", "metadata")
TOLD = tuple(f.name for f in fields(Memory) if f.name not in NOT_TOLD)
MOMENTS = ("recorded_at", "valid_from", "valid_until", "retired_at")


def iso(moment: datetime | None) -> str | None:
    """ISO 8601 with its zone.

    >>> from datetime import UTC
    >>> iso(datetime(2026, 3, 1, tzinfo=UTC))
    '2026-03-01T00:00:00+00:00'
    """
    return None if moment is None else utc(moment).isoformat()


def memory_value(memory: Memory) -> dict[str, Any]:
    """Every field that means something outside this store."""
    origin = memory.origin
    value = {name: getattr(memory, name) for name in TOLD}
    value |= {name: iso(value[name]) for name in MOMENTS}
    value |= {
        "lane": str(memory.lane),
        "scope": str(memory.scope),
        "state": str(memory.state),
        "tags": list(memory.tags),
    }
    value |= {name: getattr(origin, name) for name in ORIGIN_NAMES}
    value |= {
        "sources": list(origin.sources),
        # Versions before this one kept what JSON has no word for.
        "metadata": without_no_numbers(memory.metadata),
    }
    return value


def memory_from_value(value: Mapping[str, Any]) -> Memory:
    """The inverse; what is wrong is named."""
    missing = [n for n in ("id", "text", "recorded_at", "valid_from") if not isinstance(value.get(n), str)]
    if missing:
        raise InvalidInput(f"a memory without {', '.join(missing)}")
    try:
        plain = {f.name: value[f.name] for f in fields(Memory) if f.name in value and f.name not in NOT_TOLD}
        plain |= {name: moment_of(plain.get(name)) for name in MOMENTS}
        plain |= {
            "version": int(plain.get("version", 1)),
            "lane": Lane(plain.get("lane", "memory")),
            "scope": Scope(plain.get("scope", "global")),
            "state": State(plain.get("state", "active")),
            "tags": tuple(plain.get("tags", ())),
            "metadata": without_no_numbers(value.get("metadata", {})),
            "origin": _origin(value),
        }
        memory = Memory(**plain)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(f"not a memory: {error}") from None
    wrong = [name for name, fine in _checks(memory) if not fine]
    if wrong:
        raise InvalidInput(f"not a memory: its {', '.join(wrong)} cannot be so")
    return memory


def _origin(value: Mapping[str, Any]) -> Origin:
    given: dict[str, Any] = {name: value[name] for name in ORIGIN_FIELDS if name in value}
    return Origin(**given | {"sources": tuple(given.get("sources", ()))})


def _checks(m: Memory) -> Iterator[tuple[str, bool]]:
    """Each field that JSON could have given another type, and whether it is fine."""
    for name in ("kind", "channel"):
        yield name, isinstance(getattr(m, name), str) and bool(getattr(m, name))
    for name in ("supersedes", "superseded_by"):
        yield name, isinstance(getattr(m, name), str | None)
    for name in ("confidence", "importance"):
        number = getattr(m, name)
        yield name, isinstance(number, int | float) and 0 <= number <= 1
    for name in ORIGIN_FIELDS - {"sources", "write_source", "data_source"}:
        yield name, isinstance(getattr(m.origin, name), str | None)
    for name in ("write_source", "data_source"):
        yield name, isinstance(getattr(m.origin, name), str)
    yield "tags", all(isinstance(tag, str) and tag for tag in m.tags)
    yield "sources", all(isinstance(source, str) for source in m.origin.sources)
    yield "anchors", isinstance(m.pinned, bool) and isinstance(m.immutable, bool)
    yield f"metadata (more than {MOST_LEVELS} levels)", not is_too_deep(dict(m.metadata))
    yield "state", m.state is not State.PURGED
    yield "version", m.version >= 1


def edge_value(edge: Edge) -> dict[str, Any]:
    """An edge with its moment as text."""
    return asdict(edge) | {"recorded_at": iso(edge.recorded_at)}


def edge_from_value(value: Mapping[str, Any]) -> Edge:
    """The inverse; what is wrong is named."""
    try:
        return Edge(
            str(value["source"]),
            str(value["target"]),
            str(value["type"]),
            float(value.get("weight", 1.0)),
            moment_of(value.get("recorded_at")),
            value.get("reason"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"not an edge: {error}") from None


def moment_of(value: Any) -> datetime | None:
    """The inverse of `iso`."""
    return None if value is None else utc(datetime.fromisoformat(value))
