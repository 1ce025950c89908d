"""Looking things up: memories, versions, edges, counters."""

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

import apsw

from recollect.formulas import chain
from recollect.model import LEARNT, SYSTEM_USER, Counters, Edge, Filter, Memory, microseconds, moment
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import (
    MEMORY_COLUMNS,
    MEMORY_TABLES,
    Row,
    edge_from,
    memory_from,
    rows,
    user_number,
    user_range,
    value,
)
from recollect.stores.sqlite.where import Conditions, after_prefix

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
            conditions = Conditions(where, number)
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
                (user_number(connection, user), id_prefix, after_prefix(id_prefix)),
            )
        return [memory_id for (memory_id,) in found]

    def edges(self, user: str, ids: Sequence[str], types: Sequence[str] | None = None) -> list[Edge]:
        # JSON, not carray: an array cannot be empty, nor hold a NUL character.
        bound: dict[str, Any] = {"ids": json.dumps(list(ids))}
        typed = ""
        if types is not None:
            typed = " AND e.type IN (SELECT value FROM json_each(:types))"
            bound["types"] = json.dumps(list(types))
        chosen = "(SELECT number FROM node WHERE user = :user AND id IN (SELECT value FROM json_each(:ids)))"
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT * FROM ({EDGE_QUERY} WHERE e.source IN {chosen}{typed}"
                f" UNION {EDGE_QUERY} WHERE e.target IN {chosen}{typed}) ORDER BY 5, 1, 2, 3",
                {**bound, "user": user_number(connection, user)},
            )
        return [edge_from(row) for row in found]

    def all_edges(self, user: str) -> Iterator[Edge]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            query = f"{EDGE_QUERY} WHERE e.number BETWEEN ? AND ? ORDER BY e.number"
            found = [] if number is None else rows(connection, query, user_range(number))
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
        return {row[0]: _counters(row) for row in found}

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
                return {
                    **dict.fromkeys(("log", "memory", "dormant", "versions", "edges", "tombstones"), 0),
                    "channels": {},
                    "witness": None,
                }
            mine = user_range(number)
            groups = rows(
                connection,
                "SELECT lane, state, channel, count(*), sum(retired_at IS NULL) FROM version"
                " WHERE number BETWEEN ? AND ? GROUP BY 1, 2, 3",
                mine,
            )
            active = [(lane, channel, n) for lane, state, channel, _, n in groups if state == "active" and n]
            sequence, head = rows(
                connection, "SELECT witness_sequence, witness_hash FROM user WHERE number = ?", (number,)
            )[0]
            return {
                "log": sum(n for lane, _, n in active if lane == "log"),
                "memory": sum(n for lane, _, n in active if lane == "memory"),
                "dormant": sum(n for _, state, _, _, n in groups if state == "dormant"),
                "versions": sum(n for _, _, _, n, _ in groups),
                "edges": value(connection, "SELECT count(*) FROM edge WHERE number BETWEEN ? AND ?", mine),
                "tombstones": value(connection, "SELECT count(*) FROM tombstone WHERE user = ?", (number,)),
                "channels": {
                    name: sum(n for _, channel, n in active if channel == name)
                    for name in sorted({channel for _, channel, _ in active})
                },
                "witness": {"entries": sequence, "hash": head.hex()} if sequence else None,
            }

    def settings(self, user: str) -> dict[str, Any]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                "SELECT s.name, s.value FROM user u CROSS JOIN setting s ON s.user = u.number"
                " WHERE u.name = ? ORDER BY s.name",
                (user,),
            )
        return {name: json.loads(text) for name, text in found}

    @contextmanager
    def _consistent(self) -> Iterator[None]:
        with self._connections.reading():
            yield


def _counters(row: Row) -> Counters:
    _, count, accessed, *learnt = row
    known = {} if learnt[0] is None else dict(zip(LEARNT, learnt, strict=True))
    return Counters(count or 0, None if accessed is None else moment(accessed), **known)


def _few(connection: apsw.Connection, conditions: Conditions) -> bool:
    query = f"SELECT count(*) FROM (SELECT 1 FROM {conditions.lead} LIMIT {FEW + 1})"
    return bool(value(connection, query, conditions.bound) <= FEW)
