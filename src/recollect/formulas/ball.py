"""A Poincaré ball that memories are laid out in: their meaning is the direction, their depth how far out they lie."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.formulas.hyperbolic import Points, at_depth, distance
from recollect.formulas.levels import DEEPEST, UNKNOWN

CURVATURE = 0.1
SPREAD = 0.1
RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class Reader:
    """What a text's vector says of its depth."""

    usual: NDArray[np.float64]
    """The mean of the vectors that it was learnt from."""
    weights: NDArray[np.float64]
    depth: float
    """Their mean depth."""


@dataclass(frozen=True, slots=True)
class Ball:
    """How one channel's memories lie."""

    curvature: float = CURVATURE
    spread: float = SPREAD
    """How much of the way from the common direction to its own a memory's direction goes; below 1, meanings lie close
    together, and levels apart."""
    centre: NDArray[np.float64] | None = None
    """The common direction; None where it was not learnt."""
    reader: Reader | None = None
    """None where texts do not tell their depth."""


def reader_from(vectors: ArrayLike, depth: ArrayLike, ridge: float = RIDGE) -> Reader:
    """What some vectors and their depths teach: ridge regression, in its dual form.

    >>> reader = reader_from(np.eye(3), [0.0, 1.0, 2.0], ridge=1e-9)
    >>> read_depth(reader, np.eye(3)).round(3).tolist()
    [0.0, 1.0, 2.0]
    """
    given, levels = np.asarray(vectors, np.float64), np.asarray(depth, np.float64)
    usual, middle = given.mean(axis=0), float(levels.mean())
    centred = given - usual
    held = centred @ centred.T + ridge * np.eye(len(centred))
    return Reader(usual, centred.T @ np.linalg.solve(held, levels - middle), middle)


def read_depth(reader: Reader, vectors: ArrayLike) -> NDArray[np.float64]:
    """The depths that texts seem to have, from 0 to the deepest level."""
    told = (np.asarray(vectors, np.float64) - reader.usual) @ reader.weights + reader.depth
    clipped: NDArray[np.float64] = np.clip(told, 0.0, DEEPEST)
    return clipped


def radius(depth: ArrayLike) -> NDArray[np.float64]:
    """How far out a depth lies: all that nothing stands above hangs from the one centre.

    >>> radius([0.0, 2.0]).tolist()
    [1.0, 3.0]
    """
    far: NDArray[np.float64] = np.asarray(depth, np.float64) + 1.0
    return far


def directions(vectors: ArrayLike, ball: Ball) -> Points:
    """Where vectors point to in a ball: on the way from the common direction to their own."""
    given = np.asarray(vectors, np.float64)
    if ball.centre is None:
        return given
    return ball.centre + ball.spread * (given - ball.centre)


def laid_out(vectors: ArrayLike, depth: ArrayLike, ball: Ball) -> Points:
    """Where vectors of some depths lie: as their directions say, and as far out as they are deep.

    >>> at = laid_out([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], Ball())
    >>> at.round(3).tolist()
    [[0.496, 0.0], [0.0, 0.968]]
    """
    return at_depth(directions(vectors, ball), radius(depth), ball.curvature)


def closeness(
    vectors: ArrayLike, depth: ArrayLike, question: ArrayLike, asked: float, ball: Ball
) -> NDArray[np.float64]:
    """How close memories lie to where an answer would: in the question's direction, at the depth that is asked for.

    Equation: 1 / (1 + d), with d the distance in the ball. Range: (0, 1]; `UNKNOWN` where no depth is.
    """
    deep = np.minimum(np.asarray(depth, np.float64), DEEPEST)
    ahead = np.asarray(question, np.float64)
    # Where no common direction was learnt, meanings are brought together around the question's.
    space = replace(ball, centre=ahead) if ball.centre is None else ball
    known = ~np.isnan(deep)
    at = laid_out(vectors, np.where(known, deep, 0.0), space)
    [wanted] = laid_out(ahead[None, :], [asked], space)
    return np.where(known, 1.0 / (1.0 + distance(wanted, at, ball.curvature)), UNKNOWN)
