"""The rows of a graph, kept up with the store by reading what was written since."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.graph.shape import (
    EVERYTHING,
    Known,
    Naming,
    Rows,
    Written,
    assembled,
    influenced,
    known_of,
    written,
)
from recollect.model import WitnessEntry
from recollect.ports import Store

ADDING: Final = frozenset({"remember", "observe", "event"})
"""Operations that change no edge that is there: what they add, they tell."""
AT_ONCE: Final = 500


class Followed:
    """What is known of one user's graph, up to one entry of the chain."""

    def __init__(self, store: Store, user: str, naming: Naming) -> None:
        self._store, self._user, self._naming = store, user, naming
        self._known: dict[str, Known] = {}
        self._edges: list[Written] = []
        self._version = 0
        self._sequence: int | None = None

    def news(self, seen: int | None) -> tuple[int, Rows] | None:
        """The graph as it is, and up to which entry; None where nothing was written since the one that is given."""
        with self._store.reading():
            entries = [] if self._sequence is None else self._store.witness(self._user, self._sequence)
            if self._sequence is None or any(one.operation == "purge" for one in entries):
                self._read_all()
            elif entries:
                self._read_since(entries)
            elif seen == self._sequence:
                return None
            rows = assembled(self._known, self._edges, self._naming)
            rows = influenced(rows, self._store, self._user, self._naming)
        assert self._sequence is not None  # noqa: S101 - it was read just now
        return self._sequence, rows

    def _read_all(self) -> None:
        head = self._store.counts(self._user)["witness"]
        self._sequence = 0 if head is None else int(head["entries"])
        self._version = self._store.high_water(self._user)[1]
        found = self._store.find(self._user, EVERYTHING)
        self._known = {one.id: known_of(one, self._naming) for one in found}
        self._edges = [*written(self._store.all_edges(self._user))]

    def _read_since(self, entries: Sequence[WitnessEntry]) -> None:
        changed = self._store.changed(self._user, self._version)
        self._version = self._store.high_water(self._user)[1]
        self._sequence = entries[-1].sequence
        for at in range(0, len(changed), AT_ONCE):
            ids = tuple(changed[at : at + AT_ONCE])
            found = {one.id: one for one in self._store.find(self._user, replace(EVERYTHING, ids=ids))}
            for one in ids:
                if one in found:
                    self._known[one] = known_of(found[one], self._naming)
                else:
                    self._known.pop(one, None)
        if any(one.operation not in ADDING or one.edges[1] >= one.edges[0] for one in entries):
            self._edges = [*written(self._store.all_edges(self._user))]
