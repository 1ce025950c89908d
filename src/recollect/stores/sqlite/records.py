"""State that is not memory: named values, and the learnt counters."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import apsw

from recollect.errors import Conflict, NotFound
from recollect.model import LEARNT, SYSTEM_USER, Counters, Record, microseconds
from recollect.ports import RecordChange
from recollect.stores.changes import checked_counters, checked_record
from recollect.stores.rows import record_from
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.ledger import Ledger
from recollect.stores.sqlite.rows import rows, user_number, value
from recollect.stores.sqlite.where import end_of

RECORD_COLUMNS = "kind, key, value, revision, updated_at"
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
                found.setdefault(user, {})[name] = json.loads(text)
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


def keep(ledger: Ledger, change: RecordChange) -> None:
    """Writes a record, or removes it, where it has the revision that is expected."""
    text = checked_record(change)
    place = (ledger.user, change.kind, change.key)
    known = value(
        ledger.connection, "SELECT revision FROM record WHERE user = ? AND kind = ? AND key = ?", place
    )
    if change.expected is not None and change.expected != (known or 0):
        raise Conflict(
            f"{change.kind} {change.key} was changed by somebody else in the meantime; read it again"
        )
    if text is None:
        ledger.connection.execute("DELETE FROM record WHERE user = ? AND kind = ? AND key = ?", place)
    else:
        ledger.connection.execute(
            "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)",
            (*place, text, ledger.sequence + 1, ledger.at),
        )


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


def learn(ledger: Ledger, memory_id: str, values: Mapping[str, Any]) -> None:
    """Sets learnt counters of one memory; the others stay."""
    node = ledger.node_of(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id} to learn about")
    known = rows(ledger.connection, f"SELECT {', '.join(LEARNT)} FROM learnt WHERE node = ?", (node,))
    before = known[0] if known else [getattr(Counters(), name) for name in LEARNT]
    after = dict(zip(LEARNT, before, strict=True)) | checked_counters(values)
    ledger.connection.execute(LEARN, (node, *after.values()))
