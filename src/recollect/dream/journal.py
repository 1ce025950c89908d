"""What was before each change of a dream, written with the change: ids, versions and numbers, never texts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.model import Edge, microseconds
from recollect.ports import RecordChange, Store

JOURNAL: Final = "dream.journal"
PAGE: Final = 50

Ends = tuple[str, str, str]
"""Source, target and type of an edge."""


@dataclass(slots=True)
class Entry:
    """Before and after, of everything that one batch changed."""

    step: str
    counters: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    """By memory and counter, its two values."""
    versions: dict[str, list[int]] = field(default_factory=dict)
    """By memory, the numbers of its two versions; 0 before the first one."""
    why: dict[str, str] = field(default_factory=dict)
    """By memory, the rule."""
    weights: list[list[Any]] = field(default_factory=list)
    """Edges with their two weights and their moment; None where there was none, or is none any more."""
    records: list[list[Any]] = field(default_factory=list)
    """Kind, key and the two values of a record."""

    def change(self, run_id: str, batch: int) -> RecordChange:
        """The record that holds it."""
        value = {name: getattr(self, name) for name in self.__slots__}
        return RecordChange(JOURNAL, f"{run_id}/{batch:06}", value, 0)


def entries(store: Store, user: str, run_id: str) -> Iterator[Entry]:
    """The entries of one dream, in the order in which they were written."""
    after: str | None = None
    while page := store.records(user, JOURNAL, prefix=f"{run_id}/", after=after, limit=PAGE):
        yield from (Entry(**one.value) for one in page)
        after = page[-1].key


def weighed(
    before: Mapping[Ends, Edge], added: Sequence[Edge], reweighed: Sequence[Edge], unlinked: Sequence[Edge]
) -> list[list[Any]]:
    """The edges of a batch as its entry tells them."""
    told: list[list[Any]] = []
    for edge in (*added, *reweighed, *unlinked):
        known = before.get(ends(edge))
        after: float | None = None if edge in unlinked else edge.weight
        if known is not None and edge in added:
            after = max(known.weight, edge.weight)
        stamp = None if known is None or known.recorded_at is None else microseconds(known.recorded_at)
        told.append([*ends(edge), None if known is None else known.weight, after, stamp])
    return told


def ends(edge: Edge) -> Ends:
    """What tells an edge from the others."""
    return edge.source, edge.target, edge.type
