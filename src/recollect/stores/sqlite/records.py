"""State that is not memory: named values, and the learnt counters."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from recollect.model import LEARNT, SYSTEM_USER, Record, microseconds
from recollect.ports import RecordChange
from recollect.removals import REMOVAL
from recollect.stores.changes import kept, learnt
from recollect.stores.rows import record_from, setting_from
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.ledger import Ledger
from recollect.stores.sqlite.rows import rows, user_number
from recollect.stores.sqlite.where import end_of

RECORD_COLUMNS = "kind, key, value, revision, updated_at"
KEEP = "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)"
LEARN = f"INSERT OR REPLACE INTO learnt (node, {', '.join(LEARNT)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class Records:
    """Store's part for records."""

    _connections: Connections

    def record(self, user: str, kind: str, key: str) -> Record | None:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {RECORD_COLUMNS} FROM record WHERE user = ? AND kind = ? AND key = ?",
                (user_number(connection, user), kind, key),
            )
        return record_from(found[0]) if found else None

    def everyones_records(self, kind: str) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        with self._connections.reading() as connection:
            # From user to user, each by the key's beginning: other kinds have many more records.
            for user, *row in rows(
                connection,
                f"SELECT u.name, {RECORD_COLUMNS} FROM user u CROSS JOIN record r ON r.user = u.number"
                " WHERE r.kind = ? AND u.name != ? ORDER BY u.number, r.key",
                (kind, SYSTEM_USER),
            ):
                found.setdefault(user, []).append(record_from(tuple(row)))
        return found

    def everyones_settings(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        with self._connections.reading() as connection:
            for user, name, text in rows(
                connection,
                "SELECT u.name, s.name, s.value FROM user u JOIN setting s ON s.user = u.number"
                " WHERE u.name != ? ORDER BY u.number, s.name",
                (SYSTEM_USER,),
            ):
                found.setdefault(user, {})[name] = setting_from(text)
        return found

    def records(
        self, user: str, kind: str, *, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {RECORD_COLUMNS} FROM record WHERE user = ? AND kind = ? AND key >= ? AND key < ?"
                f"{'' if after is None else ' AND key > ?'} ORDER BY key LIMIT ?",
                (
                    *(user_number(connection, user), kind, prefix, end_of(prefix)),
                    *(() if after is None else (after,)),
                    -1 if limit is None else limit,
                ),
            )
        return [record_from(row) for row in found]

    def records_named(self, user: str, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {RECORD_COLUMNS} FROM record"
                " WHERE user = ? AND kind = ? AND key IN (SELECT value FROM json_each(?))",
                (self._connections.number(connection, user), kind, json.dumps(list(keys))),
            )
        return {record.key: record for record in map(record_from, found)}


def keep(ledger: Ledger, changes: Sequence[RecordChange]) -> None:
    """Writes records, or removes them, where they have the revisions that are expected."""
    revisions = _revisions(ledger, [change for change in changes if change.expected is not None])
    for *place, text in kept(changes, revisions, ledger.sequence + 1):
        if text is None:
            ledger.connection.execute(
                "DELETE FROM record WHERE user = ? AND kind = ? AND key = ?", (ledger.user, *place)
            )
        else:
            ledger.connection.execute(KEEP, (ledger.user, *place, text, ledger.sequence + 1, ledger.at))


def removed(ledger: Ledger, keys: Sequence[str]) -> list[str]:
    """Those of some edges' keys of which something is kept."""
    found = rows(
        ledger.connection,
        "SELECT key FROM record WHERE user = ? AND kind = ? AND key IN (SELECT value FROM json_each(?))",
        (ledger.user, REMOVAL, json.dumps(list(keys))),
    )
    return [row[0] for row in found]


def _revisions(ledger: Ledger, changes: Sequence[RecordChange]) -> dict[tuple[str, str], int]:
    """Of some records, in one question however many they are."""
    if not changes:
        return {}
    found = rows(
        ledger.connection,
        "SELECT r.kind, r.key, r.revision FROM json_each(?) a"
        " CROSS JOIN record r ON r.user = ? AND r.kind = a.value ->> 0 AND r.key = a.value ->> 1",
        (json.dumps([(change.kind, change.key) for change in changes]), ledger.user),
    )
    return {(kind, key): revision for kind, key, revision in found}


def count(
    connection: apsw.Connection, user: int | None, accesses: Mapping[str, tuple[int, datetime]]
) -> None:
    """Adds accesses to those that were counted before."""
    connection.executemany(
        "INSERT INTO counter SELECT number, ?, ? FROM node WHERE user = ? AND id = ? AND type != 'purged'"
        " ON CONFLICT DO UPDATE SET access_count = access_count + excluded.access_count,"
        " last_accessed_at = max(last_accessed_at, excluded.last_accessed_at)",
        [(times, microseconds(at), user, memory_id) for memory_id, (times, at) in accesses.items()],
    )


def learn(ledger: Ledger, counters: Mapping[str, Mapping[str, Any]]) -> None:
    """Sets learnt counters of memories; the others stay."""
    if not counters:
        return
    found = rows(
        ledger.connection,
        f"SELECT n.id, n.number, {', '.join(f'l.{name}' for name in LEARNT)} FROM json_each(?) a"
        " CROSS JOIN node n ON n.user = ? AND n.id = a.value AND n.type != 'purged'"
        " LEFT JOIN learnt l ON l.node = n.number",
        (json.dumps(list(counters)), ledger.user),
    )
    ledger.connection.executemany(LEARN, learnt(counters, {memory_id: known for memory_id, *known in found}))
