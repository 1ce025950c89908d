"""The rows of a graph, kept up with the store by reading what was written since."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from recollect.graph.growing import Difference, Growing, Key, by_key
from recollect.graph.shape import EVERYTHING, Known, Naming, Row, Rows, influenced, known_of, written
from recollect.model import WitnessEntry
from recollect.ports import Store

KEEPING: Final = frozenset(
    (
        *("remember", "observe", "event", "session", "episode", "step"),
        *("edit", "forget", "restore", "quarantine", "release", "use", "served", "lease", "config"),
    )
)
"""Operations that change no edge that is there: how many they add, the chain tells."""
AT_ONCE: Final = 500


class News(NamedTuple):
    """The graph as it is, up to which entry of the chain, and what became of it since the news before."""

    sequence: int
    rows: Rows
    difference: Difference | None
    """None where all of it was put together anew."""


class Followed:
    """What is known of one user's graph, up to one entry of the chain."""

    def __init__(self, store: Store, user: str, naming: Naming) -> None:
        self._store, self._user, self._naming = store, user, naming
        self._growing: Growing | None = None
        self._known: dict[str, Known] = {}
        self._version = 0
        self._sequence = 0
        self._influenced = False

    def news(self, seen: int | None) -> News | None:
        """The graph as it is; None where nothing was written since the entry that is given."""
        before, difference = self._sequence, None
        with self._store.reading():
            growing = self._growing
            entries = [] if growing is None else self._store.witness(self._user, before)
            if growing is None or any(one.operation == "purge" for one in entries):
                growing = self._read_all()
            elif entries:
                growing, difference = self._read_since(growing, entries)
            elif seen == before:
                return None
            rows = influenced(growing.rows, self._store, self._user, self._naming)
        self._growing = growing
        # What was found between entities is in no difference, neither what is there nor what was.
        told_whole = self._influenced or rows is not growing.rows or seen != before
        self._influenced = rows is not growing.rows
        return News(self._sequence, rows, None if told_whole else difference)

    def _read_all(self) -> Growing:
        head = self._store.counts(self._user)["witness"]
        self._sequence = 0 if head is None else int(head["entries"])
        self._version = self._store.high_water(self._user)[1]
        found = self._store.find(self._user, EVERYTHING)
        self._known = {one.id: known_of(one, self._naming) for one in found}
        return Growing(self._known, written(self._store.all_edges(self._user)), self._naming)

    def _read_since(
        self, growing: Growing, entries: Sequence[WitnessEntry]
    ) -> tuple[Growing, Difference | None]:
        changed = self._store.changed(self._user, self._version)
        self._version = self._store.high_water(self._user)[1]
        self._sequence = entries[-1].sequence
        now: dict[str, Known] = {}
        for at in range(0, len(changed), AT_ONCE):
            where = replace(EVERYTHING, ids=tuple(changed[at : at + AT_ONCE]))
            now |= {one.id: known_of(one, self._naming) for one in self._store.find(self._user, where)}
        gone = [one for one in changed if one not in now and self._known.pop(one, None) is not None]
        self._known |= now
        edges = self._edges_since(growing, entries, changed)
        difference = None if gone else growing.grown(now, edges)
        if difference is not None:
            return growing, difference
        held = {key: rest for key, rest in {**growing.edges, **edges}.items() if rest is not None}
        return Growing(self._known, ((*key, rest) for key, rest in held.items()), self._naming), None

    def _edges_since(
        self, growing: Growing, entries: Sequence[WitnessEntry], changed: Sequence[str]
    ) -> Mapping[Key, Row | None]:
        """The edges that are other than they were; None for those that are gone."""
        held = growing.edges
        if all(one.operation in KEEPING for one in entries):
            added = sum(one.edges[1] - one.edges[0] + 1 for one in entries)
            found = written(self._store.edges(self._user, changed)) if added else ()
            other = {key: rest for key, rest in by_key(found).items() if held.get(key) != rest}
            # All that were added lie at what was written with them, or all have to be looked at.
            if len(other.keys() - held.keys()) == added:
                return other
        now = by_key(written(self._store.all_edges(self._user)))
        gone: dict[Key, Row | None] = dict.fromkeys(held.keys() - now.keys())
        return gone | {key: rest for key, rest in now.items() if held.get(key) != rest}
