"""What a dream looks at: a narrow row of every memory, without its text."""

import json
from typing import Any

from recollect.model import Counters, Filter
from recollect.ports import NO_END, Survey
from recollect.stores.postgres.session import NOBODY
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.postgres.where import PostgresConditions
from recollect.stores.rows import Row
from recollect.stores.surveys import felt, named, surveyed

NEW = Counters()
QUERY = f"""SELECT n.id, v.content, v.kind, v.channel, v.only_session, v.pinned, v.immutable,
v.superseded_by IS NOT NULL, c.metadata, v.confidence, v.importance, f.recorded_at,
coalesce(v.valid_until, {NO_END}), coalesce(k.access_count, 0), coalesce(k.last_accessed_at, f.recorded_at),
coalesce(l.stability, {NEW.stability}), coalesce(l.strength, {NEW.strength}), coalesce(l.utility, {NEW.utility}),
coalesce(l.tier, '{NEW.tier}') FROM version v
JOIN node n ON n.tenant = v.tenant AND n.number = v.node JOIN content c ON c.tenant = v.tenant AND c.number = v.content
JOIN version f ON f.tenant = v.tenant AND f.node = v.node AND f.version = 1
LEFT JOIN counter k ON k.tenant = v.tenant AND k.node = v.node
LEFT JOIN learnt l ON l.tenant = v.tenant AND l.node = v.node WHERE v.tenant = %(user)s"""
METADATA = 8
"""Where a row has its metadata."""


class Surveying(Tenants):
    """Store's part that dreams read."""

    def survey(self, user: str, where: Filter, *, min_utility: float | None = None) -> Survey:
        number = self._number(user)
        if number == NOBODY:
            return surveyed(())
        conditions = PostgresConditions(where, number)
        useful = "" if min_utility is None else " AND l.utility >= %(least)s"
        with self._sessions.reading(number) as session:
            found = session.rows(
                f"{QUERY}{useful}{conditions.sql} ORDER BY n.id, v.version",
                {**conditions.bound, "least": min_utility},
            )
        return surveyed([_row(row) for row in found])


def _row(row: Row) -> list[Any]:
    metadata = {} if row[METADATA] is None else json.loads(row[METADATA])
    told = felt(metadata.get("emotion")), named(metadata.get("entities"))
    return [*row[:METADATA], *told, *row[METADATA + 1 :]]
