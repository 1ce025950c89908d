"""What the derived index and the ranker read: many narrow rows, quickly."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw
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
from recollect.stores.rows import MEMORY_COLUMNS, Row, memory_from, user_range
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import rows, value
from recollect.stores.sqlite.where import SQLiteConditions

COLUMNS = "v.content, v.confidence, v.importance, v.valid_from"
ACCESSES = "v.content, coalesce(k.access_count, 0), coalesce(k.last_accessed_at, v.recorded_at)"

# From the few contents along their edges. The + keeps SQLite from looking for each of the others at every edge.
EDGES_BETWEEN = """
SELECT c.number, o.number, e.type, e.weight, e.recorded_at FROM carray(:contents) a
CROSS JOIN content c ON c.number = a.value CROSS JOIN edge e ON e.source = c.node
CROSS JOIN content o INDEXED BY content_by_node ON o.node = e.target WHERE +o.number IN carray(:others)
UNION
SELECT o.number, c.number, e.type, e.weight, e.recorded_at FROM carray(:contents) a
CROSS JOIN content c ON c.number = a.value CROSS JOIN edge e ON e.target = c.node
CROSS JOIN content o INDEXED BY content_by_node ON o.node = e.source WHERE +o.number IN carray(:others)
ORDER BY 1, 2, 3"""


# From the few turns of which something was replaced to what was formed of them, and along what replaced it.
STATED = """
WITH RECURSIVE touched(turn, node) AS (
SELECT DISTINCT t.number, t.node FROM carray(:contents) a CROSS JOIN content t ON t.number = a.value
CROSS JOIN edge e INDEXED BY edge_by_target ON e.target = t.node AND e.type = 'derived_from'
CROSS JOIN version v INDEXED BY version_by_node ON v.node = e.source AND v.superseded_by IS NOT NULL AND {current}),
stated(turn, formed, step, content, state, id, later) AS (
SELECT t.turn, v.content, 0, v.content, v.state, NULL, v.superseded_by FROM touched t
CROSS JOIN edge e INDEXED BY edge_by_target ON e.target = t.node AND e.type = 'derived_from'
CROSS JOIN version v INDEXED BY version_by_node ON v.node = e.source AND v.content > 0 AND {current}
CROSS JOIN content f ON f.number = v.content AND f.write_source = 'observer'
UNION ALL
SELECT s.turn, s.formed, s.step + 1, v.content, v.state, n.id, v.superseded_by FROM stated s
CROSS JOIN node n INDEXED BY node_by_id ON n.user = :user AND n.id = s.later
CROSS JOIN version v INDEXED BY version_by_node ON v.node = n.number AND v.content > 0 AND {current}
WHERE s.step < :most)
SELECT turn, formed, step, content, state, id, later FROM stated ORDER BY turn, formed, step"""


class Feed:
    """Store's part that is read by everything derived."""

    _connections: Connections

    def documents(self, user: str, after: int, limit: int) -> list[Document]:
        query = (
            "SELECT c.number, c.terms, x.data, iif(c.role IS NULL, NULL, c.session),"
            " iif(c.role IS NULL, c.data_source = 'user_message', c.role = 'user')"
            " FROM content c LEFT JOIN vector x ON x.content = c.number"
            " WHERE c.number > ? AND c.number <= ? ORDER BY c.number LIMIT ?"
        )
        return [
            Document(content, terms, vector, session, bool(is_own))
            for content, terms, vector, session, is_own in self._following(user, after, limit, query)
        ]

    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]:
        query = (
            "SELECT number, content, past_content, lane, state, channel, only_session, valid_from, valid_until,"
            " confidence, importance FROM version WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
        )
        return [visibility_from(row) for row in self._following(user, after, limit, query)]

    def high_water(self, user: str) -> tuple[int, int]:
        with self._connections.reading() as connection:
            found = self._connections.known(
                connection, "SELECT last_content, last_version FROM user WHERE name = ?", (user,)
            )
        return (found[0][0], found[0][1]) if found else (0, 0)

    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            found = _of(
                connection,
                number,
                contents,
                "SELECT v.content, v.data FROM carray(:contents) a CROSS JOIN vector v ON v.content = a.value",
            )
        return vectors_of(found)

    def words(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            found = _of(
                connection,
                number,
                contents,
                "SELECT content, data FROM words WHERE content IN carray(:contents) AND length(data) > 0",
            )
        return words_of(found)

    def matching(self, user: str, where: Filter) -> NDArray[np.int64]:
        """The contents that satisfy a filter, ascending.

        Of active memories as they are now it may give more than do: those that the index's own columns
        (lane, channel, session, expiry, whether it is current) keep out.
        """
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            if number is None:
                return np.empty(0, np.int64)
            conditions = SQLiteConditions(where, number)
            # One string out of SQLite and into numpy is several times faster than a row for each number.
            found: str | None = value(connection, conditions.matching, conditions.bound)
        if not found:
            return np.empty(0, np.int64)
        return np.sort(np.fromstring(found, np.int64, sep=",")) + user_range(number)[0]

    def columns(self, user: str, contents: NDArray[np.int64], where: Filter) -> Columns:
        return columns_of(self._confirmed(user, contents, where, COLUMNS))

    def accesses(self, user: str, contents: NDArray[np.int64], where: Filter) -> Accesses:
        join = " LEFT JOIN counter k ON k.node = v.node"
        return accesses_of(self._confirmed(user, contents, where, ACCESSES, join))

    def shown(self, user: str, contents: Sequence[int], where: Filter) -> list[Memory]:
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            conditions = SQLiteConditions(where, number or 0)
            found = _of(
                connection,
                number,
                np.asarray(contents, np.int64),
                f"SELECT {MEMORY_COLUMNS} FROM version v INDEXED BY version_by_content"
                " CROSS JOIN content c ON c.number = v.content CROSS JOIN node n ON n.number = v.node"
                f" WHERE v.content IN carray(:contents){conditions.sql}",
                conditions.bound,
            )
        return [memory_from(row) for row in found]

    def stated(self, user: str, contents: NDArray[np.int64], as_of: datetime | None = None) -> list[Stated]:
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            current = SQLiteConditions(Filter(as_of=as_of), number or 0)
            bound = {**current.bound, "most": MOST_REPLACED}
            return stated_of(
                _of(connection, number, contents, STATED.format(current=current.believed), bound)
            )

    def edges_between(
        self, user: str, contents: NDArray[np.int64], others: NDArray[np.int64]
    ) -> list[ContentEdge]:
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            among = distinct(_mine(number, others))
            if not len(among):
                return []
            found = _of(connection, number, contents, EDGES_BETWEEN, {"others": apsw.carray(among)})
        return [ContentEdge(*row) for row in found]

    def _confirmed(
        self, user: str, contents: NDArray[np.int64], where: Filter, columns: str, join: str = ""
    ) -> list[Row]:
        """Columns of the versions of some contents that satisfy a filter."""
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            conditions = SQLiteConditions(where, number or 0)
            return _of(
                connection,
                number,
                contents,
                f"SELECT {columns} FROM carray(:contents) a"
                " CROSS JOIN version v INDEXED BY version_by_content ON v.content = a.value"
                f"{conditions.content_join}{join} WHERE 1{conditions.sql}",
                conditions.bound,
            )

    def _following(self, user: str, after: int, limit: int, query: str) -> list[Row]:
        """A query's rows that come after a number, within the user's range."""
        with self._connections.reading() as connection:
            number = self._connections.number(connection, user)
            if number is None:
                return []
            first, last = user_range(number)
            return rows(connection, query, (max(after, first), last, limit))


def _of(
    connection: apsw.Connection,
    user: int | None,
    contents: NDArray[np.int64],
    query: str,
    bound: dict[str, Any] | None = None,
) -> list[Row]:
    """The query's rows, with the contents narrowed to those in this user's range."""
    mine = distinct(_mine(user, contents))
    if not len(mine):
        return []
    return rows(connection, query, {**(bound or {}), "contents": apsw.carray(mine)})


def _mine(user: int | None, contents: NDArray[np.int64]) -> NDArray[np.int64]:
    first, last = (1, 0) if user is None else user_range(user)
    return contents[(contents >= first) & (contents <= last)]
