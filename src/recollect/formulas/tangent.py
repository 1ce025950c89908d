"""The nearest points of a ball without a look at all of them: seen from the centre, none is nearer than it looks.

A space that curves like the ball spreads what leaves a point: two points are at least as far apart as they are in the
flat space that touches it at the centre, where a point at the distance r in the direction u is seen at r·u. That holds
for every curvature, and for a view along a few axes too, so that what looks too far need not be measured.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

AXES = 32
BLOCK = 64
SMALL = 1e-12


class View(NamedTuple):
    """Points as they are seen from the centre, along some axes and in the length of all the rest."""

    axes: NDArray[np.float64]
    seen: NDArray[np.float32]


class Nearest(NamedTuple):
    """The nearest points, nearest first, and how many had to be measured."""

    places: NDArray[np.intp]
    distances: NDArray[np.float64]
    measured: int


def principal_axes(directions: ArrayLike, count: int = AXES) -> NDArray[np.float64]:
    """The axes along which directions differ most, as orthonormal rows.

    >>> principal_axes([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], 1).round(3).tolist() in ([[1, 0, 0]], [[-1, 0, 0]])
    True
    """
    given = np.asarray(directions, np.float64)
    rows: NDArray[np.float64] = np.linalg.svd(given, full_matrices=False)[2]
    return rows[:count]


def seen_along(axes: NDArray[np.float64], directions: ArrayLike, radii: ArrayLike) -> NDArray[np.float32]:
    """Points at some distances from the centre as they are seen along the axes.

    >>> seen_along(np.eye(3)[:1], [[0.6, 0.8, 0.0]], [2.0]).round(3).tolist()
    [[1.2000000476837158, 1.600000023841858]]
    """
    given = np.asarray(directions, np.float64)
    unit = given / np.maximum(np.linalg.norm(given, axis=1, keepdims=True), SMALL)
    flat = unit * np.asarray(radii, np.float64)[:, None]
    along = flat @ axes.T
    rest = np.sqrt(np.maximum((flat * flat).sum(axis=1) - (along * along).sum(axis=1), 0.0))
    return np.column_stack([along, rest]).astype(np.float32)


def least_distances(view: View, direction: ArrayLike, radius: float) -> NDArray[np.float64]:
    """Of each point, a distance that it certainly has to a point in that direction and so far out."""
    [asked] = seen_along(view.axes, np.asarray(direction, np.float64)[None, :], [radius])
    least: NDArray[np.float64] = np.linalg.norm(view.seen - asked, axis=1).astype(np.float64)
    return least


def nearest(
    bounds: NDArray[np.float64], distances_of: Callable[[NDArray[np.intp]], NDArray[np.float64]], count: int
) -> Nearest:
    """The nearest points by their true distances, measured only as long as a further one could be among them."""
    order = np.argsort(bounds, kind="stable")
    places = np.empty(0, np.intp)
    distances = np.empty(0)
    measured = 0
    while measured < len(order):
        if len(distances) >= count and distances[count - 1] <= bounds[order[measured]] * (1 - 1e-6):
            break
        block = order[measured : measured + max(BLOCK, count)]
        measured += len(block)
        places = np.concatenate([places, block])
        distances = np.concatenate([distances, distances_of(block)])
        best = np.lexsort((places, distances))[:count]
        places, distances = places[best], distances[best]
    return Nearest(places, distances, measured)
