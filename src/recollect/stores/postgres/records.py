"""State that is not memory: named values, and the counters of memories."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from recollect.errors import Conflict, NotFound
from recollect.model import LEARNT, Counters, Record, microseconds
from recollect.ports import RecordChange
from recollect.stores.changes import checked_counters, checked_record
from recollect.stores.postgres.ledger import Ledger
from recollect.stores.postgres.session import Session
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.postgres.where import beginning
from recollect.stores.rows import record_from

RECORD_COLUMNS = "kind, key, value, revision, updated_at"
LEARN = (
    f"INSERT INTO learnt (tenant, node, {', '.join(LEARNT)}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
    " ON CONFLICT (tenant, node) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in LEARNT)
)


class Records(Tenants):
    """Store's part for records."""

    def record(self, user: str, kind: str, key: str) -> Record | None:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT {RECORD_COLUMNS} FROM record WHERE tenant = %s AND kind = %s AND key = %s",
                (session.tenant, kind, key),
            )
        return record_from(found[0]) if found else None

    def records(
        self, user: str, kind: str, *, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        bound: dict[str, Any] = {"kind": kind, "after": after, "limit": limit}
        begins = "".join(f" AND {part}" for part in beginning("key", prefix, bound))
        later = "" if after is None else " AND key > %(after)s"
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT {RECORD_COLUMNS} FROM record WHERE tenant = %(user)s AND kind = %(kind)s{begins}{later}"
                " ORDER BY key LIMIT %(limit)s",
                {**bound, "user": session.tenant},
            )
        return [record_from(row) for row in found]


def keep(ledger: Ledger, change: RecordChange) -> None:
    """Writes a record, or removes it, where it has the revision that is expected."""
    text = checked_record(change)
    place = (ledger.user, change.kind, change.key)
    if change.expected is not None:
        known = ledger.session.value(
            "SELECT revision FROM record WHERE tenant = %s AND kind = %s AND key = %s", place
        )
        if change.expected != (known or 0):
            raise Conflict(
                f"{change.kind} {change.key} was changed by somebody else in the meantime; read it again"
            )
    if text is None:
        ledger.session.execute("DELETE FROM record WHERE tenant = %s AND kind = %s AND key = %s", place)
    else:
        ledger.session.execute(
            "INSERT INTO record VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, kind, key)"
            " DO UPDATE SET value = excluded.value, revision = excluded.revision, updated_at = excluded.updated_at",
            (*place, text, ledger.sequence + 1, ledger.at),
        )


def count(session: Session, accesses: Mapping[str, tuple[int, datetime]]) -> None:
    """Adds accesses to those that were counted before, in one statement."""
    if not accesses:
        return
    session.execute(
        "INSERT INTO counter SELECT n.tenant, n.number, a.times, a.at"
        " FROM unnest(%s::text[], %s::bigint[], %s::bigint[]) AS a (id, times, at)"
        " JOIN node n ON n.tenant = %s AND n.id = a.id COLLATE \"C\" AND n.type != 'purged'"
        " ON CONFLICT (tenant, node) DO UPDATE SET access_count = counter.access_count + excluded.access_count,"
        " last_accessed_at = greatest(counter.last_accessed_at, excluded.last_accessed_at)",
        (
            list(accesses),
            [times for times, _ in accesses.values()],
            [microseconds(at) for _, at in accesses.values()],
            session.tenant,
        ),
    )


def learn(ledger: Ledger, memory_id: str, values: Mapping[str, Any]) -> None:
    """Sets learnt counters of one memory; the others stay."""
    node = ledger.node_of(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id} to learn about")
    known = ledger.session.rows(
        f"SELECT {', '.join(LEARNT)} FROM learnt WHERE tenant = %s AND node = %s", (ledger.user, node)
    )
    before = known[0] if known else [getattr(Counters(), name) for name in LEARNT]
    after = dict(zip(LEARNT, before, strict=True)) | checked_counters(values)
    ledger.session.execute(LEARN, (ledger.user, node, *after.values()))
