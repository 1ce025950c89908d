"""A filter as PostgreSQL reads it: lists are arrays, so that a statement stays the same whatever is asked."""

from collections.abc import Sequence
from typing import Any

from recollect.stores.conditions import Conditions, after_prefix


class PostgresConditions(Conditions):
    """The conditions; which index leads is the planner's to choose."""

    @property
    def content_join(self) -> str:
        """The join that the conditions need beside `v`; it costs, so only where they do."""
        joins = " JOIN content c ON c.tenant = v.tenant AND c.number = v.content"
        return joins if self._content else ""

    def _binding(self, name: str, value: Any) -> str:
        self.bound[name] = value
        return f"%({name})s"

    def _among(self, column: str, name: str, values: Sequence[str]) -> str:
        return f"{column} = ANY({self._binding(name, [str(value) for value in values])}::text[])"

    def _beginning(self, column: str, prefix: str) -> list[str]:
        return beginning(column, prefix, self.bound)

    def _named(self, ids: Sequence[str]) -> str:
        wanted = self._binding("ids", list(ids))
        return f"v.node IN (SELECT number FROM node WHERE tenant = %(user)s AND id = ANY({wanted}::text[]))"

    def _tagged(self, start: int, content: str) -> list[str]:
        # Past versions keep theirs in a list, current ones have a table.
        tags = [f"%(tag{place})s" for place in range(start, len(self._where.tags))]
        if self._where.as_of is not None:
            return [f"{tag}::text = ANY(v.tags)" for tag in tags]
        return [
            f"EXISTS (SELECT 1 FROM tag WHERE tenant = %(user)s AND name = {tag} AND content = {content})"
            for tag in tags
        ]


def beginning(column: str, prefix: str, bound: dict[str, Any]) -> list[str]:
    """That a column begins so, as a range that an index can give."""
    name = "prefix"
    bound |= {name: prefix, f"after_{name}": after_prefix(prefix)}
    parts = [f"{column} >= %({name})s"]
    return parts if bound[f"after_{name}"] is None else [*parts, f"{column} < %(after_{name})s"]
