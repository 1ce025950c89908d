"""Rows of a database to values and back: the same in every store that speaks SQL."""

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from recollect.model import (
    LEARNT,
    NO_MAPPING,
    Counters,
    Edge,
    Lane,
    Memory,
    Origin,
    Record,
    Scope,
    State,
    WitnessEntry,
    microseconds,
    moment,
)

Row = tuple[Any, ...]

MEMORY_COLUMNS = """n.id, c.text, v.recorded_at, v.valid_from, v.valid_until, v.retired_at, v.version, v.lane, v.kind,
v.channel, v.scope, v.state, v.supersedes, v.superseded_by, v.tags, v.pinned, v.immutable, v.confidence, v.importance,
c.session, c.run, c.actor, c.event_type, c.role, c.speaker, c.sources, c.write_source, c.data_source, c.reason,
c.metadata, v.content"""
USER_BITS = 40

# A look into a dict is ten times faster than a call of the enumeration, and a page of memories has many.
LANES = {str(lane): lane for lane in Lane}
SCOPES = {str(scope): scope for scope in Scope}
STATES = {str(state): state for state in State}
# Made once: `json.dumps` with options makes an encoder for every call.
_short = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def folder_of(base: Path, user: str) -> Path:
    """A user's own folder: whoever keeps theirs in order does not touch another's."""
    return base / blake2b(user.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def user_range(user: int) -> tuple[int, int]:
    """The first and the last number that a row of this user can have."""
    return user << USER_BITS, ((user + 1) << USER_BITS) - 1


@lru_cache(maxsize=8192)
def _listed(text: str) -> tuple[str, ...]:
    """A list in JSON: the same few are read in recall after recall."""
    return tuple(json.loads(text))


def memory_from(row: Row, listed: Callable[[Any], Iterable[str]] = _listed) -> Memory:
    """A row of MEMORY_COLUMNS as the value it stands for; `listed` reads the columns that hold lists."""
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
        tags=() if tags is None else tuple(listed(tags)),
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
            sources=() if sources is None else tuple(listed(sources)),
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
    return _short(value) if value else None


def version_values(m: Memory) -> Row:
    """What a version's row says of a memory, between its lane and its tags, in the order of the columns."""
    return (
        *(m.lane, m.kind, m.channel, m.scope),
        *(m.origin.session if m.scope == Scope.SESSION else None, m.state),
        *(microseconds(m.valid_from), None if m.valid_until is None else microseconds(m.valid_until)),
        *(microseconds(m.recorded_at), None if m.retired_at is None else microseconds(m.retired_at)),
        *(m.supersedes, m.superseded_by),
    )


def counters_from(row: Row) -> Counters:
    """A row of (id, accesses, when last, the learnt ones)."""
    _, count, accessed, *learnt = row
    known = {} if learnt[0] is None else dict(zip(LEARNT, learnt, strict=True))
    return Counters(count or 0, None if accessed is None else moment(accessed), **known)


def record_from(row: Row) -> Record:
    """A row of (kind, key, value, revision, updated_at)."""
    kind, key, text, revision, at = row
    return Record(kind, key, json.loads(text), revision, moment(at))


def setting_from(text: Any) -> Any:
    """A kept setting; None where it is nothing that could have been kept."""
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return None


WITNESS_COLUMNS = (
    "sequence, at, operation, detail, first_version, last_version, first_edge, last_edge, digest, hash"
)


def entry_from(row: Row) -> WitnessEntry:
    """A row of WITNESS_COLUMNS."""
    sequence, at, operation, detail, first_version, last_version, first_edge, last_edge, digest, link = row
    return WitnessEntry(
        sequence,
        moment(at),
        operation,
        {} if detail is None else json.loads(detail),
        (first_version, last_version),
        (first_edge, last_edge),
        digest,
        link,
    )
