"""Looking things up: memories, versions, edges, counters."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from recollect.formulas import chain
from recollect.model import LEARNT, Counters, Edge, Filter, Memory, microseconds
from recollect.ports import BOTH_ENDS
from recollect.stores.counting import NO_COUNTS, counted
from recollect.stores.postgres.session import NOBODY
from recollect.stores.postgres.standing import standing
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.postgres.where import PostgresConditions, beginning
from recollect.stores.rows import MEMORY_COLUMNS, Row, counters_from, edge_from, memory_from

TABLES = """node n JOIN version v ON v.tenant = n.tenant AND v.node = n.number
JOIN content c ON c.tenant = v.tenant AND c.number = v.content"""
MEMORIES = f"SELECT {MEMORY_COLUMNS} FROM {TABLES}"
OF_ID = "v.tenant = %(user)s AND v.node = (SELECT number FROM node WHERE tenant = %(user)s AND id = %(id)s)"
"""By its node, which is looked up first whatever the planner thinks of the tables."""
EDGES = """SELECT s.id, t.id, e.type, e.weight, e.recorded_at, e.reason FROM edge e
JOIN node s ON s.tenant = e.tenant AND s.number = e.source JOIN node t ON t.tenant = e.tenant AND t.number = e.target"""
LEARNT_COLUMNS = ", ".join(f"l.{name}" for name in LEARNT)


def memory_of(row: Row) -> Memory:
    """A row of MEMORY_COLUMNS, whose lists are arrays here."""
    return memory_from(row, tuple)


class Reading(Tenants):
    """Store's reading part."""

    _key: bytes

    def reading(self) -> AbstractContextManager[None]:
        return self._sessions.consistent()

    def get(self, user: str, memory_id: str, as_of: datetime | None = None) -> Memory | None:
        believed = "v.retired_at IS NULL"
        bound: dict[str, Any] = {"id": memory_id}
        if as_of is not None:
            believed = "v.recorded_at <= %(as_of)s AND (v.retired_at IS NULL OR v.retired_at > %(as_of)s)"
            bound["as_of"] = microseconds(as_of)
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"{MEMORIES} WHERE {OF_ID} AND {believed}",
                {**bound, "user": session.tenant},
            )
        return memory_of(found[0]) if found else None

    def versions(self, user: str, memory_id: str) -> list[Memory]:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"{MEMORIES} WHERE {OF_ID} ORDER BY v.version", {"user": session.tenant, "id": memory_id}
            )
        return [memory_of(row) for row in found]

    def find(
        self,
        user: str,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[Memory]:
        number = self._number(user)
        if number == NOBODY:
            return []
        conditions = PostgresConditions(where, number)
        page = "" if after is None else f" AND n.id {'<' if newest_first else '>'} %(after)s"
        with self._sessions.reading(number) as session:
            found = session.rows(
                f"{MEMORIES} WHERE n.tenant = %(user)s{page}{conditions.sql}"
                f" ORDER BY n.id {'DESC' if newest_first else 'ASC'}, v.version LIMIT %(limit)s",
                {**conditions.bound, "limit": limit, "after": after},
            )
        return [memory_of(row) for row in found]

    def resolve(self, user: str, id_prefix: str) -> list[str]:
        bound: dict[str, Any] = {"user": self._number(user)}
        begins = " AND ".join(beginning("id", id_prefix, bound))
        with self._sessions.reading(bound["user"]) as session:
            found = session.rows(
                f"SELECT id FROM node WHERE tenant = %(user)s AND {begins} ORDER BY id LIMIT 10", bound
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
        chosen = "(SELECT number FROM node WHERE tenant = %(user)s AND id = ANY(%(ids)s::text[]))"
        typed = "" if types is None else " AND e.type = ANY(%(types)s::text[])"
        mine = f"{EDGES} WHERE e.tenant = %(user)s{typed}"
        with self._sessions.reading(self._number(user)) as session:
            parts = [f"{mine} AND e.{end} IN {chosen}" for end in BOTH_ENDS if end in ends]
            found = session.rows(
                f"{' UNION '.join(parts)} ORDER BY 5, 1, 2, 3",
                {"user": session.tenant, "ids": list(ids), "types": list(types or ())},
            )
        return [edge_from(row) for row in found]

    def all_edges(self, user: str, after: int = 0) -> Iterator[Edge]:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"{EDGES} WHERE e.tenant = %s AND e.number > %s ORDER BY e.number", (session.tenant, after)
            )
        return (edge_from(row) for row in found)

    def counters(self, user: str, ids: Sequence[str]) -> dict[str, Counters]:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT n.id, k.access_count, k.last_accessed_at, {LEARNT_COLUMNS} FROM node n"
                " LEFT JOIN counter k ON k.tenant = n.tenant AND k.node = n.number"
                " LEFT JOIN learnt l ON l.tenant = n.tenant AND l.node = n.number"
                " WHERE n.tenant = %s AND n.id = ANY(%s::text[]) AND (k.node IS NOT NULL OR l.node IS NOT NULL)",
                (session.tenant, list(ids)),
            )
        return {row[0]: counters_from(row) for row in found}

    def tombstones(self, user: str) -> list[bytes]:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                "SELECT fingerprint FROM tombstone WHERE tenant = %s ORDER BY 1", (session.tenant,)
            )
        return [mark for (mark,) in found]

    def erased(self, user: str, texts: Sequence[str]) -> list[bool]:
        number = self._number(user)
        marks = [chain.fingerprint(self._key, number, text) for text in texts]
        with self._sessions.reading(number) as session:
            found = session.rows(
                "SELECT fingerprint FROM tombstone WHERE tenant = %s AND fingerprint = ANY(%s::bytea[])",
                (number, marks),
            )
        known = {mark for (mark,) in found}
        return [mark in known for mark in marks]

    def counts(self, user: str) -> dict[str, Any]:
        number = self._number(user)
        if number == NOBODY:
            return dict(NO_COUNTS)
        with self._sessions.reading(number) as session:
            groups = session.rows(
                "SELECT lane, state, channel, count(*), count(*) FILTER (WHERE retired_at IS NULL)"
                " FROM version WHERE tenant = %s GROUP BY 1, 2, 3",
                (number,),
            )
            return counted(
                groups,
                edges=session.value("SELECT count(*) FROM edge WHERE tenant = %s", (number,)),
                tombstones=session.value("SELECT count(*) FROM tombstone WHERE tenant = %s", (number,)),
                head=session.rows(
                    "SELECT witness_sequence, witness_hash FROM ledger WHERE tenant = %s", (number,)
                )[0],
            )

    def settings(self, user: str) -> dict[str, Any]:
        with self._sessions.reading(self._number(user)) as session:
            return standing(session).settings
