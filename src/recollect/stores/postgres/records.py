"""State that is not memory: named values, and the counters of memories."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.model import LEARNT, SYSTEM_USER, Record, microseconds
from recollect.ports import RecordChange
from recollect.removals import REMOVAL
from recollect.stores.changes import kept, learnt
from recollect.stores.postgres.ledger import Ledger
from recollect.stores.postgres.session import EVERYONE, Session
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.postgres.where import beginning
from recollect.stores.rows import record_from, setting_from

RECORD_COLUMNS = "kind, key, value, revision, updated_at"
KEEP = """INSERT INTO record SELECT %(user)s, a.kind, a.key, a.value, %(revision)s, %(at)s
FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(values)s::text[]) AS a (kind, key, value) ON CONFLICT (tenant, kind, key)
DO UPDATE SET value = excluded.value, revision = excluded.revision, updated_at = excluded.updated_at"""
REMOVE = """DELETE FROM record r USING unnest(%(kinds)s::text[], %(keys)s::text[]) AS a (kind, key)
WHERE r.tenant = %(user)s AND (r.kind, r.key) = (a.kind COLLATE "C", a.key COLLATE "C")"""
LEARNT_ARRAYS = ", ".join("%s::text[]" if name == "tier" else "%s::double precision[]" for name in LEARNT)
LEARN = (
    f"INSERT INTO learnt (tenant, node, {', '.join(LEARNT)})"
    f" SELECT %s, * FROM unnest(%s::bigint[], {LEARNT_ARRAYS})"
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

    def everyones_records(self, kind: str) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        with self._sessions.reading(EVERYONE) as session:
            # From tenant to tenant, each by the key's beginning: other kinds have many more records.
            for user, *row in session.rows(
                f"SELECT t.name, {RECORD_COLUMNS} FROM tenant t, LATERAL (SELECT * FROM record"
                " WHERE record.tenant = t.number AND record.kind = %s) r WHERE t.name != %s ORDER BY t.number, r.key",
                (kind, SYSTEM_USER),
            ):
                found.setdefault(str(user), []).append(record_from(tuple(row)))
        return found

    def everyones_settings(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        with self._sessions.reading(EVERYONE) as session:
            for user, name, text in session.rows(
                "SELECT t.name, s.name, s.value FROM setting s JOIN tenant t ON t.number = s.tenant"
                " WHERE t.name != %s ORDER BY t.number, s.name",
                (SYSTEM_USER,),
            ):
                found.setdefault(str(user), {})[str(name)] = setting_from(str(text))
        return found

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

    def records_named(self, user: str, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT {RECORD_COLUMNS} FROM record WHERE tenant = %s AND kind = %s AND key = ANY(%s::text[])",
                (session.tenant, kind, list(keys)),
            )
        return {record.key: record for record in map(record_from, found)}


def keep(ledger: Ledger, changes: Sequence[RecordChange]) -> None:
    """Writes records, or removes them, where they have the revisions that are expected: in a statement each."""
    revisions = _revisions(ledger, [change for change in changes if change.expected is not None])
    # Of a record that is named twice, the last counts.
    texts = {(kind, key): text for kind, key, text in kept(changes, revisions, ledger.sequence + 1)}
    gone = [place for place, text in texts.items() if text is None]
    told = [(*place, text) for place, text in texts.items() if text is not None]
    if gone:
        kinds, keys = map(list, zip(*gone, strict=True))
        ledger.session.execute(REMOVE, {"user": ledger.user, "kinds": kinds, "keys": keys})
    if told:
        kinds, keys, values = map(list, zip(*told, strict=True))
        bound = {"user": ledger.user, "revision": ledger.sequence + 1, "at": ledger.at}
        ledger.session.execute(KEEP, {**bound, "kinds": kinds, "keys": keys, "values": values})


def removed(ledger: Ledger, keys: Sequence[str]) -> list[str]:
    """Those of some edges' keys of which something is kept."""
    found = ledger.session.rows(
        "SELECT key FROM record WHERE tenant = %s AND kind = %s AND key = ANY(%s::text[])",
        (ledger.user, REMOVAL, list(keys)),
    )
    return [str(row[0]) for row in found]


def _revisions(ledger: Ledger, changes: Sequence[RecordChange]) -> dict[tuple[str, str], int]:
    """Of some records, in one question however many they are."""
    if not changes:
        return {}
    found = ledger.session.rows(
        "SELECT r.kind, r.key, r.revision FROM unnest(%s::text[], %s::text[]) AS a (kind, key)"
        ' JOIN record r ON r.tenant = %s AND r.kind = a.kind COLLATE "C" AND r.key = a.key COLLATE "C"',
        ([change.kind for change in changes], [change.key for change in changes], ledger.user),
    )
    return {(kind, key): revision for kind, key, revision in found}


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


def learn(ledger: Ledger, counters: Mapping[str, Mapping[str, Any]]) -> None:
    """Sets learnt counters of memories, in one statement; the others stay."""
    if not counters:
        return
    found = ledger.session.rows(
        f"SELECT n.id, n.number, {', '.join(f'l.{name}' for name in LEARNT)} FROM node n"
        " LEFT JOIN learnt l ON l.tenant = n.tenant AND l.node = n.number"
        " WHERE n.tenant = %s AND n.id = ANY(%s::text[]) AND n.type != 'purged'",
        (ledger.user, list(counters)),
    )
    told = learnt(counters, {memory_id: known for memory_id, *known in found})
    ledger.session.execute(LEARN, (ledger.user, *map(list, zip(*told, strict=True))))
