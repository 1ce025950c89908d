"""How far a score spreads along the edges of a graph."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

DECAY = 0.7
DEPTH = 2


class Link(NamedTuple):
    """One step from a node to another, and how much of a score crosses it, 0 to 1."""

    source: str
    target: str
    weight: float


Links = Callable[[frozenset[str]], Iterable[Link]]
"""All links that leave some nodes; asked once a level, however many nodes that has."""


def cascade(
    seeds: Mapping[str, float], links: Links, *, depth: int = DEPTH, decay: float = DECAY
) -> dict[str, float]:
    """What is reached from some nodes, with the greatest score that arrives there.

    A seed is told where another seed leads to it; what it gave away does not come back to it.

    Equation: s(v) = max over links u → v of s(u) · w(u, v) · decay, level by level, so that a node has the
    score of its shortest way, and of those the best.
    Source: the cascade of the graph design, with the parent's score multiplied in (its text leaves it out,
    so that a neighbour of a poor hit outranks the hit itself).
    Range: 0 up to the greatest seed · decay.

    >>> steps = {"a": [Link("a", "b", 1.0)], "b": [Link("b", "c", 0.5), Link("b", "a", 1.0)]}
    >>> found = cascade({"a": 0.8}, lambda nodes: [link for node in nodes for link in steps.get(node, ())])
    >>> {node: round(score, 3) for node, score in found.items()}
    {'b': 0.56, 'c': 0.196}
    """
    reached: dict[str, float] = {}
    level = dict(seeds)
    seen = frozenset[str]()
    for _ in range(depth):
        arriving: dict[str, float] = {}
        for link in links(frozenset(level)):
            if link.target not in seen and link.target != link.source:
                score = level[link.source] * link.weight * decay
                if score > arriving.get(link.target, 0.0):
                    arriving[link.target] = score
        seen |= level.keys() | arriving.keys()
        reached |= arriving
        level = {node: score for node, score in arriving.items() if node not in seeds}
        if not level:
            break
    return reached
