"""Walking along typed edges: those that are written, and those that follow from trajectories.

Which step came next (`temporal`) and which step of another episode did the same (`same_action`) is known from the steps
themselves; writing an edge for each would say it twice.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from recollect.errors import InvalidInput
from recollect.learn.knowing import Knowing
from recollect.learn.marks import mark
from recollect.learn.values import STEP
from recollect.model import Edge, Lane, Memory
from recollect.ports import Store
from recollect.relations import EDGE_TYPES

TEMPORAL, SAME_ACTION = "temporal", "same_action"
MOST_ALIKE = 20
"""How many steps that did the same are told, the newest first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that was reached, and how."""

    id: str
    hops: int
    weight: float
    """The product of the weights on the way."""
    path: tuple[Edge, ...]


def checked_types(types: Sequence[str] | None) -> Sequence[str] | None:
    """Types of edges, if there are such."""
    unknown = sorted(set(types or ()) - EDGE_TYPES.keys())
    if unknown:
        raise InvalidInput(f"no edge type {', '.join(unknown)}; there are: {', '.join(EDGE_TYPES)}")
    return types


def typed_edges(
    store: Store, user: str, learner: Knowing, node: Memory, types: Sequence[str] | None, min_weight: float
) -> list[Edge]:
    """The edges that begin or end at a node, the weightiest first."""
    found = store.edges(user, [node.id], types)
    # What somebody remembers as a step is none that was done.
    if node.kind == STEP and node.lane is Lane.LOG:
        found = [*found, *_implied(learner, node, types)]
    heavy = [edge for edge in found if edge.weight >= min_weight]
    return sorted(heavy, key=lambda edge: -edge.weight)


def _implied(learner: Knowing, node: Memory, types: Sequence[str] | None) -> Iterable[Edge]:
    if types is None or TEMPORAL in types:
        steps = [step.id for step in learner.trajectory(node.origin.run or "")]
        at = steps.index(node.id) if node.id in steps else None
        if at is not None:
            around = [
                (steps[place], steps[place + 1]) for place in (at - 1, at) if 0 <= place < len(steps) - 1
            ]
            yield from (Edge(before, after, TEMPORAL) for before, after in around)
    if types is None or SAME_ACTION in types:
        with learner.learnt() as experience:
            contents = experience.doing(mark(node.metadata["action"]))[: MOST_ALIKE + 1]
            told = experience.told(contents).values()
        elsewhere = [one for one in told if one.id != node.id and one.episode != node.origin.run]
        yield from (Edge(node.id, one.id, SAME_ACTION) for one in elsewhere[:MOST_ALIKE])


def reached(
    start: str, edges_of: Callable[[str], Sequence[Edge]], max_hops: int, limit: int
) -> list[Reached]:
    """What can be reached from a node, the weightiest way first; directed edges are walked forwards.

    Each node is told once, by its weightiest way.
    """
    waiting: list[tuple[float, int, str, tuple[Edge, ...]]] = [(-1.0, 0, start, ())]
    seen: dict[str, Reached] = {}
    while waiting and len(seen) <= limit:
        weight, hops, node, path = heappop(waiting)
        if node in seen:
            continue
        seen[node] = Reached(node, hops, -weight, path)
        if hops == max_hops:
            continue
        for edge in edges_of(node):
            other = edge.target if edge.source == node else edge.source
            onward = edge.source == node or not EDGE_TYPES[edge.type].directed
            if onward and other not in seen:
                heappush(waiting, (weight * min(edge.weight, 1.0), hops + 1, other, (*path, edge)))
    return [one for one in seen.values() if one.id != start][:limit]
