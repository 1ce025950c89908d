"""A filter as SQL: constant fragments, every value bound."""

import json
from collections.abc import Sequence
from typing import Any

from recollect.model import Filter, State, microseconds
from recollect.stores.sqlite.rows import user_range

INDEXES = {
    "session": "content_by_session",
    "run": "content_by_run",
    "actor": "content_by_actor",
    "event_type_prefix": "content_by_event",
}
NODES = "SELECT number FROM node WHERE user = :user AND id IN (SELECT value FROM json_each(:ids))"


class Conditions:
    """What a filter asks of one user's rows in `version v`, in `content c` and in `tag`, with the bindings."""

    def __init__(self, where: Filter, user: int) -> None:
        first, last = user_range(user)
        self.bound: dict[str, Any] = {"user": user, "first": first, "last": last}
        self._where = where
        self._index = next(
            (index for name, index in INDEXES.items() if getattr(where, name) is not None), None
        )
        self._believed = self._in_transaction_time()
        self._columns = self._decided_by_columns()
        self._kind, self._time, self._version = self._of_kind(), self._of_time(), self._of_version()
        self._content = self._of_content()
        self.bound |= {f"tag{place}": tag for place, tag in enumerate(where.tags)}

    @property
    def sql(self) -> str:
        """Every condition on `v` and `c`, each beginning with AND."""
        version = (*self._kind, *self._time, *self._version)
        return _joined(self._believed, self._columns, version, self._content, self._tagged(0, "v.content"))

    @property
    def content_join(self) -> str:
        """The join that the conditions need beside `v`; it costs, so only where they do."""
        return " CROSS JOIN content c ON c.number = v.content" if self._content else ""

    @property
    def lead(self) -> str | None:
        """A subquery for the contents that satisfy a condition with an index of its own, if there is one."""
        current = self._where.as_of is None
        if self._where.ids is not None and current:
            return f"(SELECT v.content AS number FROM version v WHERE v.node IN ({NODES}) AND v.retired_at IS NULL)"
        if self._where.tags and current:
            return (
                "(SELECT content AS number FROM tag WHERE name = :tag0 AND content BETWEEN :first AND :last)"
            )
        if self._index is not None:
            return (
                f"(SELECT c.number FROM content c INDEXED BY {self._index}"
                f" WHERE c.number BETWEEN :first AND :last{_joined(self._content)})"
            )
        index, parts = ("version_by_kind", self._kind) if self._kind else ("version_by_time", self._time)
        if parts and current:
            return (
                f"(SELECT v.content AS number FROM version v INDEXED BY {index}"
                f" WHERE v.user = :user AND v.retired_at IS NULL AND +v.content > 0{_joined(parts)})"
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
            return f"{query}{join} WHERE 1{_joined(content, self._tagged(1, 'x.number'))}"
        version = " CROSS JOIN version v INDEXED BY version_by_content ON v.content = x.number"
        return f"{query}{version}{self.content_join} WHERE 1{self.sql}"

    def _lead_decides(self) -> bool:
        """Whether the lead, the content and the index's columns decide all that is asked."""
        if self._where.as_of is not None or self._where.states != (State.ACTIVE,) or self._version:
            return False
        groups = [bool(self._where.tags or self._index), bool(self._kind), bool(self._time)]
        return groups.count(True) == 1

    def _in_transaction_time(self) -> list[str]:
        if self._where.as_of is None:
            return ["v.retired_at IS NULL"]
        self.bound["as_of"] = microseconds(self._where.as_of)
        return ["v.recorded_at <= :as_of", "(v.retired_at IS NULL OR v.retired_at > :as_of)"]

    def _decided_by_columns(self) -> list[str]:
        """What the index's columns know too."""
        where = self._where
        parts = [f"v.state IN ({self._listed('state', where.states)})"]
        if where.channels is not None:
            parts.append(f"v.channel IN ({self._listed('channel', where.channels)})")
        if where.lanes is not None:
            parts.append(f"v.lane IN ({self._listed('lane', where.lanes)})")
        if not where.any_session:
            self.bound["visible_session"] = where.visible_session
            parts.append("(v.only_session IS NULL OR v.only_session = :visible_session)")
        if where.unexpired_at is not None:
            self.bound["unexpired_at"] = microseconds(where.unexpired_at)
            parts.append("(v.valid_until IS NULL OR v.valid_until > :unexpired_at)")
        return parts

    def _of_kind(self) -> list[str]:
        kinds = self._where.kinds
        return [] if kinds is None else [f"v.kind IN ({self._listed('kind', kinds)})"]

    def _of_time(self) -> list[str]:
        where, parts = self._where, []
        if where.since is not None:
            self.bound["since"] = microseconds(where.since)
            parts.append("v.valid_from >= :since")
        if where.until is not None:
            self.bound["until"] = microseconds(where.until)
            parts.append("v.valid_from < :until")
        return parts

    def _of_version(self) -> list[str]:
        where, parts = self._where, []
        if where.ids is not None:
            self.bound["ids"] = json.dumps(where.ids)
            parts.append(f"v.node IN ({NODES})")
        if where.scopes is not None:
            parts.append(f"v.scope IN ({self._listed('scope', where.scopes)})")
        if where.pinned is not None:
            self.bound["pinned"] = int(where.pinned)
            parts.append("v.pinned = :pinned")
        if where.min_confidence is not None:
            self.bound["min_confidence"] = where.min_confidence
            parts.append("v.confidence >= :min_confidence")
        if where.valid_at is not None:
            self.bound["valid_at"] = microseconds(where.valid_at)
            parts += ["v.valid_from <= :valid_at", "(v.valid_until IS NULL OR v.valid_until > :valid_at)"]
        return parts

    def _of_content(self) -> list[str]:
        parts = []
        for name in ("session", "run", "actor", "role"):
            if getattr(self._where, name) is not None:
                self.bound[name] = getattr(self._where, name)
                parts.append(f"c.{name} = :{name}")
        prefix = self._where.event_type_prefix
        if prefix is not None:
            self.bound |= {"event": prefix, "after_event": after_prefix(prefix)}
            parts += ["c.event_type >= :event", "c.event_type < :after_event"]
        return parts

    def _tagged(self, start: int, content: str) -> list[str]:
        """The tags from that place on: past versions keep theirs as JSON, current ones have a table."""
        if self._where.as_of is None:
            rest = f"AND content = {content})"
            source = "FROM tag WHERE name ="
        else:
            rest, source = ")", "FROM json_each(v.tags) WHERE value ="
        return [
            f"EXISTS (SELECT 1 {source} :tag{place} {rest}" for place in range(start, len(self._where.tags))
        ]

    def _listed(self, name: str, values: Sequence[str]) -> str:
        """Parameters, not an array: an array cannot be empty, nor hold a NUL character."""
        self.bound |= {f"{name}{place}": str(value) for place, value in enumerate(values)}
        return ", ".join(f":{name}{place}" for place in range(len(values))) or "NULL"


def after_prefix(prefix: str) -> str | bytes:
    """What sorts right after every text that begins with the prefix (an empty BLOB sorts after all texts).

    >>> after_prefix("chat."), after_prefix("a" + chr(0x10FFFF)), after_prefix("")
    ('chat/', 'b', b'')
    """
    for place in range(len(prefix) - 1, -1, -1):
        code = ord(prefix[place]) + 1
        if code <= 0x10FFFF:
            return prefix[:place] + chr(0xE000 if code == 0xD800 else code)
    return b""


def _joined(*groups: Sequence[str]) -> str:
    return "".join(f" AND {part}" for group in groups for part in group)
