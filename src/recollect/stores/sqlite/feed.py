"""What the derived index and the ranker read: many narrow rows, quickly."""

from collections.abc import Sequence
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.model import Filter, Lane, Memory, State, moment
from recollect.ports import Columns, Document, Visibility
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import MEMORY_COLUMNS, MEMORY_TABLES, memory_from, user_number, user_range
from recollect.stores.sqlite.where import reads_content, where_sql

COLUMN_NAMES = "v.content, v.confidence, v.importance, v.valid_from, v.recorded_at, k.access_count, k.last_accessed_at"


class Feed:
    """Store's part that is read by everything derived."""

    _connections: Connections

    def documents(self, user: str, after: int, limit: int) -> list[Document]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return []
            first, last = user_range(number)
            rows = connection.execute(
                "SELECT c.number, c.terms, x.data FROM content c LEFT JOIN vector x ON x.content = c.number"
                " WHERE c.number > ? AND c.number <= ? ORDER BY c.number LIMIT ?",
                (max(after, first), last, limit),
            ).fetchall()
        return [Document(*row) for row in rows]

    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return []
            first, last = user_range(number)
            rows = connection.execute(
                "SELECT number, content, past_content, lane, state, channel, only_session, valid_from, valid_until"
                " FROM version WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
                (max(after, first), last, limit),
            ).fetchall()
        return [
            Visibility(
                version, content, past, Lane(lane), State(state), channel, session, moment(start), None if end is None else moment(end)
            )
            for version, content, past, lane, state, channel, session, start, end in rows
        ]

    def high_water(self, user: str) -> tuple[int, int]:
        with self._connections.reading() as connection:
            rows = connection.execute("SELECT last_content, last_version FROM user WHERE name = ?", (user,)).fetchall()
        return rows[0] if rows else (0, 0)

    def vectors(self, user: str, contents: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        with self._connections.reading() as connection:
            rows = self._mine(connection, user, contents, "SELECT content, data FROM vector WHERE content IN carray(:contents)")
        if not rows:
            return np.empty(0, np.int64), np.empty((0, 0), np.float16)
        found = np.fromiter((row[0] for row in rows), np.int64, len(rows))
        data = np.frombuffer(b"".join([row[1] for row in rows]), np.float16)
        return found, data.reshape(len(rows), -1)

    def matching(self, user: str, where: Filter) -> NDArray[np.int64]:
        conditions, bound = where_sql(where)
        with self._connections.reading() as connection:
            bound["user"] = user_number(connection, user)
            if bound["user"] is None:
                return np.empty(0, np.int64)
            if where.as_of is None and _only_tags(where):
                # The index decides the rest for current versions: a scan of the tag's own rows is enough.
                bound = {"tag": where.tags[0], "first": user_range(bound["user"])[0], "last": user_range(bound["user"])[1]}
                query = "SELECT group_concat(content) FROM tag WHERE name = :tag AND content BETWEEN :first AND :last"
            else:
                joined = " JOIN content c ON c.number = v.content" if reads_content(where) else ""
                query = f"SELECT group_concat(v.content) FROM version v{joined} WHERE v.user = :user{conditions}"
            # One string out of SQLite and into numpy is ten times faster than a row for each number.
            found: str | None = connection.execute(query, bound).get
        return np.unique(np.fromstring(found, np.int64, sep=",")) if found else np.empty(0, np.int64)

    def columns(self, user: str, contents: NDArray[np.int64], where: Filter) -> Columns:
        conditions, bound = where_sql(where)
        joined = " JOIN content c ON c.number = v.content" if reads_content(where) else ""
        with self._connections.reading() as connection:
            rows = self._mine(
                connection,
                user,
                contents,
                f"SELECT {COLUMN_NAMES} FROM version v{joined} LEFT JOIN counter k ON k.node = v.node"
                f" WHERE v.content IN carray(:contents) AND v.user = :user{conditions} ORDER BY v.content",
                bound,
            )
        if not rows:
            empty, none = np.empty(0, np.int64), np.empty(0)
            return Columns(empty, none, none, empty, empty, empty, empty)
        content, confidence, importance, valid_from, recorded_at, count, accessed = zip(*rows, strict=True)
        recorded = np.array(recorded_at, np.int64)
        return Columns(
            np.array(content, np.int64),
            np.array(confidence),
            np.array(importance),
            np.array(valid_from, np.int64),
            recorded,
            np.array([n or 0 for n in count], np.int64),
            np.array([r if a is None else a for a, r in zip(accessed, recorded_at, strict=True)], np.int64),
        )

    def shown(self, user: str, contents: Sequence[int], where: Filter) -> list[Memory]:
        conditions, bound = where_sql(where)
        with self._connections.reading() as connection:
            rows = self._mine(
                connection,
                user,
                np.asarray(contents, np.int64),
                f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_TABLES} WHERE v.content IN carray(:contents) AND v.user = :user{conditions}",
                bound,
            )
        return [memory_from(row) for row in rows]

    def _mine(
        self, connection: apsw.Connection, user: str, contents: NDArray[np.int64], query: str, bound: dict[str, Any] | None = None
    ) -> list[tuple[Any, ...]]:
        """The query's rows, with the contents narrowed to those in this user's range."""
        number = user_number(connection, user)
        if number is None or not len(contents):
            return []
        first, last = user_range(number)
        mine = np.sort(contents[(contents >= first) & (contents <= last)])
        if not len(mine):
            return []
        return connection.execute(query, {**(bound or {}), "user": number, "contents": apsw.carray(mine)}).fetchall()


def _only_tags(where: Filter) -> bool:
    """Whether one tag is all that the visible columns of the index cannot decide."""
    return (
        len(where.tags) == 1
        and where.states == (State.ACTIVE,)
        and not where.any_session
        and where.kinds is where.scopes is where.pinned is where.min_confidence is None
        and where.since is where.until is where.valid_at is None
        and not reads_content(where)
    )
