"""Ascending numbers: joining them, finding some among others, and choosing the best."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


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
