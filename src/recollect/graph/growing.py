"""A graph that grows: of what was written, only what it touches is put together anew."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from recollect.graph.shape import (
    EPISODE,
    Known,
    Naming,
    Pair,
    Row,
    Rows,
    Written,
    implied,
    implied_by,
    in_turn,
    label_of_name,
    named_row,
    put_together,
)

Key = tuple[str, str, str]
"""A link's source, type and target."""
Ends = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of a graph: by label its nodes, by pair its links."""

    removed: dict[str, list[str]] = field(default_factory=dict)
    changed: dict[str, list[Row]] = field(default_factory=dict)
    added: dict[str, list[Row]] = field(default_factory=dict)
    unlinked: dict[Pair, list[Ends]] = field(default_factory=dict)
    linked: dict[Pair, list[Row]] = field(default_factory=dict)


def difference(before: Rows, now: Rows) -> Difference:
    """What became of a graph, from all of it before and after."""
    told = Difference()
    for label, rows in now.nodes.items():
        held = before.nodes.get(label, {})
        told.removed[label] = [one for one in held if one not in rows]
        told.changed[label] = [row for one, row in rows.items() if held.get(one, row) != row]
        told.added[label] = [row for one, row in rows.items() if one not in held]
    for pair in before.links.keys() | now.links.keys():
        then, links = before.links.get(pair, {}), now.links.get(pair, {})
        told.unlinked[pair] = [ends for ends, row in then.items() if links.get(ends) != row]
        told.linked[pair] = [row for ends, row in links.items() if then.get(ends) != row]
    return told


class Growing:
    """The rows of a graph, and what they were made of."""

    def __init__(self, known: Mapping[str, Known], edges: Iterable[Written], naming: Naming) -> None:
        self._known, self._naming = dict(known), naming
        self._counts = Counter(entity for one in known.values() for entity in one.entities)
        self._stands_for = naming.merged(self._counts)
        self._edges = by_key(edges)
        self._implied = by_key(implied(known, self._stands_for))
        links = chain(self._edges.items(), self._implied.items())
        self.rows = put_together(known, ((*key, rest) for key, rest in links))
        """The graph; it changes as it grows."""
        self._steps: dict[str, set[str]] = defaultdict(set)
        for memory, one in known.items():
            if one.run is not None:
                self._steps[one.run].add(memory)
        ends = (end for key in chain(self._edges, self._implied) for end in (key[0], key[2]))
        self._apart = Counter(end for end in ends if end not in known)
        """Ends of links that are no memories here, such as tags, and of how many each is."""

    @property
    def edges(self) -> Mapping[Key, Row]:
        """The edges that were written, without their ends."""
        return self._edges

    def grown(self, written: Mapping[str, Known], edges: Mapping[Key, Row | None]) -> Difference | None:
        """Takes in memories and edges as they are now; None for an edge that is gone.

        None of it where they change more than is told by themselves, and all has to be put together anew: where a
        memory is another kind of node than before or comes back, or where a name turns out to stand for another.
        """
        counts = self._counts.copy()
        for memory, one in written.items():
            before = self._known.get(memory)
            if memory in self._apart if before is None else before.label != one.label:
                return None
            counts.update(one.entities)
            counts.subtract(() if before is None else before.entities)
        counts = +counts
        stands_for = self._stands_for if counts == self._counts else self._naming.merged(counts)
        if any(stands_for.get(one, other) != other for one, other in self._stands_for.items()):
            return None
        told = Difference()
        begun = [memory for memory, one in written.items() if one.label == EPISODE]
        memories = {*written, *(step for episode in begun for step in self._steps.get(episode, ()))}
        runs = {one.run for memory in written for one in (written[memory], self._known.get(memory)) if one}
        then = self._implied_by(memories, runs)
        self._counts, self._stands_for = counts, stands_for
        for memory, one in written.items():
            self._take(memory, one, told)
        now = self._implied_by(memories, runs)
        implied_ones = {key: now.get(key) for key in then | now if then.get(key) != now.get(key)}
        self._relink(self._edges, edges)
        self._relink(self._implied, implied_ones)
        touched = {*edges, *implied_ones}
        for end in {end for key in touched for end in (key[0], key[2])}:
            self._name(end, told)
        for key in touched:
            self._link(key, told)
        return told

    def _implied_by(self, memories: Iterable[str], runs: Iterable[str | None]) -> dict[Key, Row]:
        known = self._known
        own = (
            link
            for memory in memories
            if memory in known
            for link in implied_by(memory, known[memory], known, self._stands_for)
        )
        turns = (link for run in runs if run in self._steps for link in in_turn(self._steps[run], known))
        return by_key((*own, *turns))

    def _take(self, memory: str, one: Known, told: Difference) -> None:
        before = self._known.get(memory)
        if before is not None and before.run is not None:
            self._steps[before.run].discard(memory)
        if one.run is not None:
            self._steps[one.run].add(memory)
        self._known[memory] = one
        if before is None or before.row != one.row:
            self.rows.nodes[one.label][memory] = one.row
            some = told.added if before is None else told.changed
            some.setdefault(one.label, []).append(one.row)

    def _relink(self, links: dict[Key, Row], written: Mapping[Key, Row | None]) -> None:
        for key, rest in written.items():
            if (key in links) != (rest is not None):
                count = self._apart.update if rest is not None else self._apart.subtract
                count([*self._ends_apart(key)])
            if rest is None:
                links.pop(key, None)
            else:
                links[key] = rest

    def _name(self, end: str, told: Difference) -> None:
        """An entity or a tag is there as long as something is linked to it."""
        row = named_row(end)
        if row is None:
            return
        label = label_of_name(end)
        if self._apart[end] > 0 and end not in self.rows.nodes[label]:
            self.rows.nodes[label][end] = row
            told.added.setdefault(label, []).append(row)
        elif self._apart[end] <= 0:
            del self._apart[end]
            if self.rows.nodes[label].pop(end, None) is not None:
                told.removed.setdefault(label, []).append(end)

    def _link(self, key: Key, told: Difference) -> None:
        pair, ends = self._pair(key), (key[0], key[2])
        if pair is None:
            return
        held = self.rows.links.get(pair, {})
        before, now = held.get(ends), self._row(key)
        if before == now:
            return
        if before is not None:
            told.unlinked.setdefault(pair, []).append(ends)
        if now is not None:
            told.linked.setdefault(pair, []).append(now)
            self.rows.links.setdefault(pair, {})[ends] = now
        else:
            del held[ends]
            if not held:
                del self.rows.links[pair]

    def _row(self, key: Key) -> Row | None:
        """What is implied counts before what was written."""
        rest = self._implied.get(key, self._edges.get(key))
        return None if rest is None else (key[0], key[2], *rest)

    def _pair(self, key: Key) -> Pair | None:
        source, type_, target = key
        labels = [
            self._known[one].label if one in self._known else label_of_name(one) for one in (source, target)
        ]
        return Pair(type_, *labels) if all(labels) else None

    def _ends_apart(self, key: Key) -> Iterator[str]:
        return (end for end in (key[0], key[2]) if end not in self._known)


def by_key(links: Iterable[Written]) -> dict[Key, Row]:
    """Links by what they are between; a later one in place of an earlier."""
    return {(source, type_, target): rest for source, type_, target, rest in links}
