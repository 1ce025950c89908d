"""Ascending numbers: joining them, finding some among others, and choosing the best."""

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SAMPLED: Final = 1_024
"""Of so many the bar is guessed: of 20,000 numbers the n-th highest is then found in an eighth of the time."""


def distinct(*some: NDArray[Any]) -> NDArray[Any]:
    """What is in any of them, ascending, each once.

    >>> distinct(np.array([1, 5]), np.array([5, 2])).tolist()
    [1, 2, 5]
    """
    both = np.concatenate(some)
    both.sort()
    return both[firsts(both)]


def firsts(ascending: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a number is not the one before it."""
    new = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    return new


def places(known: NDArray[Any], wanted: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Which of the wanted are among the known, ascending ones, and where these lie there.

    >>> [found.tolist() for found in places(np.array([10, 20]), np.array([20, 30]))]
    [[1], [True, False]]
    """
    at = np.searchsorted(known, wanted)
    there = at < len(known)
    there[there] = known[at[there]] == wanted[there]
    return at[there], there


def best(rows: NDArray[np.int64], scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """The `limit` rows with the highest scores, best first; of equals the newest."""
    order: NDArray[np.int64] = np.lexsort((-rows, -scores))
    return rows[order[:limit]]


def nth_highest(numbers: NDArray[np.float32], n: int) -> float:
    """What the n-th highest is; there must be as many.

    A guess from a sample, which most likely n reach, leaves few to choose from.

    >>> nth_highest(np.arange(10_000, dtype=np.float32), 3)
    9997.0
    """
    stride = len(numbers) // SAMPLED | 1
    sample = numbers[::stride]
    wanted = n / stride
    reached = math.ceil(wanted + 3 * math.sqrt(wanted))
    if stride > 1 and reached < len(sample):
        above = numbers[numbers >= np.partition(sample, -reached)[-reached]]
        numbers = above if len(above) >= n else numbers
    return float(np.partition(numbers, -n)[-n])
