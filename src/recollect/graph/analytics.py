"""What the shape of a graph tells: who is in the middle, what belongs together, and why two things are related."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from types import MappingProxyType

import numpy as np

from recollect.formulas.pagerank import personalised_pagerank
from recollect.graph.shape import Rows
from recollect.relations import EDGE_TYPES

HUB_DAMPING = 0.85
MOST_ROUNDS = 50
LEAST_WEIGHT = 0.01
"""What a way costs is bounded: a link of less is as good as this one."""
STEP = 0.7
"""What is left of an explanation with each step, as of a cascade: the shorter one explains more."""
LOOSE = MappingProxyType({"related_to": 0.5, "recalled_with": 0.5})
"""Types that say little of why; every other that is stated between two says all of it."""
SHARED = frozenset({"has_tag", "mentions", "about", "in_cluster"})
"""Types by which two have something in common: the more others have it too, the less it explains."""
NOT_FOLLOWED = frozenset({"irrelevant"})
"""Types that say that two things have nothing to do with each other."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node, with its label and what it says."""

    id: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two nodes."""

    source: str
    target: str
    type: str
    weight: float


@dataclass(frozen=True, slots=True)
class Hub:
    """A node that much is related to."""

    node: Node
    degree: int
    share: float
    """Of a walker's time who follows links: 0 to 1, adding up to 1 over all nodes."""


@dataclass(frozen=True, slots=True)
class Community:
    """Nodes that are related to each other more than to the rest."""

    members: tuple[Node, ...]
    """Those with the most links first."""
    inside: float
    """Which part of its members' links stays inside."""


@dataclass(frozen=True, slots=True)
class Path:
    """How two nodes are related: the nodes from one to the other, and the links between them."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    weight: float
    """How well it explains: from 0 to 0.7, which is one link of full weight that says why."""


class Graph:
    """The rows of a graph, ready to be walked."""

    def __init__(self, rows: Rows) -> None:
        self.nodes = {
            one: Node(one, label, str(row[1] or ""))
            for label, some in rows.nodes.items()
            for one, row in some.items()
        }
        self.links = [
            Link(source, target, pair.type, float(row[2]))
            for pair, some in rows.links.items()
            if pair.type not in NOT_FOLLOWED
            for (source, target), row in some.items()
            if source != target
        ]
        self._at: dict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            self._at[link.source].append(link)
            self._at[link.target].append(link)

    def hubs(self, limit: int) -> list[Hub]:
        """The nodes that a walker along links is found at most often."""
        linked = sorted(one for one in self._at if self._at[one])
        place = {one: at for at, one in enumerate(linked)}
        shares = personalised_pagerank(
            [place[link.source] for link in self.links],
            [place[link.target] for link in self.links],
            [_worth(link) for link in self.links],
            np.ones(len(linked)),
            damping=HUB_DAMPING,
        )
        best = sorted(linked, key=lambda one: (-shares[place[one]], one))[:limit]
        return [Hub(self.nodes[one], len(self._at[one]), float(shares[place[one]])) for one in best]

    def communities(self, limit: int, least: int = 3) -> list[Community]:
        """What belongs together, the greatest first: each node takes the name that most of its neighbours' links bear.

        Label propagation (Raghavan et al. 2007), in a fixed order and with ties broken by name, so that it is the
        same each time.
        """
        name = {one: one for one in self._at}
        order = sorted(self._at, key=lambda one: (-len(self._at[one]), one))
        for _ in range(MOST_ROUNDS):
            changed = False
            for one in order:
                votes: Counter[str] = Counter()
                for link in self._at[one]:
                    votes[name[_other(link, one)]] += _worth(link)  # type: ignore[assignment] # weights are fractions
                most = max(votes.values())
                best = min(label for label, count in votes.items() if count == most)
                if votes[name[one]] < most and best != name[one]:
                    name[one], changed = best, True
            if not changed:
                break
        groups: dict[str, list[str]] = defaultdict(list)
        for one in order:
            groups[name[one]].append(one)
        found = [self._community(some) for some in groups.values() if len(some) >= least]
        return sorted(found, key=lambda one: (-len(one.members), one.members[0].id))[:limit]

    def path(self, start: str, end: str) -> Path | None:
        """The path that explains best why two nodes are related, along links either way; None where there is none.

        Dijkstra over −log of what each link explains, so that the product is the greatest: few steps, what is stated
        before what is shared, and what few share before what many do.
        """
        best = {start: 0.0}
        came: dict[str, Link] = {}
        waiting = [(0.0, 0, start)]
        done: set[str] = set()
        while waiting:
            cost, steps, here = heappop(waiting)
            if here in done:
                continue
            if here == end:
                return self._told(start, end, came, cost)
            done.add(here)
            for link in self._at.get(here, ()):
                other = _other(link, here)
                further = cost - math.log(self._explains(link))
                if other not in done and further < best.get(other, math.inf):
                    best[other], came[other] = further, link
                    heappush(waiting, (further, steps + 1, other))
        return None

    def _explains(self, link: Link) -> float:
        said = max(min(link.weight, 1.0), LEAST_WEIGHT) * LOOSE.get(link.type, 1.0)
        if link.type in SHARED:
            said /= math.log2(1 + max(2, len(self._at[link.target])))
        return STEP * said

    def _told(self, start: str, end: str, came: Mapping[str, Link], cost: float) -> Path:
        nodes, links = [end], list[Link]()
        while nodes[-1] != start:
            link = came[nodes[-1]]
            links.append(link)
            nodes.append(_other(link, nodes[-1]))
        return Path(
            tuple(self.nodes[one] for one in reversed(nodes)), tuple(reversed(links)), math.exp(-cost)
        )

    def _community(self, members: list[str]) -> Community:
        own = set(members)
        ends = [_other(link, one) in own for one in members for link in self._at[one]]
        return Community(tuple(self.nodes[one] for one in members), sum(ends) / len(ends))


def ordered(nodes: Iterable[str], before: Iterable[tuple[str, str]]) -> list[str] | None:
    """The nodes so that each comes after all that must come before it, else as they were given; None in a circle.

    >>> ordered(["c", "a", "b"], [("a", "b"), ("b", "c")])
    ['a', 'b', 'c']
    >>> ordered(["a", "b"], [("a", "b"), ("b", "a")]) is None
    True
    """
    given = {one: place for place, one in enumerate(dict.fromkeys(nodes))}
    after: dict[str, set[str]] = defaultdict(set)
    for one, other in before:
        if one in given and other in given and one != other:
            after[one].add(other)
    waits = Counter(other for others in after.values() for other in others)
    ready: list[tuple[int, str]] = []
    for one, place in given.items():
        if not waits[one]:
            heappush(ready, (place, one))
    found = []
    while ready:
        _, one = heappop(ready)
        found.append(one)
        for other in after[one]:
            waits[other] -= 1
            if not waits[other]:
                heappush(ready, (given[other], other))
    return found if len(found) == len(given) else None


def _other(link: Link, one: str) -> str:
    return link.target if link.source == one else link.source


def _worth(link: Link) -> float:
    return max(min(link.weight, 1.0) * EDGE_TYPES[link.type].cascade_weight, LEAST_WEIGHT)
