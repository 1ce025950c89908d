"""Looking things up: memories, versions, edges, counters."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

import apsw

from recollect.model import Counters, Edge, Filter, Memory, microseconds, moment
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import MEMORY_COLUMNS, MEMORY_TABLES, edge_from, memory_from, user_number, user_range
from recollect.stores.sqlite.where import where_sql

EDGE_QUERY = """SELECT s.id, t.id, e.type, e.weight, e.recorded_at, e.reason
FROM edge e JOIN node s ON s.number = e.source JOIN node t ON t.number = e.target"""


class Reading:
    """Store's reading part."""

    _connections: Connections

    def reading(self) -> AbstractContextManager[None]:
        return self._consistent()

    def users(self) -> list[str]:
        with self._connections.reading() as connection:
            return [name for (name,) in connection.execute("SELECT name FROM user ORDER BY number")]

    def get(self, user: str, memory_id: str, as_of: datetime | None = None) -> Memory | None:
        moment_sql = "v.retired_at IS NULL" if as_of is None else "v.recorded_at <= :as_of AND (v.retired_at IS NULL OR v.retired_at > :as_of)"
        with self._connections.reading() as connection:
            rows = connection.execute(
                f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_TABLES} WHERE n.user = :user AND n.id = :id AND {moment_sql}",
                {"user": user_number(connection, user), "id": memory_id, "as_of": None if as_of is None else microseconds(as_of)},
            ).fetchall()
        return memory_from(rows[0]) if rows else None

    def versions(self, user: str, memory_id: str) -> list[Memory]:
        with self._connections.reading() as connection:
            rows = connection.execute(
                f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_TABLES} WHERE n.user = ? AND n.id = ? ORDER BY v.version",
                (user_number(connection, user), memory_id),
            ).fetchall()
        return [memory_from(row) for row in rows]

    def find(
        self, user: str, where: Filter, *, limit: int | None = None, after: str | None = None, newest_first: bool = False
    ) -> list[Memory]:
        conditions, bound = where_sql(where)
        if after is not None:
            conditions += f" AND n.id {'<' if newest_first else '>'} :after"
            bound["after"] = after
        order = "DESC" if newest_first else "ASC"
        with self._connections.reading() as connection:
            bound |= {"user": user_number(connection, user), "limit": -1 if limit is None else limit}
            rows = connection.execute(
                # The unary plus keeps the planner on the id index, so that a page costs a page.
                f"SELECT {MEMORY_COLUMNS} FROM node n JOIN version v ON v.node = n.number JOIN content c ON c.number = v.content"
                f" WHERE n.user = :user{conditions} ORDER BY n.id {order}, v.version LIMIT :limit",
                bound,
            ).fetchall()
        return [memory_from(row) for row in rows]

    def resolve(self, user: str, id_prefix: str) -> list[str]:
        with self._connections.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM node WHERE user = ? AND id >= ? AND id < ? ORDER BY id LIMIT 10",
                (user_number(connection, user), id_prefix, id_prefix + "\U0010ffff"),
            ).fetchall()
        return [memory_id for (memory_id,) in rows]

    def edges(self, user: str, ids: Sequence[str], types: Sequence[str] | None = None) -> list[Edge]:
        if not ids:
            return []
        bound: dict[str, Any] = {"ids": apsw.carray(tuple(ids))}
        typed = ""
        if types is not None:
            typed = " AND e.type IN carray(:types)"
            bound["types"] = apsw.carray(tuple(types))
        with self._connections.reading() as connection:
            bound["user"] = user_number(connection, user)
            chosen = "(SELECT number FROM node WHERE user = :user AND id IN carray(:ids))"
            rows = connection.execute(
                f"SELECT * FROM ({EDGE_QUERY} WHERE e.source IN {chosen}{typed} UNION {EDGE_QUERY} WHERE e.target IN {chosen}{typed})"
                " ORDER BY 5, 1, 2, 3",
                bound,
            ).fetchall()
        return [edge_from(row) for row in rows]

    def all_edges(self, user: str) -> Iterator[Edge]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            rows = [] if number is None else connection.execute(
                f"{EDGE_QUERY} WHERE e.number BETWEEN ? AND ? ORDER BY e.number", user_range(number)
            ).fetchall()
        return (edge_from(row) for row in rows)

    def counters(self, user: str, ids: Sequence[str]) -> dict[str, Counters]:
        with self._connections.reading() as connection:
            rows = connection.execute(
                "SELECT n.id, k.access_count, k.last_accessed_at FROM node n JOIN counter k ON k.node = n.number"
                " WHERE n.user = ? AND n.id IN carray(?)",
                (user_number(connection, user), apsw.carray(tuple(ids) or ("",))),
            ).fetchall()
        return {memory_id: Counters(count, moment(at)) for memory_id, count, at in rows}

    def tombstones(self, user: str) -> list[bytes]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            return [mark for (mark,) in connection.execute("SELECT fingerprint FROM tombstone WHERE user = ? ORDER BY 1", (number,))]

    def counts(self, user: str) -> dict[str, Any]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return {"log": 0, "memory": 0, "dormant": 0, "versions": 0, "edges": 0, "tombstones": 0, "channels": {}, "witness": None}
            first, last = user_range(number)
            lanes = connection.execute(
                "SELECT lane, state, count(*) FROM version WHERE number BETWEEN ? AND ? AND retired_at IS NULL GROUP BY 1, 2",
                (first, last),
            ).fetchall()
            one = lambda sql: connection.execute(sql, (first, last)).get  # noqa: E731
            channels = connection.execute(
                "SELECT channel, count(*) FROM version WHERE number BETWEEN ? AND ? AND retired_at IS NULL AND state = 'active'"
                " GROUP BY 1 ORDER BY 1",
                (first, last),
            ).fetchall()
            sequence, head = connection.execute("SELECT witness_sequence, witness_hash FROM user WHERE number = ?", (number,)).fetchall()[0]
            return {
                "log": sum(n for lane, state, n in lanes if lane == "log" and state == "active"),
                "memory": sum(n for lane, state, n in lanes if lane == "memory" and state == "active"),
                "dormant": sum(n for _, state, n in lanes if state == "dormant"),
                "versions": one("SELECT count(*) FROM version WHERE number BETWEEN ? AND ?"),
                "edges": one("SELECT count(*) FROM edge WHERE number BETWEEN ? AND ?"),
                "tombstones": connection.execute("SELECT count(*) FROM tombstone WHERE user = ?", (number,)).get,
                "channels": dict(channels),
                "witness": {"entries": sequence, "hash": head.hex()},
            }

    def settings(self, user: str) -> dict[str, Any]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            return dict(connection.execute("SELECT name, value FROM setting WHERE user = ?", (number,)).fetchall())

    @contextmanager
    def _consistent(self) -> Iterator[None]:
        with self._connections.reading():
            yield
