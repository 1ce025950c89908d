"""A filter as conditions of SQL: constant fragments, every value bound."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from recollect.model import Filter, microseconds
from recollect.stores.rows import user_range


class Conditions(ABC):
    """What a filter asks of one user's rows in `version v`, in `content c` and in `tag`, with the bindings.

    Every fragment is the same in each dialect but for how a value is bound and a list is looked into.
    """

    def __init__(self, where: Filter, user: int) -> None:
        first, last = user_range(user)
        self.bound: dict[str, Any] = {"user": user, "first": first, "last": last}
        self._where = where
        self._believed = self._in_transaction_time()
        self._columns = self._decided_by_columns()
        self._kind, self._time, self._version = self._of_kind(), self._of_time(), self._of_version()
        self._content = self._of_content()
        self.bound |= {f"tag{place}": tag for place, tag in enumerate(where.tags)}

    @property
    def believed(self) -> str:
        """That a version is what is, or then was, believed."""
        return " AND ".join(self._believed)

    @property
    def sql(self) -> str:
        """Every condition on `v` and `c`, each beginning with AND."""
        version = (*self._kind, *self._time, *self._version)
        return joined(self._believed, self._columns, version, self._content, self._tagged(0, "v.content"))

    @abstractmethod
    def _binding(self, name: str, value: Any) -> str:
        """Binds a value; gives what stands for it."""

    @abstractmethod
    def _among(self, column: str, name: str, values: Sequence[str]) -> str:
        """That a column has one of some values."""

    @abstractmethod
    def _beginning(self, column: str, prefix: str) -> list[str]:
        """That a column begins so."""

    @abstractmethod
    def _named(self, ids: Sequence[str]) -> str:
        """That the version is of one of these memories."""

    @abstractmethod
    def _tagged(self, start: int, content: str) -> list[str]:
        """The tags from that place on."""

    def _in_transaction_time(self) -> list[str]:
        if self._where.as_of is None:
            return ["v.retired_at IS NULL"]
        as_of = self._binding("as_of", microseconds(self._where.as_of))
        return [f"v.recorded_at <= {as_of}", f"(v.retired_at IS NULL OR v.retired_at > {as_of})"]

    def _decided_by_columns(self) -> list[str]:
        """What the index's columns know too."""
        where = self._where
        parts = [self._among("v.state", "state", where.states)]
        if where.channels is not None:
            parts.append(self._among("v.channel", "channel", where.channels))
        if where.lanes is not None:
            parts.append(self._among("v.lane", "lane", where.lanes))
        if not where.any_session:
            visible = self._binding("visible_session", where.visible_session)
            parts.append(f"(v.only_session IS NULL OR v.only_session = {visible})")
        if where.unexpired_at is not None:
            unexpired_at = self._binding("unexpired_at", microseconds(where.unexpired_at))
            parts.append(f"(v.valid_until IS NULL OR v.valid_until > {unexpired_at})")
        return parts

    def _of_kind(self) -> list[str]:
        kinds = self._where.kinds
        return [] if kinds is None else [self._among("v.kind", "kind", kinds)]

    def _of_time(self) -> list[str]:
        where = self._where
        parts: list[str] = []
        if where.since is not None:
            parts.append(f"v.valid_from >= {self._binding('since', microseconds(where.since))}")
        if where.until is not None:
            parts.append(f"v.valid_from < {self._binding('until', microseconds(where.until))}")
        return parts

    def _of_version(self) -> list[str]:
        where = self._where
        parts: list[str] = []
        if where.ids is not None:
            parts.append(self._named(where.ids))
        if where.scopes is not None:
            parts.append(self._among("v.scope", "scope", where.scopes))
        if where.pinned is not None:
            parts.append(f"v.pinned = {self._binding('pinned', where.pinned)}")
        if where.min_confidence is not None:
            parts.append(f"v.confidence >= {self._binding('min_confidence', where.min_confidence)}")
        if where.valid_at is not None:
            at = self._binding("valid_at", microseconds(where.valid_at))
            parts += [f"v.valid_from <= {at}", f"(v.valid_until IS NULL OR v.valid_until > {at})"]
        return parts

    def _of_content(self) -> list[str]:
        parts: list[str] = []
        for name in ("session", "run", "actor", "role"):
            wanted = getattr(self._where, name)
            if wanted is not None:
                parts.append(f"c.{name} = {self._binding(name, wanted)}")
        prefix = self._where.event_type_prefix
        if prefix is not None:
            parts += self._beginning("c.event_type", prefix)
        return parts


def after_prefix(prefix: str) -> str | None:
    """What sorts right after every text that begins with the prefix; None where nothing does.

    >>> after_prefix("chat."), after_prefix("a" + chr(0x10FFFF)), after_prefix("")
    ('chat/', 'b', None)
    """
    for place in range(len(prefix) - 1, -1, -1):
        code = ord(prefix[place]) + 1
        if code <= 0x10FFFF:
            return prefix[:place] + chr(0xE000 if code == 0xD800 else code)
    return None


def joined(*groups: Sequence[str]) -> str:
    """Every condition of every group, each beginning with AND."""
    return "".join(f" AND {part}" for group in groups for part in group)
