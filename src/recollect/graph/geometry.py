"""Whether memories form a hierarchy, whether their texts tell their level, and whether a curved space would fit it.

A level is a depth: 0 for what stands for everything below it, such as a goal or a theme, more for what is particular.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ball import Ball, laid_out, read_depth, reader_from
from recollect.formulas.fusion import ranks
from recollect.formulas.hyperbolic import distance
from recollect.formulas.levels import DEEPEST, FLOORS, depths
from recollect.graph.balls import Trial
from recollect.graph.shape import COLUMNS, Rows
from recollect.relations import LEVELLED, general_first

_KIND: Final = [*COLUMNS].index("kind")
CURVATURES: Final = (0.1, 0.25, 0.5, 1.0, 2.0)
LEAST: Final = 20
"""Of fewer nodes nothing is told."""
SPREADS: Final = (0.1, 0.25, 0.5, 1.0)
SAMPLED: Final = 2_000
FROM: Final = 80
PAIRS: Final = 4_000
"""From so many nodes is learnt; from so many of them steps are counted, to at most so many others."""
FOLDS: Final = 5
RELATED: Final = 0.5
"""From this rank correlation on the texts are said to tell their level."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """What is known of one channel's hierarchy."""

    channel: str
    nodes: int
    """Those that are in a hierarchy and have a vector."""
    levels: tuple[int, ...]
    """How many there are of each depth."""
    told_by_text: float | None
    """Rank correlation of depth and of what is read from the vectors, on nodes that were not learnt from."""
    flat: float | None
    """How far distances of vectors are from steps in the hierarchy, on average: 0 is none."""
    curved: float | None
    """The same in the ball of the best curvature."""
    curvature: float | None
    spread: float | None = None
    """How far apart meanings lie in that ball: 1 as far as in the flat space, less where levels matter more."""
    used: float | None = None
    """The curvature that recalls go by, fitted or chosen; None where neither was done yet."""
    fitted_at: str | None = None
    trial: Trial | None = None

    @property
    def benefits(self) -> bool:
        """Whether levels can be told from texts and a curved space fits them better than a flat one."""
        known = self.told_by_text is not None and self.flat is not None and self.curved is not None
        return bool(known and self.told_by_text >= RELATED and self.curved < self.flat)  # type: ignore[operator]


def depths_in(rows: Rows) -> dict[str, int]:
    """Of every node in a hierarchy, or of a kind that tells it, how deep it lies; circles are cut."""
    above: dict[str, set[str]] = {}
    for upper, lower in _ordered(rows):
        above.setdefault(upper, set())
        above.setdefault(lower, set()).add(upper)
    floors = {
        one: FLOORS[row[_KIND]]
        for nodes in rows.nodes.values()
        for one, row in nodes.items()
        if row[_KIND] in FLOORS
    }
    return depths(above, floors)


def steps_between(rows: Rows, starts: Sequence[str]) -> dict[str, dict[str, int]]:
    """From some nodes, how many steps away each other one is along the hierarchy, up or down."""
    beside: dict[str, set[str]] = defaultdict(set)
    for upper, lower in _ordered(rows):
        beside[upper].add(lower)
        beside[lower].add(upper)
    found = {}
    for start in starts:
        away = {start: 0}
        ready = deque([start])
        while ready:
            here = ready.popleft()
            for other in beside[here]:
                if other not in away:
                    away[other] = away[here] + 1
                    ready.append(other)
        found[start] = away
    return found


def geometry(channel: str, rows: Rows, vectors: Mapping[str, NDArray[np.float32]]) -> Geometry:
    """What the hierarchy of some nodes with vectors is like."""
    return fitted(channel, rows, vectors)[0]


def fitted(
    channel: str, rows: Rows, vectors: Mapping[str, NDArray[np.float32]]
) -> tuple[Geometry, Ball | None]:
    """The same, with the ball that fits it best; None where there is too little to go by."""
    deep = {one: min(depth, DEEPEST) for one, depth in depths_in(rows).items() if one in vectors}
    ids = sorted(deep)
    levels = tuple(np.bincount([deep[one] for one in ids]).tolist()) if ids else ()
    if len(ids) < LEAST or len([count for count in levels if count]) < 2:
        return Geometry(channel, len(ids), levels, None, None, None, None), None
    ids = ids[:: max(1, len(ids) // SAMPLED)]
    points = np.stack([vectors[one] for one in ids]).astype(np.float64)
    depth = np.array([deep[one] for one in ids], np.float64)
    read = _read_by_others(points, depth)
    told = spearman(read, depth)
    reader = reader_from(points, depth) if told >= RELATED else None
    centre = points.mean(axis=0)
    apart, (one, other) = _steps(rows, ids)
    far = np.linalg.norm(points[one] - points[other], axis=1)
    # Texts that are all alike have no distances, and nothing that joins them has no steps.
    if not len(apart) or not np.median(far):
        return Geometry(channel, len(deep), levels, told, None, None, None), Ball(
            centre=centre, reader=reader
        )
    flat = distortion(far, apart)
    curved = {}
    for curvature, spread in product(CURVATURES, SPREADS):
        at = laid_out(points, read, Ball(curvature, spread, centre))
        curved[curvature, spread] = distortion(distance(at[one], at[other], curvature), apart)
    best = min(curved, key=lambda chosen: (curved[chosen], chosen))
    return Geometry(channel, len(deep), levels, told, flat, curved[best], *best), Ball(*best, centre, reader)


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Rank correlation, −1 to 1; equal values share their rank.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 20.0])).__round__(3)
    0.866
    """
    first, second = _shared(one), _shared(other)
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def distortion(far: NDArray[np.float64], steps: NDArray[np.float64]) -> float:
    """How far distances are from steps on average, as a part of them, at the best common scale.

    >>> distortion(np.array([2.0, 4.0]), np.array([1.0, 2.0]))
    0.0
    """
    ratio = far / steps
    scale = float(np.median(ratio))
    return float(np.abs(ratio / scale - 1).mean()) if scale > 0 else float("inf")


def _shared(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    places = (len(values) - 1 - ranks(values)).astype(np.float64)
    shared: NDArray[np.float64] = (np.bincount(inverse, places) / counts)[inverse]
    return shared


def _read_by_others(points: NDArray[np.float64], depth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each node's depth as the others' vectors teach it, a fifth at a time."""
    read = np.zeros(len(depth))
    for fold in range(FOLDS):
        held = np.arange(len(depth)) % FOLDS == fold
        read[held] = read_depth(reader_from(points[~held], depth[~held]), points[held])
    return read


def _ordered(rows: Rows) -> Iterator[tuple[str, str]]:
    """What is above what."""
    for pair, links in rows.links.items():
        if pair.type in LEVELLED:
            for source, target in links:
                if source != target:
                    yield general_first(pair.type, source, target)


def _steps(
    rows: Rows, ids: Sequence[str]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Of pairs of nodes that are joined by the hierarchy: how many steps, and their places."""
    place = {one: at for at, one in enumerate(ids)}
    starts = ids[:: max(1, len(ids) // FROM)]
    found = [
        (place[start], place[other], steps)
        for start, away in steps_between(rows, starts).items()
        for other, steps in away.items()
        if steps and other in place and place[start] < place[other]
    ]
    told = np.array(found[:: max(1, len(found) // PAIRS)], np.intp).reshape(-1, 3)
    return told[:, 2].astype(np.float64), (told[:, 0], told[:, 1])
