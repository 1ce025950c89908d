"""Groups of unit vectors around their means."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput

Vectors = NDArray[np.float32]


class Groups(NamedTuple):
    """The direction of each group's mean, and the group of each vector."""

    centres: Vectors
    group: NDArray[np.intp]


def grouped(vectors: Vectors, count: int, rng: np.random.Generator, rounds: int = 25) -> Groups:
    """So many groups of unit vectors, or fewer where there are not so many different ones.

    Source: k-means (Lloyd) on the sphere, begun as k-means++ does (Arthur and Vassilvitskii, 2007): each centre is a
    vector that is drawn by its squared distance to the nearest centre before it, the best of a few draws.

    >>> some = np.array([[1, 0], [0.96, 0.28], [0, 1], [0.28, 0.96]], np.float32)
    >>> grouped(some, 2, np.random.default_rng(1)).group.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    """
    if count < 1 or not len(vectors):
        raise InvalidInput(f"groups need vectors and a number above 0, not {len(vectors)} and {count}")
    centres = _spread(vectors, count, rng)
    group = (vectors @ centres.T).argmax(axis=1)
    for _ in range(rounds):
        sums = np.zeros_like(centres)
        np.add.at(sums, group, vectors)
        length = np.linalg.norm(sums, axis=1, keepdims=True)
        # A group that lost all of its vectors stays where it was.
        centres = np.where(length > 1e-6, sums / np.maximum(length, 1e-6), centres)
        now = (vectors @ centres.T).argmax(axis=1)
        if np.array_equal(now, group):
            break
        group = now
    return Groups(centres, group)


def _spread(vectors: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    """The first centres, each the best of a few that are drawn: one draw alone may fall twice into one group."""
    chosen = [int(rng.integers(len(vectors)))]
    distance = _distances(vectors, np.array(chosen))[0]
    draws = 2 + int(np.log(count))
    while len(chosen) < count and distance.sum() > 1e-6:
        drawn = rng.choice(len(vectors), draws, p=distance / distance.sum())
        left = np.minimum(distance, _distances(vectors, drawn))
        best = int(left.sum(axis=1).argmin())
        chosen.append(int(drawn[best]))
        distance = left[best]
    return vectors[chosen].copy()


def _distances(vectors: Vectors, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """How far each vector is from those at some places: one line a place."""
    apart: NDArray[np.float64] = np.maximum(1.0 - vectors[places] @ vectors.T, 0.0).astype(np.float64)
    return apart
