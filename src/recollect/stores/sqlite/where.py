"""A filter as SQLite reads it quickest: which index leads, and how a list is bound."""

import json
from collections.abc import Sequence
from typing import Any

from recollect.model import Filter, State
from recollect.stores.conditions import Conditions, after_prefix, joined

INDEXES = {
    "session": "content_by_session",
    "run": "content_by_run",
    "actor": "content_by_actor",
    "event_type_prefix": "content_by_event",
}
NODES = "SELECT number FROM node WHERE user = :user AND id IN (SELECT value FROM json_each(:ids))"


class SQLiteConditions(Conditions):
    """The conditions with the subqueries that lead to few rows."""

    def __init__(self, where: Filter, user: int) -> None:
        super().__init__(where, user)
        self._index = next(
            (index for name, index in INDEXES.items() if getattr(where, name) is not None), None
        )

    @property
    def content_join(self) -> str:
        """The join that the conditions need beside `v`; it costs, so only where they do."""
        return " CROSS JOIN content c ON c.number = v.content" if self._content else ""

    @property
    def lead(self) -> str | None:
        """A subquery for the contents that satisfy a condition with an index of its own, if there is one."""
        current = self._where.as_of is None
        if self._where.ids is not None and current:
            return f"(SELECT v.content AS number FROM version v WHERE v.node IN ({NODES}) AND v.retired_at IS NULL AND v.content > 0)"
        if self._where.tags and current:
            return (
                "(SELECT content AS number FROM tag WHERE name = :tag0 AND content BETWEEN :first AND :last)"
            )
        if self._index is not None:
            return (
                f"(SELECT c.number FROM content c INDEXED BY {self._index}"
                f" WHERE c.number BETWEEN :first AND :last{joined(self._content)})"
            )
        index, parts = ("version_by_kind", self._kind) if self._kind else ("version_by_time", self._time)
        if parts and current:
            return (
                f"(SELECT v.content AS number FROM version v INDEXED BY {index}"
                f" WHERE v.user = :user AND v.retired_at IS NULL AND +v.content > 0{joined(parts)})"
            )
        return None

    @property
    def matching(self) -> str:
        """A query for the contents, as differences to :first in one string.

        Of active memories as they are now, the index knows lane, channel, session and expiry by itself:
        where the lead decides the rest, the versions' rows need not be read.
        """
        if self.lead is None:
            return (
                f"SELECT group_concat(v.content - :first) FROM version v{self.content_join}"
                f" WHERE v.number BETWEEN :first AND :last AND +v.content > 0{self.sql}"
            )
        query = f"SELECT group_concat(x.number - :first) FROM {self.lead} x"
        if self._lead_decides():
            content = [] if self._index is not None and not self._where.tags else self._content
            join = " CROSS JOIN content c ON c.number = x.number" if content else ""
            return f"{query}{join} WHERE 1{joined(content, self._tagged(1, 'x.number'))}"
        version = " CROSS JOIN version v INDEXED BY version_by_content ON v.content = x.number"
        return f"{query}{version}{self.content_join} WHERE 1{self.sql}"

    def _lead_decides(self) -> bool:
        """Whether the lead, the content and the index's columns decide all that is asked."""
        if self._where.as_of is not None or self._where.states != (State.ACTIVE,) or self._version:
            return False
        groups = [bool(self._where.tags or self._index), bool(self._kind), bool(self._time)]
        return groups.count(True) == 1

    def _binding(self, name: str, value: Any) -> str:
        self.bound[name] = value
        return f":{name}"

    def _among(self, column: str, name: str, values: Sequence[str]) -> str:
        # Parameters, not an array: an array cannot be empty, nor hold a NUL character.
        self.bound |= {f"{name}{place}": str(value) for place, value in enumerate(values)}
        return f"{column} IN ({', '.join(f':{name}{place}' for place in range(len(values))) or 'NULL'})"

    def _beginning(self, column: str, prefix: str) -> list[str]:
        self.bound |= {"event": prefix, "after_event": end_of(prefix)}
        return [f"{column} >= :event", f"{column} < :after_event"]

    def _named(self, ids: Sequence[str]) -> str:
        self.bound["ids"] = json.dumps(ids)
        return f"v.node IN ({NODES})"

    def _tagged(self, start: int, content: str) -> list[str]:
        # Past versions keep theirs as JSON, current ones have a table.
        if self._where.as_of is None:
            rest = f"AND content = {content})"
            source = "FROM tag WHERE name ="
        else:
            rest, source = ")", "FROM json_each(v.tags) WHERE value ="
        return [
            f"EXISTS (SELECT 1 {source} :tag{place} {rest}" for place in range(start, len(self._where.tags))
        ]


def end_of(prefix: str) -> str | bytes:
    """What every text that begins so is less than (an empty BLOB sorts after all texts)."""
    after = after_prefix(prefix)
    return b"" if after is None else after
