"""The audit on a server: what was read, beside what the chain tells of what was written."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from recollect.model import AuditEntry, AuditFilter, WitnessEntry, microseconds
from recollect.stores.auditing import (
    ERASED,
    READ_COLUMNS,
    asked,
    bound_by,
    first_versions,
    quotes,
    read_from,
    read_values,
    without,
    write_from,
)
from recollect.stores.postgres.ledger import Ledger
from recollect.stores.postgres.months import holding, prepared, upkeep
from recollect.stores.postgres.session import EVERYONE, NOBODY, Session
from recollect.stores.postgres.tenants import Tenants, joined
from recollect.stores.rows import WITNESS_COLUMNS, Row, entry_from, json_or_none

BATCH = 5_000
"""So many entries are removed in one transaction."""
NOTE = (
    f"INSERT INTO audit (tenant, {READ_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
    " ON CONFLICT DO NOTHING"
)
GONE = "SELECT id FROM node WHERE tenant = %s AND type = 'purged' AND id = ANY(%s::text[])"
WROTE = """SELECT a.place, n.id, v.channel, c.session, c.actor
FROM unnest(%(places)s::bigint[], %(firsts)s::bigint[], %(lasts)s::bigint[]) AS a (place, first, last)
JOIN version v ON v.tenant = %(user)s AND v.number BETWEEN a.first AND a.last
JOIN node n ON n.tenant = v.tenant AND n.number = v.node
LEFT JOIN content c ON c.tenant = v.tenant AND c.number = v.content ORDER BY v.number"""
COVERED = """EXISTS (SELECT 1 FROM version v {}
WHERE v.tenant = w.tenant AND v.number BETWEEN w.first_version AND w.last_version AND {})"""
OF_SESSION = COVERED.format(
    "JOIN content c ON c.tenant = v.tenant AND c.number = v.content", "c.session = %(session)s"
)
OF_MEMORY = COVERED.format("JOIN node n ON n.tenant = v.tenant AND n.number = v.node", "n.id = %(memory_id)s")
FORGET = """DELETE FROM audit a USING (SELECT tenant, at, id FROM audit WHERE tenant = %(user)s AND at < %(before)s
ORDER BY at LIMIT %(limit)s) old WHERE a.tenant = old.tenant AND a.at = old.at AND a.id = old.id AND a.tenant = %(user)s
RETURNING 1"""


class Auditing(Tenants):
    """Store's part for the audit."""

    def note(self, user: str, reads: Sequence[AuditEntry]) -> None:
        if not reads:
            return
        number, schema = self._number(user), self._sessions.address.schema
        named = sorted({memory_id for read in reads for memory_id in read.ids})

        def noted(session: Session) -> int:
            if number == NOBODY:
                joined(session, schema, user, microseconds(reads[0].at))
            # A purge waits for this, or this for it: what is told of a purged memory is either erased or not kept.
            session.value("SELECT 1 FROM ledger WHERE tenant = %s FOR SHARE", (session.tenant,))
            gone = {memory_id for (memory_id,) in session.rows(GONE, (session.tenant, named))}
            session.executemany(
                NOTE, [(session.tenant, *read_values(without(read, gone), list)) for read in reads]
            )
            return session.tenant

        self._numbers[user] = self._sessions.writing(number, noted)

    def reads(
        self, user: str, where: AuditFilter, *, after: tuple[datetime, str] | None = None, limit: int
    ) -> list[AuditEntry]:
        bound = bound_by(where, limit)
        wanted = ["tenant = %(user)s", *asked(where, "%({})s")]
        if where.session is not None:
            wanted.append("session = %(session)s")
        if where.memory_id is not None:
            wanted.append("%(memory_id)s = ANY(ids)")
        if after is not None:
            wanted.append("(at, id) < (%(after_at)s, %(after_id)s)")
            bound |= {"after_at": microseconds(after[0]), "after_id": after[1]}
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT {READ_COLUMNS} FROM audit WHERE {' AND '.join(wanted)}"
                " ORDER BY at DESC, id DESC LIMIT %(limit)s",
                bound | {"user": session.tenant},
            )
        return [read_from(row, list) for row in found]

    def writes(
        self, user: str, where: AuditFilter, *, below: int | None = None, limit: int
    ) -> list[AuditEntry]:
        wanted = ["tenant = %(user)s", *asked(where, "%({})s")]
        wanted += [] if below is None else ["sequence < %(below)s"]
        wanted += [] if where.session is None else [OF_SESSION]
        wanted += [] if where.memory_id is None else [OF_MEMORY]
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT {WITNESS_COLUMNS} FROM witness w WHERE {' AND '.join(wanted)}"
                " ORDER BY sequence DESC LIMIT %(limit)s",
                bound_by(where, limit) | {"user": session.tenant, "below": below},
            )
            entries = [entry_from(row) for row in found]
            wrote = _wrote(session, entries)
        return [write_from(one, wrote[one.sequence]) for one in entries]

    def forget_reads(
        self,
        user: str,
        before: datetime | None,
        at: datetime,
        everyones: Callable[[], datetime | None],
    ) -> int:
        number = self._number(user)
        removed = 0
        while before is not None and number != NOBODY:
            count = self._sessions.writing(number, partial(_forget, before=microseconds(before)))
            removed += count
            if count < BATCH:
                break
        with self._sessions.reading(EVERYONE) as session:
            done = prepared(session, at)
        if not done:
            oldest = None if before is None else everyones()
            schema = self._sessions.address.schema
            self._sessions.writing(
                EVERYONE, lambda session: upkeep(session, schema, at, oldest), lasting=True
            )
        return removed


def erase_reads(ledger: Ledger, ids: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Takes away what reads say of purged memories, or quote of their texts; gives the partitions that held them."""
    erased: list[datetime] = []
    for row in ledger.session.rows(
        f"SELECT {READ_COLUMNS} FROM audit WHERE tenant = %s AND detail IS NOT NULL", (ledger.user,)
    ):
        read = read_from(row, list)
        if without(read, ids) is not read or quotes(read.detail, texts):
            erased.append(read.at)
            ledger.session.execute(
                "UPDATE audit SET detail = %s WHERE tenant = %s AND at = %s AND id = %s",
                (json_or_none(dict(ERASED)), ledger.user, microseconds(read.at), read.id),
            )
    return holding(ledger.session, erased)


def _forget(session: Session, before: int) -> int:
    """Removes one batch; gives how many that were."""
    return len(session.rows(FORGET, {"user": session.tenant, "before": before, "limit": BATCH}))


def _wrote(session: Session, entries: Sequence[WitnessEntry]) -> dict[int, list[Row]]:
    """By link, (id, channel, session, actor) of its first versions, in one question."""
    found: dict[int, list[Row]] = {entry.sequence: [] for entry in entries}
    ranges = [first_versions(entry) for entry in entries]
    bound = {
        "user": session.tenant,
        "places": list(found),
        "firsts": [first for first, _ in ranges],
        "lasts": [last for _, last in ranges],
    }
    for place, *row in session.rows(WROTE, bound) if entries else ():
        found[int(place)].append(tuple(row))
    return found
