"""What was read and written, as the audit tells it, and what a purge leaves of it; the same in every store."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from recollect.model import NO_MAPPING, AuditEntry, AuditFilter, WitnessEntry, microseconds, moment
from recollect.stores.rows import Row, json_or_none

READ_COLUMNS = "at, id, operation, actor, session, channel, ids, cross_channel, detail"
ERASED: Mapping[str, Any] = MappingProxyType({"erased": True})
"""What stands in the place of what a purge took away: that something was asked stays, what it was does not."""
MOST_IDS = 100
"""So many memories of one write are named."""


def read_from(row: Row, listed: Callable[[Any], Iterable[str]] = json.loads) -> AuditEntry:
    """A row of READ_COLUMNS; `listed` reads the columns that hold lists."""
    at, read_id, operation, actor, session, channel, ids, crossed, detail = row
    return AuditEntry(
        read_id,
        moment(at),
        operation,
        actor,
        session,
        channel,
        () if ids is None else tuple(listed(ids)),
        () if crossed is None else tuple(listed(crossed)),
        NO_MAPPING if detail is None else json.loads(detail),
    )


def asked(where: AuditFilter, placeholder: str) -> list[str]:
    """The conditions that reads and writes share, in the store's way of naming what is bound.

    >>> asked(AuditFilter(operation="recall"), ":{}")
    ['operation = :operation']
    """
    compared = (("at >= ", "since"), ("at < ", "until"), ("operation = ", "operation"))
    return [start + placeholder.format(name) for start, name in compared if getattr(where, name) is not None]


def bound_by(where: AuditFilter, limit: int) -> dict[str, Any]:
    """What those conditions, and all others, are bound to."""
    return {
        "since": None if where.since is None else microseconds(where.since),
        "until": None if where.until is None else microseconds(where.until),
        "operation": where.operation,
        "session": where.session,
        "memory_id": where.memory_id,
        "limit": limit,
    }


def read_values(read: AuditEntry, listed: Callable[[list[str]], Any] = json_or_none) -> Row:
    """As READ_COLUMNS."""
    return (
        *(microseconds(read.at), read.id, read.operation, read.actor, read.session, read.channel),
        *(listed(list(read.ids)) or None, listed(list(read.cross_channel)) or None),
        json_or_none(dict(read.detail)),
    )


def write_from(entry: WitnessEntry, wrote: Sequence[Row]) -> AuditEntry:
    """A link of the chain, with rows of (id, channel, session, actor) of the versions that it covers.

    Where they agree on a channel, a session or an actor, that is the entry's.
    """

    def agreed(place: int) -> str | None:
        said = {row[place] for row in wrote}
        return said.pop() if len(said) == 1 else None

    ids = tuple(dict.fromkeys(row[0] for row in wrote))
    return AuditEntry(
        str(entry.sequence),
        entry.at,
        entry.operation,
        *(agreed(3), agreed(2), agreed(1), ids),
        detail=entry.detail,
        sequence=entry.sequence,
    )


def first_versions(entry: WitnessEntry) -> tuple[int, int]:
    """The versions of a link that are named, from the first to the last of them."""
    first, last = entry.versions
    return first, min(last, first + MOST_IDS - 1)


def fits(where: AuditFilter, entry: AuditEntry) -> bool:
    """Whether a read satisfies a filter."""
    return (
        (where.since is None or entry.at >= where.since)
        and (where.until is None or entry.at < where.until)
        and (where.operation is None or entry.operation == where.operation)
        and (where.session is None or entry.session == where.session)
        and (where.memory_id is None or where.memory_id in entry.ids)
    )


def without(read: AuditEntry, gone: Iterable[str]) -> AuditEntry:
    """A read that tells nothing more of what it brought back, where something of that is gone.

    >>> from recollect.model import EPOCH
    >>> read = AuditEntry("1", EPOCH, "recall", ids=("a", "b"), detail={"question": "what does Ada like?"})
    >>> dict(without(read, {"b"}).detail), without(read, {"c"}) is read
    ({'erased': True}, True)
    """
    if read.detail and not set(gone).isdisjoint(read.ids):
        return replace(read, detail=ERASED)
    return read


def quotes(detail: Mapping[str, Any], texts: Sequence[str]) -> bool:
    """Whether a question holds one of some texts, whatever its case and spacing.

    >>> quotes({"question": "Is it true that ADA  likes tea?"}, ["Ada likes tea"])
    True
    """
    question = _plain(str(detail.get("question", "")))
    return any(plain and plain in question for plain in map(_plain, texts))


def _plain(text: str) -> str:
    """As a tombstone knows it."""
    return " ".join(text.casefold().split())
