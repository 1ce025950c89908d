"""What of a channel lies nearest to where an answer of a level would: the second of the two spaces that are searched.

Everything that has a place in the hierarchy is kept as it is seen from the centre, in 33 numbers each; what looks too far
is left out, and of the rest the vectors are read and the distances in the ball measured. The view does not depend on the
curvature, so that another one counts at once. It is of the moment at which it was made: what came later is found by words
and meaning like everything else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ball import Ball, directions, radius
from recollect.formulas.hyperbolic import at_depth, distance
from recollect.formulas.levels import DEEPEST
from recollect.formulas.tangent import Nearest, View, least_distances, nearest, principal_axes, seen_along
from recollect.graph.geometry import depths_in
from recollect.graph.shape import Rows

MOST: Final = 50_000
"""So many are kept of one channel, the newest."""
LEARNT_FROM: Final = 4_000
"""The axes are those of so many."""
Vectors = Callable[[NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.float16]]]
"""From contents, ascending, to those that have a vector, and the vectors."""


@dataclass(frozen=True, slots=True)
class Tangents:
    """One channel's hierarchy as it is seen from the centre."""

    contents: NDArray[np.int64]
    depth: NDArray[np.float64]
    view: View

    def near(
        self, ball: Ball, question: NDArray[np.float32], asked: int, count: int, vectors: Vectors
    ) -> tuple[NDArray[np.int64], Nearest]:
        """The contents nearest to a question at a level, nearest first."""
        ahead = directions(question[None, :], ball)
        at = at_depth(ahead, [radius(asked)], ball.curvature)[0]

        def measured(places: NDArray[np.intp]) -> NDArray[np.float64]:
            wanted = self.contents[places]
            order = np.argsort(wanted)
            known, held = vectors(wanted[order])
            far = np.full(len(places), np.inf)
            there = order[np.isin(wanted[order], known)]
            points = at_depth(directions(held, ball), radius(self.depth[places[there]]), ball.curvature)
            far[there] = distance(at, points, ball.curvature)
            return far

        bounds = least_distances(self.view, ahead[0], float(radius(asked)))
        found = nearest(bounds, measured, count)
        return self.contents[found.places], found


def tangents(
    rows: Rows, vectors: Mapping[str, NDArray[np.float32]], contents: Mapping[str, int], ball: Ball
) -> Tangents | None:
    """A channel's hierarchy as it is seen from the centre of its ball; None where there is none."""
    deep = {one: depth for one, depth in depths_in(rows).items() if one in vectors}
    ids = sorted(deep, key=lambda one: contents[one])[-MOST:]
    if not ids:
        return None
    depth = np.minimum([deep[one] for one in ids], DEEPEST).astype(np.float64)
    laid = directions(np.stack([vectors[one] for one in ids]), ball)
    axes = principal_axes(laid[:: max(1, len(laid) // LEARNT_FROM)])
    numbers = np.array([contents[one] for one in ids], np.int64)
    return Tangents(numbers, depth, View(axes, seen_along(axes, laid, radius(depth))))
