"""What lies a few links around some memories: along edges, and within the same run of an agent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from recollect.graph.analytics import NOT_FOLLOWED
from recollect.model import Edge, Filter, Memory
from recollect.ports import Store

MOST: Final = 200
"""So many memories a neighbourhood has at most, the nearest first."""
OF_A_RUN: Final = 50


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory, and how many links it is away from where the walk began."""

    memory: Memory
    hops: int


def neighbours(
    store: Store, user: str, where: Filter, start: Sequence[Memory], hops: int, as_of: datetime | None = None
) -> tuple[list[Neighbour], list[Edge]]:
    """All that is up to so many links away, nearest first, and the edges between them; only what the filter shows."""
    found = {memory.id: Neighbour(memory, 0) for memory in start}
    edges: dict[tuple[str, str, str], Edge] = {}
    frontier = [*start]
    for hop in range(1, hops + 1):
        met = _edges(store, user, [memory.id for memory in frontier], as_of)
        edges |= {(edge.source, edge.type, edge.target): edge for edge in met}
        ends = {end for edge in met for end in (edge.source, edge.target)} - found.keys()
        runs = {memory.origin.run for memory in frontier if memory.origin.run is not None}
        more = [*_shown(store, user, where, ends), *_of_runs(store, user, where, runs)]
        frontier = [*{one.id: one for one in more if one.id not in found}.values()][: MOST - len(found)]
        found |= {memory.id: Neighbour(memory, hop) for memory in frontier}
        if not frontier:
            break
    inside = [edge for edge in edges.values() if edge.source in found and edge.target in found]
    return [*found.values()], sorted(inside, key=lambda edge: (edge.source, edge.type, edge.target))


def _edges(store: Store, user: str, ids: Sequence[str], as_of: datetime | None) -> list[Edge]:
    return [
        edge
        for edge in store.edges(user, ids)
        if edge.type not in NOT_FOLLOWED
        and (as_of is None or edge.recorded_at is None or edge.recorded_at <= as_of)
    ]


def _shown(store: Store, user: str, where: Filter, ids: Iterable[str]) -> list[Memory]:
    wanted = sorted(one for one in ids if where.ids is None or one in where.ids)
    return store.find(user, replace(where, ids=tuple(wanted))) if wanted else []


def _of_runs(store: Store, user: str, where: Filter, runs: Iterable[str]) -> list[Memory]:
    if where.run is not None:
        return []
    return [
        memory for run in sorted(runs) for memory in store.find(user, replace(where, run=run), limit=OF_A_RUN)
    ]
