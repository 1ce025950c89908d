"""What the derived index and the ranker read: many narrow rows, quickly."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import distinct
from recollect.model import Filter, Memory
from recollect.ports import Accesses, Columns, ContentEdge, Document, Stated, Visibility
from recollect.stores.feeding import (
    MOST_REPLACED,
    accesses_of,
    columns_of,
    stated_of,
    vectors_of,
    visibility_from,
    words_of,
)
from recollect.stores.postgres.numbers import received
from recollect.stores.postgres.reading import MEMORIES, memory_of
from recollect.stores.postgres.session import NOBODY
from recollect.stores.postgres.standing import standing
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.postgres.where import PostgresConditions
from recollect.stores.rows import Row, user_range

COLUMNS = "v.content, v.confidence, v.importance, v.valid_from"
ACCESSES = "v.content, coalesce(k.access_count, 0), coalesce(k.last_accessed_at, v.recorded_at)"

EDGES_BETWEEN = """SELECT c.number, o.number, e.type, e.weight, e.recorded_at FROM content c
JOIN edge e ON e.tenant = c.tenant AND e.source = c.node
JOIN content o ON o.tenant = c.tenant AND o.node = e.target
WHERE c.tenant = %(user)s AND c.number = ANY(%(contents)s) AND o.number = ANY(%(others)s)
UNION SELECT o.number, c.number, e.type, e.weight, e.recorded_at FROM content c
JOIN edge e ON e.tenant = c.tenant AND e.target = c.node
JOIN content o ON o.tenant = c.tenant AND o.node = e.source
WHERE c.tenant = %(user)s AND c.number = ANY(%(contents)s) AND o.number = ANY(%(others)s)
ORDER BY 1, 2, 3"""


# From the few turns of which something was replaced to what was formed of them, and along what replaced it.
STATED = """WITH RECURSIVE touched(turn, tenant, node) AS (
SELECT DISTINCT t.number, t.tenant, t.node FROM content t
JOIN edge e ON e.tenant = t.tenant AND e.target = t.node AND e.type = 'derived_from'
JOIN version v ON v.tenant = t.tenant AND v.node = e.source AND v.superseded_by IS NOT NULL AND {current}
WHERE t.tenant = %(user)s AND t.number = ANY(%(contents)s)),
stated(turn, formed, step, content, state, id, later) AS (
SELECT t.turn, v.content, 0, v.content, v.state, NULL::text COLLATE "C", v.superseded_by FROM touched t
JOIN edge e ON e.tenant = t.tenant AND e.target = t.node AND e.type = 'derived_from'
JOIN version v ON v.tenant = t.tenant AND v.node = e.source AND v.content > 0 AND {current}
JOIN content f ON f.tenant = t.tenant AND f.number = v.content AND f.write_source = 'observer'
UNION ALL
SELECT s.turn, s.formed, s.step + 1, v.content, v.state, n.id, v.superseded_by FROM stated s
JOIN node n ON n.tenant = %(user)s AND n.id = s.later
JOIN version v ON v.tenant = n.tenant AND v.node = n.number AND v.content > 0 AND {current}
WHERE s.step < %(most)s)
SELECT turn, formed, step, content, state, id, later FROM stated ORDER BY turn, formed, step"""


class Feed(Tenants):
    """Store's part that is read by everything derived."""

    def documents(self, user: str, after: int, limit: int) -> list[Document]:
        query = (
            "SELECT c.number, c.terms, x.data, CASE WHEN c.role IS NOT NULL THEN c.session END,"
            " CASE WHEN c.role IS NULL THEN c.data_source = 'user_message' ELSE c.role = 'user' END FROM content c"
            " LEFT JOIN vector x ON x.tenant = c.tenant AND x.content = c.number"
            " WHERE c.tenant = %s AND c.number > %s ORDER BY c.number LIMIT %s"
        )
        return [Document(*row) for row in self._following(user, after, limit, query)]

    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]:
        query = (
            "SELECT number, content, past_content, lane, state, channel, only_session, valid_from, valid_until,"
            " confidence, importance FROM version WHERE tenant = %s AND number > %s ORDER BY number LIMIT %s"
        )
        return [visibility_from(row) for row in self._following(user, after, limit, query)]

    def high_water(self, user: str) -> tuple[int, int]:
        with self._sessions.reading(self._number(user)) as session:
            return standing(session).high_water

    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        return vectors_of(
            self._of(
                user,
                contents,
                "SELECT content, data FROM vector WHERE tenant = %(user)s AND content = ANY(%(contents)s) ORDER BY content",
            )
        )

    def words(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        return words_of(
            self._of(
                user,
                contents,
                "SELECT content, data FROM words WHERE tenant = %(user)s AND content = ANY(%(contents)s)"
                " AND length(data) > 0 ORDER BY content",
            )
        )

    def matching(self, user: str, where: Filter) -> NDArray[np.int64]:
        """The contents that satisfy a filter, ascending."""
        number = self._number(user)
        if number == NOBODY:
            return np.empty(0, np.int64)
        conditions = PostgresConditions(where, number)
        with self._sessions.reading(number) as session:
            # One array out of the server and into numpy is several times faster than a row for each number.
            found: bytes = session.value(
                "SELECT array_send(coalesce(array_agg(DISTINCT v.content), '{}')) FROM version v"
                f"{conditions.content_join} WHERE v.tenant = %(user)s AND v.content > 0{conditions.sql}",
                conditions.bound,
            )
        return received(found)

    def columns(self, user: str, contents: NDArray[np.int64], where: Filter) -> Columns:
        return columns_of(self._confirmed(user, contents, where, COLUMNS))

    def accesses(self, user: str, contents: NDArray[np.int64], where: Filter) -> Accesses:
        join = " LEFT JOIN counter k ON k.tenant = v.tenant AND k.node = v.node"
        return accesses_of(self._confirmed(user, contents, where, ACCESSES, join))

    def shown(self, user: str, contents: Sequence[int], where: Filter) -> list[Memory]:
        conditions = PostgresConditions(where, self._number(user))
        found = self._of(
            user,
            np.asarray(contents, np.int64),
            f"{MEMORIES} WHERE v.tenant = %(user)s AND v.content = ANY(%(contents)s){conditions.sql}",
            conditions.bound,
        )
        return [memory_of(row) for row in found]

    def stated(self, user: str, contents: NDArray[np.int64], as_of: datetime | None = None) -> list[Stated]:
        current = PostgresConditions(Filter(as_of=as_of), self._number(user))
        query, bound = STATED.format(current=current.believed), {**current.bound, "most": MOST_REPLACED}
        return stated_of(self._of(user, contents, query, bound))

    def edges_between(
        self, user: str, contents: NDArray[np.int64], others: NDArray[np.int64]
    ) -> list[ContentEdge]:
        found = self._of(user, contents, EDGES_BETWEEN, {"others": others})
        return [ContentEdge(*row) for row in found]

    def _confirmed(
        self, user: str, contents: NDArray[np.int64], where: Filter, columns: str, join: str = ""
    ) -> list[Row]:
        """Columns of the versions of some contents that satisfy a filter."""
        conditions = PostgresConditions(where, self._number(user))
        query = (
            f"SELECT {columns} FROM version v{conditions.content_join}{join}"
            f" WHERE v.tenant = %(user)s AND v.content = ANY(%(contents)s){conditions.sql} ORDER BY v.content, v.number"
        )
        return self._of(user, contents, query, conditions.bound)

    def _following(self, user: str, after: int, limit: int, query: str) -> list[Row]:
        """A query's rows that come after a number."""
        with self._sessions.reading(self._number(user)) as session:
            return session.rows(query, (session.tenant, after, limit))

    def _of(
        self, user: str, contents: NDArray[np.int64], query: str, bound: dict[str, Any] | None = None
    ) -> list[Row]:
        """The query's rows, with the contents narrowed to those in this user's range."""
        number = self._number(user)
        if number == NOBODY:
            return []
        first, last = user_range(number)
        mine = distinct(contents[(contents >= first) & (contents <= last)])
        if not len(mine):
            return []
        with self._sessions.reading(number) as session:
            return session.rows(query, {**(bound or {}), "user": number, "contents": mine})
