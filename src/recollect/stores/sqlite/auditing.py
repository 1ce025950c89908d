"""The audit: what was read, in a table that can be cut, beside what the chain tells of what was written."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from recollect.model import AuditEntry, AuditFilter, microseconds
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
from recollect.stores.rows import WITNESS_COLUMNS, entry_from, json_or_none
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.ledger import Ledger
from recollect.stores.sqlite.rows import each, rows, user_number

BATCH = 1_000
"""So many entries are removed in one transaction: others write between two of them."""
GONE = "SELECT id FROM node WHERE user = ? AND type = 'purged' AND id IN (SELECT value FROM json_each(?))"
WROTE = (
    "SELECT n.id, v.channel, c.session, c.actor FROM version v CROSS JOIN node n ON n.number = v.node"
    " LEFT JOIN content c ON c.number = v.content WHERE v.number BETWEEN ? AND ? ORDER BY v.number"
)
COVERED = (
    "EXISTS (SELECT 1 FROM version v {} WHERE v.number BETWEEN w.first_version AND w.last_version AND {})"
)
OF_SESSION = COVERED.format("JOIN content c ON c.number = v.content", "c.session = :session")
OF_MEMORY = COVERED.format("JOIN node n ON n.number = v.node", "n.id = :memory_id")


class Auditing:
    """Store's part for the audit."""

    _connections: Connections
    _key: bytes

    def note(self, user: str, reads: Sequence[AuditEntry]) -> None:
        if not reads:
            return
        named = json.dumps(sorted({memory_id for read in reads for memory_id in read.ids}))
        with self._connections.writing() as connection:
            number = Ledger(connection, user, self._key, microseconds(reads[0].at)).user
            gone = {memory_id for (memory_id,) in rows(connection, GONE, (number, named))}
            connection.executemany(
                f"INSERT OR IGNORE INTO audit (user, {READ_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(number, *read_values(without(read, gone))) for read in reads],
            )

    def reads(
        self, user: str, where: AuditFilter, *, after: tuple[datetime, str] | None = None, limit: int
    ) -> list[AuditEntry]:
        bound = bound_by(where, limit)
        wanted = ["user = :user", *asked(where, ":{}")]
        if where.session is not None:
            wanted.append("session = :session")
        if where.memory_id is not None:
            wanted.append("EXISTS (SELECT 1 FROM json_each(ids) WHERE value = :memory_id)")
        if after is not None:
            wanted.append("(at, id) < (:after_at, :after_id)")
            bound |= {"after_at": microseconds(after[0]), "after_id": after[1]}
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {READ_COLUMNS} FROM audit WHERE {' AND '.join(wanted)}"
                " ORDER BY at DESC, id DESC LIMIT :limit",
                bound | {"user": user_number(connection, user)},
            )
        return [read_from(row) for row in found]

    def writes(
        self, user: str, where: AuditFilter, *, below: int | None = None, limit: int
    ) -> list[AuditEntry]:
        wanted = ["user = :user", *asked(where, ":{}")]
        wanted += [] if below is None else ["sequence < :below"]
        wanted += [] if where.session is None else [OF_SESSION]
        wanted += [] if where.memory_id is None else [OF_MEMORY]
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {WITNESS_COLUMNS} FROM witness w WHERE {' AND '.join(wanted)}"
                " ORDER BY sequence DESC LIMIT :limit",
                bound_by(where, limit) | {"user": user_number(connection, user), "below": below},
            )
            entries = [entry_from(row) for row in found]
            return [write_from(one, rows(connection, WROTE, first_versions(one))) for one in entries]

    def forget_reads(
        self,
        user: str,
        before: datetime | None,
        at: datetime,  # noqa: ARG002 - for stores that prepare for what comes
        everyones: Callable[[], datetime | None],  # noqa: ARG002 - for stores that remove many at once
    ) -> int:
        removed = 0
        while before is not None:
            with self._connections.writing() as connection:
                connection.execute(
                    "DELETE FROM audit WHERE (user, at, id) IN (SELECT user, at, id FROM audit"
                    " WHERE user = ? AND at < ? ORDER BY at LIMIT ?)",
                    (user_number(connection, user), microseconds(before), BATCH),
                )
                count = connection.changes()
            removed += count
            if count < BATCH:
                break
        return removed


def erase_reads(ledger: Ledger, ids: Sequence[str], texts: Sequence[str]) -> list[bytes]:
    """Takes away what reads say of purged memories, or quote of their texts; gives what must not be found any more."""
    taken: list[bytes] = []
    keys: list[tuple[Any, ...]] = []
    for row in each(
        ledger.connection,
        f"SELECT {READ_COLUMNS} FROM audit WHERE user = ? AND detail IS NOT NULL",
        (ledger.user,),
    ):
        read = read_from(row)
        if without(read, ids) is not read or quotes(read.detail, texts):
            # As it stands in the row: what else is there is in every other row, too.
            taken.append(json.dumps(read.detail.get("question", ""), ensure_ascii=False)[1:-1].encode())
            keys.append((json_or_none(dict(ERASED)), ledger.user, *row[:2]))
    ledger.connection.executemany("UPDATE audit SET detail = ? WHERE user = ? AND at = ? AND id = ?", keys)
    return taken
