"""When an edge was taken away, or put back: kept beside the edges, so that another store can tell it from one it has.

An edge that is gone leaves no row, and a store that still has it would bring it back. So the last that happened to
it is a record; of an edge that was never taken away there is none.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from recollect.model import Edge, Record, microseconds
from recollect.ports import RecordChange

REMOVAL: Final = "removal"
"""Kind of the record."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The last that happened to an edge: it was taken away at a moment, or put back."""

    source: str
    target: str
    type: str
    at: int
    """In microseconds, by the clock of the store where it happened."""
    is_gone: bool = True

    @property
    def key(self) -> str:
        """The name of its record: that of the edge."""
        return edge_key(self)

    @property
    def change(self) -> RecordChange:
        """What keeps it."""
        return RecordChange(REMOVAL, self.key, asdict(self))

    def outlasts(self, other: "Removal | None") -> bool:
        """Whether it is the later of the two; of equals the one that takes away is."""
        return other is None or (self.at, self.is_gone) > (other.at, other.is_gone)


def edge_key(edge: Edge | Removal) -> str:
    """What tells an edge from all others, whatever letters its ids have.

    >>> edge_key(Edge("a", "b", "causes"))
    '["a", "b", "causes"]'
    """
    return json.dumps([edge.source, edge.target, edge.type])


def removal_of(edge: Edge, at: datetime, *, is_gone: bool) -> Removal:
    """What happened to an edge at a moment."""
    return Removal(edge.source, edge.target, edge.type, microseconds(at), is_gone)


def removal_from(value: Mapping[str, Any] | Record) -> Removal:
    """A removal as its record, or a synced page, tells it."""
    told = value.value if isinstance(value, Record) else value
    return Removal(
        str(told["source"]), str(told["target"]), str(told["type"]), int(told["at"]), bool(told["is_gone"])
    )
