"""Groups of points that lie more densely than what is around them; what lies alone belongs to none."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

ALONE = -1
_LEAST = 1e-9
"""Closer points count as this close: equal ones would be infinitely dense."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(slots=True)
class _Group:
    """A set of points that stays together over a range of densities."""

    parent: int
    birth: float
    """The density (1 / distance) at which it parts from its parent."""
    stability: float = 0.0
    children: list[int] = field(default_factory=list)


def clusters(vectors: NDArray[np.floating], least: int = 3) -> Numbers:
    """The number of each vector's cluster, from 0 on; -1 where it lies alone.

    Equation: HDBSCAN*: distances d between unit vectors become max(core(a), core(b), d(a, b)), core being the
    distance to the `least`-th nearest (itself included); of the hierarchy that a minimum spanning tree gives,
    those groups of at least `least` are chosen whose sum of (density at which a point leaves − density at which
    the group appears) is greatest; never the group of all.
    Source: Campello, Moulavi & Sander 2013; McInnes, Healy & Astels 2017.
    Range: -1 or from 0. Quadratic in the number of vectors.

    >>> import numpy as np
    >>> clusters(np.array([[1, 0], [1, 0.01], [1, 0.02], [0, 1], [0.01, 1], [0.02, 1], [-1, -1]])).tolist()
    [0, 0, 0, 1, 1, 1, -1]
    """
    count = len(vectors)
    labels = np.full(count, ALONE, np.int64)
    if count < 2 * least:
        return labels
    groups, left = _condensed(_merges(_spanning_tree(_unit(vectors), least)), count, least)
    chosen = _chosen(groups)
    names = {
        group: name for name, group in enumerate(sorted(chosen, key=lambda one: _first(left, groups, one)))
    }
    for point, group in enumerate(left.tolist()):
        at = group
        while at > 0 and at not in chosen:
            at = groups[at].parent
        labels[point] = names.get(at, ALONE)
    return labels


def _unit(vectors: NDArray[np.floating]) -> Floats:
    found = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Floats = found / np.where(lengths > 0, lengths, 1.0)
    return unit


def _spanning_tree(vectors: Floats, least: int) -> Floats:
    """Rows of (point, point, distance), the closest first: Prim's algorithm on mutual reachability."""
    count = len(vectors)
    distance = np.sqrt(np.maximum(2.0 - 2.0 * (vectors @ vectors.T), 0.0))
    np.fill_diagonal(distance, 0.0)
    core = np.partition(distance, least - 1, axis=1)[:, least - 1]
    reach = np.maximum(np.maximum(distance, core[:, None]), core[None, :])
    nearest, source = reach[0].copy(), np.zeros(count, np.int64)
    waiting = np.ones(count, np.bool_)
    waiting[0] = False
    tree = np.empty((count - 1, 3))
    for row in range(count - 1):
        point = int(np.argmin(np.where(waiting, nearest, np.inf)))
        tree[row] = source[point], point, nearest[point]
        waiting[point] = False
        closer = waiting & (reach[point] < nearest)
        nearest[closer], source[closer] = reach[point][closer], point
    return tree[np.argsort(tree[:, 2], kind="stable")]


def _merges(tree: Floats) -> list[tuple[int, int, float, int]]:
    """For each branch of the hierarchy its two sides, their distance and its size; points come before branches."""
    count = len(tree) + 1
    top = list(range(2 * count - 1))
    sizes = [1] * count
    found: list[tuple[int, int, float, int]] = []

    def root(node: int) -> int:
        while top[node] != node:
            top[node] = top[top[node]]
            node = top[node]
        return node

    for one, other, distance in tree.tolist():
        left, right = root(int(one)), root(int(other))
        sizes.append(sizes[left] + sizes[right])
        top[left] = top[right] = count + len(found)
        found.append((left, right, distance, sizes[-1]))
    return found


def _condensed(
    merges: list[tuple[int, int, float, int]], count: int, least: int
) -> tuple[list[_Group], Numbers]:
    """The groups, each after its parent, and the group that each point leaves last."""
    groups = [_Group(-1, 0.0)]
    left = np.zeros(count, np.int64)
    waiting = [(count + len(merges) - 1, 0)]
    while waiting:
        node, group = waiting.pop()
        one, other, distance, _ = merges[node - count]
        density = 1.0 / max(distance, _LEAST)
        sides = [(side, 1 if side < count else merges[side - count][3]) for side in (one, other)]
        parts = all(size >= least for _, size in sides)
        for side, size in sides:
            if parts:
                groups.append(_Group(group, density))
                groups[group].children.append(len(groups) - 1)
                groups[group].stability += size * (density - groups[group].birth)
                waiting.append((side, len(groups) - 1))
            elif size >= least:
                waiting.append((side, group))
            else:
                points = _points(side, merges, count)
                left[points] = group
                groups[group].stability += size * (density - groups[group].birth)
    return groups, left


def _points(node: int, merges: list[tuple[int, int, float, int]], count: int) -> list[int]:
    found, waiting = [], [node]
    while waiting:
        at = waiting.pop()
        if at < count:
            found.append(at)
        else:
            waiting += merges[at - count][:2]
    return found


def _chosen(groups: list[_Group]) -> set[int]:
    """Of every group and those within it, whichever are more stable; never the group of all."""
    chosen: set[int] = set()
    best = [0.0] * len(groups)
    for number in range(len(groups) - 1, 0, -1):
        group = groups[number]
        within = sum(best[child] for child in group.children)
        if group.stability >= within:
            chosen -= _descendants(groups, number)
            chosen.add(number)
        best[number] = max(group.stability, within)
    return chosen


def _descendants(groups: list[_Group], number: int) -> set[int]:
    found, waiting = set(), list(groups[number].children)
    while waiting:
        at = waiting.pop()
        found.add(at)
        waiting += groups[at].children
    return found


def _first(left: Numbers, groups: list[_Group], number: int) -> int:
    """The first point of a group, so that clusters are numbered by their order."""
    inside = [*_descendants(groups, number), number]
    return int(np.flatnonzero(np.isin(left, inside)).min(initial=len(left)))
