"""Looking things up: memories, versions, edges, counters."""

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

import apsw

from recollect.formulas import chain
from recollect.model import LEARNT, SYSTEM_USER, Counters, Edge, Filter, Memory, microseconds
from recollect.ports import BOTH_ENDS
from recollect.stores.counting import NO_COUNTS, counted
from recollect.stores.rows import (
    MEMORY_COLUMNS,
    counters_from,
    edge_from,
    memory_from,
    setting_from,
    user_range,
)
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import MEMORY_TABLES, rows, user_number, value
from recollect.stores.sqlite.where import SQLiteConditions, end_of

FEW = 1_000
"""Up to so many rows it is quicker to sort what a condition's own index finds than to look through all ids."""

EDGE_QUERY = """SELECT s.id, t.id, e.type, e.weight, e.recorded_at, e.reason
FROM edge e JOIN node s ON s.number = e.source JOIN node t ON t.number = e.target"""


LEARNT_COLUMNS = ", ".join(f"l.{name}" for name in LEARNT)


class Reading:
    """Store's reading part."""

    _connections: Connections
    _key: bytes

    def reading(self) -> AbstractContextManager[None]:
        return self._consistent()

    def users(self) -> list[str]:
        with self._connections.reading() as connection:
            found = rows(connection, "SELECT name FROM user WHERE name != ? ORDER BY number", (SYSTEM_USER,))
        return [name for (name,) in found]

    def get(self, user: str, memory_id: str, as_of: datetime | None = None) -> Memory | None:
        believed = "v.retired_at IS NULL"
        if as_of is not None:
            believed = "v.recorded_at <= :as_of AND (v.retired_at IS NULL OR v.retired_at > :as_of)"
        with self._connections.reading() as connection:
            bound = {"user": user_number(connection, user), "id": memory_id}
            found = rows(
                connection,
                f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_TABLES} WHERE n.user = :user AND n.id = :id AND {believed}",
                bound if as_of is None else {**bound, "as_of": microseconds(as_of)},
            )
        return memory_from(found[0]) if found else None

    def versions(self, user: str, memory_id: str) -> list[Memory]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_TABLES} WHERE n.user = ? AND n.id = ? ORDER BY v.version",
                (user_number(connection, user), memory_id),
            )
        return [memory_from(row) for row in found]

    def find(
        self,
        user: str,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[Memory]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return []
            conditions = SQLiteConditions(where, number)
            bound = {**conditions.bound, "limit": -1 if limit is None else limit, "after": after}
            # The joins are CROSS, which SQLite does not reorder: a page costs a page, whatever it guesses.
            tables = "node n CROSS JOIN version v ON v.node = n.number CROSS JOIN content c ON c.number = v.content"
            if conditions.lead is not None and _few(connection, conditions):
                tables = (
                    f"{conditions.lead} x CROSS JOIN version v INDEXED BY version_by_content ON v.content = x.number"
                    " CROSS JOIN content c ON c.number = v.content CROSS JOIN node n ON n.number = v.node"
                )
            page = "" if after is None else f" AND n.id {'<' if newest_first else '>'} :after"
            found = rows(
                connection,
                f"SELECT {MEMORY_COLUMNS} FROM {tables} WHERE n.user = :user{page}{conditions.sql}"
                f" ORDER BY n.id {'DESC' if newest_first else 'ASC'} LIMIT :limit",
                bound,
            )
        return [memory_from(row) for row in found]

    def resolve(self, user: str, id_prefix: str) -> list[str]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                "SELECT id FROM node WHERE user = ? AND id >= ? AND id < ? ORDER BY id LIMIT 10",
                (user_number(connection, user), id_prefix, end_of(id_prefix)),
            )
        return [memory_id for (memory_id,) in found]

    def edges(
        self,
        user: str,
        ids: Sequence[str],
        types: Sequence[str] | None = None,
        *,
        ends: Sequence[str] = BOTH_ENDS,
    ) -> list[Edge]:
        # JSON, not carray: an array cannot be empty, nor hold a NUL character.
        bound: dict[str, Any] = {"ids": json.dumps(list(ids))}
        typed = ""
        if types is not None:
            typed = " AND e.type IN (SELECT value FROM json_each(:types))"
            bound["types"] = json.dumps(list(types))
        chosen = "(SELECT number FROM node WHERE user = :user AND id IN (SELECT value FROM json_each(:ids)))"
        with self._connections.reading() as connection:
            parts = [f"{EDGE_QUERY} WHERE e.{end} IN {chosen}{typed}" for end in BOTH_ENDS if end in ends]
            found = rows(
                connection,
                f"SELECT * FROM ({' UNION '.join(parts)}) ORDER BY 5, 1, 2, 3",
                {**bound, "user": user_number(connection, user)},
            )
        return [edge_from(row) for row in found]

    def all_edges(self, user: str, after: int = 0) -> Iterator[Edge]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            query = f"{EDGE_QUERY} WHERE e.number BETWEEN ? AND ? ORDER BY e.number"
            first, last = (1, 0) if number is None else user_range(number)
            found = rows(connection, query, (max(first, after + 1), last))
        return (edge_from(row) for row in found)

    def counters(self, user: str, ids: Sequence[str]) -> dict[str, Counters]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT n.id, k.access_count, k.last_accessed_at, {LEARNT_COLUMNS} FROM node n"
                " LEFT JOIN counter k ON k.node = n.number LEFT JOIN learnt l ON l.node = n.number"
                " WHERE n.user = ? AND n.id IN (SELECT value FROM json_each(?))"
                " AND (k.node IS NOT NULL OR l.node IS NOT NULL)",
                (user_number(connection, user), json.dumps(list(ids))),
            )
        return {row[0]: counters_from(row) for row in found}

    def tombstones(self, user: str) -> list[bytes]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            found = rows(connection, "SELECT fingerprint FROM tombstone WHERE user = ? ORDER BY 1", (number,))
        return [mark for (mark,) in found]

    def erased(self, user: str, texts: Sequence[str]) -> list[bool]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return [False for _ in texts]
            marks = [chain.fingerprint(self._key, number, text) for text in texts]
            query = "SELECT 1 FROM tombstone WHERE fingerprint = ?"
            return [value(connection, query, (mark,)) is not None for mark in marks]

    def counts(self, user: str) -> dict[str, Any]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return dict(NO_COUNTS)
            mine = user_range(number)
            groups = rows(
                connection,
                "SELECT lane, state, channel, count(*), sum(retired_at IS NULL) FROM version"
                " WHERE number BETWEEN ? AND ? GROUP BY 1, 2, 3",
                mine,
            )
            return counted(
                groups,
                edges=value(connection, "SELECT count(*) FROM edge WHERE number BETWEEN ? AND ?", mine),
                tombstones=value(connection, "SELECT count(*) FROM tombstone WHERE user = ?", (number,)),
                head=rows(
                    connection, "SELECT witness_sequence, witness_hash FROM user WHERE number = ?", (number,)
                )[0],
            )

    def settings(self, user: str) -> dict[str, Any]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                "SELECT name, value FROM setting WHERE user = ? ORDER BY name",
                (self._connections.number(connection, user),),
            )
        return {name: setting_from(text) for name, text in found}

    @contextmanager
    def _consistent(self) -> Iterator[None]:
        with self._connections.reading():
            yield


def _few(connection: apsw.Connection, conditions: SQLiteConditions) -> bool:
    query = f"SELECT count(*) FROM (SELECT 1 FROM {conditions.lead} LIMIT {FEW + 1})"
    return bool(value(connection, query, conditions.bound) <= FEW)
