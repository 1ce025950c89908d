"""What a dream looks at: a narrow row of every memory, without its text."""

import json
from typing import Any

from recollect.model import Counters, Filter
from recollect.ports import NO_END, Survey
from recollect.stores.rows import Row
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import each, user_number
from recollect.stores.sqlite.where import SQLiteConditions
from recollect.stores.surveys import felt, named, surveyed

NEW = Counters()
COLUMNS = f"""n.id, v.content, v.kind, v.channel, v.only_session, v.pinned, v.immutable, v.superseded_by IS NOT NULL,
c.metadata -> '$.emotion', c.metadata -> '$.entities', v.confidence, v.importance, f.recorded_at,
coalesce(v.valid_until, {NO_END}), coalesce(k.access_count, 0), coalesce(k.last_accessed_at, f.recorded_at),
coalesce(l.stability, {NEW.stability}), coalesce(l.strength, {NEW.strength}), coalesce(l.utility, {NEW.utility}),
coalesce(l.tier, '{NEW.tier}')"""
ALL = "version v LEFT JOIN learnt l ON l.node = v.node"
USEFUL = "learnt l CROSS JOIN version v ON v.node = l.node AND l.utility >= :least"
"""Begins with what was learnt, which is little and narrow."""
EMOTION, ENTITIES = 8, 9
"""Where a row has what the metadata hold."""


class Surveying:
    """Store's part that dreams read."""

    _connections: Connections

    def survey(self, user: str, where: Filter, *, min_utility: float | None = None) -> Survey:
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return surveyed(())
            conditions = SQLiteConditions(where, number)
            tables, within, bound = ALL, "v.number", conditions.bound
            if min_utility is not None:
                tables, within, bound = USEFUL, "l.node", {**bound, "least": min_utility}
            found = each(
                connection,
                f"SELECT {COLUMNS} FROM {tables} CROSS JOIN node n ON n.number = v.node"
                " CROSS JOIN content c ON c.number = v.content"
                " CROSS JOIN version f ON f.node = v.node AND f.version = 1"
                " LEFT JOIN counter k ON k.node = v.node"
                f" WHERE {within} BETWEEN :first AND :last AND +v.content > 0{conditions.sql} ORDER BY n.id, v.version",
                bound,
            )
            return surveyed(map(_row, found))


def _row(row: Row) -> list[Any]:
    emotion, entities = (None if one is None else json.loads(one) for one in row[EMOTION : ENTITIES + 1])
    return [*row[:EMOTION], felt(emotion), named(entities), *row[ENTITIES + 1 :]]
