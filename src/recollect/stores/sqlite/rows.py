"""Rows to values and back."""

import json
from collections.abc import Iterator
from typing import Any

import apsw

from recollect.model import NO_MAPPING, Edge, Lane, Memory, Origin, Scope, State, moment

Row = tuple[Any, ...]
Bound = dict[str, Any] | tuple[Any, ...]

MEMORY_COLUMNS = """n.id, c.text, v.recorded_at, v.valid_from, v.valid_until, v.retired_at, v.version, v.lane, v.kind,
v.channel, v.scope, v.state, v.supersedes, v.superseded_by, v.tags, v.pinned, v.immutable, v.confidence, v.importance,
c.session, c.run, c.actor, c.event_type, c.role, c.speaker, c.sources, c.write_source, c.data_source, c.reason,
c.metadata, v.content"""
MEMORY_TABLES = "version v JOIN content c ON c.number = v.content JOIN node n ON n.number = v.node"

USER_BITS = 40

# A look into a dict is ten times faster than a call of the enumeration, and a page of memories has many.
LANES = {str(lane): lane for lane in Lane}
SCOPES = {str(scope): scope for scope in Scope}
STATES = {str(state): state for state in State}


def rows(connection: apsw.Connection, query: str, bound: Bound = ()) -> list[Row]:
    """Every row of a query."""
    try:
        return connection.execute(query, bound).fetchall()
    except UnicodeDecodeError as error:
        raise apsw.CorruptError("it holds a text that is not UTF-8") from error


def each(connection: apsw.Connection, query: str, bound: Bound = ()) -> Iterator[Row]:
    """The rows of a query, one at a time."""
    try:
        yield from connection.execute(query, bound)
    except UnicodeDecodeError as error:
        raise apsw.CorruptError("it holds a text that is not UTF-8") from error


def value(connection: apsw.Connection, query: str, bound: Bound = ()) -> Any:
    """The one value that a query gives, or None."""
    found = rows(connection, query, bound)
    return found[0][0] if found else None


def pairs(connection: apsw.Connection, query: str, bound: Bound = ()) -> dict[str, Any]:
    """The rows of a query of names and values."""
    return {name: found for name, found in rows(connection, query, bound)}  # noqa: C416 - mypy knows no dict of rows


def user_number(connection: apsw.Connection, name: str) -> int | None:
    """The number of a user who has written before."""
    number: int | None = value(connection, "SELECT number FROM user WHERE name = ?", (name,))
    return number


def user_range(user: int) -> tuple[int, int]:
    """The first and the last number that a row of this user can have."""
    return user << USER_BITS, ((user + 1) << USER_BITS) - 1


def memory_from(row: Row) -> Memory:
    """A row of MEMORY_COLUMNS as the value it stands for."""
    memory_id, text, recorded_at, valid_from, valid_until, retired_at, version, lane, kind, channel, scope = (
        row[:11]
    )
    state, supersedes, superseded_by, tags, pinned, immutable, confidence, importance = row[11:19]
    session, run, actor, event_type, role, speaker, sources, write_source, data_source, reason = row[19:29]
    metadata, content = row[29:]
    return Memory(
        id=memory_id,
        text=text,
        recorded_at=moment(recorded_at),
        valid_from=moment(valid_from),
        valid_until=None if valid_until is None else moment(valid_until),
        retired_at=None if retired_at is None else moment(retired_at),
        version=version,
        lane=LANES[lane],
        kind=kind,
        channel=channel,
        scope=SCOPES[scope],
        state=STATES[state],
        supersedes=supersedes,
        superseded_by=superseded_by,
        tags=() if tags is None else tuple(json.loads(tags)),
        pinned=bool(pinned),
        immutable=bool(immutable),
        confidence=confidence,
        importance=importance,
        origin=Origin(
            session=session,
            run=run,
            actor=actor,
            event_type=event_type,
            role=role,
            speaker=speaker,
            sources=() if sources is None else tuple(json.loads(sources)),
            write_source=write_source,
            data_source=data_source,
            reason=reason,
        ),
        metadata=NO_MAPPING if metadata is None else json.loads(metadata),
        content=content,
    )


def edge_from(row: Row) -> Edge:
    """A row of (source id, target id, type, weight, recorded_at, reason)."""
    source, target, kind, weight, recorded_at, reason = row
    return Edge(source, target, kind, weight, moment(recorded_at), reason)


def json_or_none(value: Any) -> str | None:
    """The JSON of a value that is not empty: most are, and NULL costs a byte."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
