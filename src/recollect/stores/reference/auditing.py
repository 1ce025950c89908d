"""The audit: what was read, and what the chain tells of what was written."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.model import AuditEntry, AuditFilter, Memory, State, WitnessEntry
from recollect.stores.auditing import ERASED, first_versions, fits, quotes, without, write_from
from recollect.stores.reference.shelf import Shelf, Shelves


class Auditing(Shelves):
    """Store's part for the audit."""

    def note(self, user: str, reads: Sequence[AuditEntry]) -> None:
        if not reads:
            return
        with self._lock:
            shelf = self._shelves.setdefault(user, Shelf(len(self._shelves) + 1))
            gone = {m.id for m in shelf.versions if m.state == State.PURGED}
            for read in reads:
                # Through JSON, as a store on a disk gives it back.
                detail = json.loads(json.dumps(dict(without(read, gone).detail)))
                shelf.reads.setdefault(read.id, replace(read, detail=detail))

    def reads(
        self, user: str, where: AuditFilter, *, after: tuple[datetime, str] | None = None, limit: int
    ) -> list[AuditEntry]:
        found = sorted(self._shelf(user).reads.values(), key=lambda one: (one.at, one.id), reverse=True)
        return [one for one in found if fits(where, one) and (after is None or (one.at, one.id) < after)][
            :limit
        ]

    def writes(
        self, user: str, where: AuditFilter, *, below: int | None = None, limit: int
    ) -> list[AuditEntry]:
        shelf = self._shelf(user)
        found = []
        for entry in reversed(shelf.witness):
            wrote = _versions(shelf, *entry.versions)
            if (below is None or entry.sequence < below) and _fits(where, entry, wrote):
                named = [
                    (m.id, m.channel, m.origin.session, m.origin.actor)
                    for m in _versions(shelf, *first_versions(entry))
                ]
                found.append(write_from(entry, named))
        return found[:limit]

    def forget_reads(
        self,
        user: str,
        before: datetime | None,
        at: datetime,  # noqa: ARG002 - for stores that prepare for what comes
        everyones: Callable[[], datetime | None],  # noqa: ARG002 - for stores that remove many at once
    ) -> int:
        with self._lock:
            shelf = self._shelf(user)
            old = [one.id for one in shelf.reads.values() if before is not None and one.at < before]
            for read_id in old:
                del shelf.reads[read_id]
            return len(old)


def erase_reads(shelf: Shelf, ids: Sequence[str], texts: Sequence[str]) -> None:
    """Takes away what reads say of purged memories, or quote of their texts."""
    for read in list(shelf.reads.values()):
        if without(read, ids) is not read or quotes(read.detail, texts):
            shelf.reads[read.id] = replace(read, detail=ERASED)


def _versions(shelf: Shelf, first: int, last: int) -> list[Memory]:
    """Those of these numbers that are not erased."""
    return [m for m in shelf.versions[first - shelf.first - 1 : last - shelf.first] if m.content != 0]


def _fits(where: AuditFilter, entry: WitnessEntry, wrote: Sequence[Memory]) -> bool:
    told = AuditEntry(str(entry.sequence), entry.at, entry.operation)
    return (
        fits(replace(where, session=None, memory_id=None), told)
        and (where.session is None or any(m.origin.session == where.session for m in wrote))
        and (where.memory_id is None or any(m.id == where.memory_id for m in wrote))
    )
