"""Making signals of different scales comparable."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def min_max(column: ArrayLike, eligible: ArrayLike | None = None) -> NDArray[np.float64]:
    """Scale a column so that its lowest eligible value is 0 and its highest is 1.

    Equation: (x - min) / (max - min) over the eligible rows.
    Source: CombSUM-style score fusion (Fox & Shaw 1994).
    Range: [0, 1]. Rows that are not eligible, or hold no finite number, get 0. A column in which all
    eligible values are equal tells nothing apart and gives 0 everywhere.

    >>> min_max([2, 4, 3]).tolist()
    [0.0, 1.0, 0.5]
    >>> min_max([2, 4, 100], eligible=[True, True, False]).tolist()
    [0.0, 1.0, 0.0]
    >>> min_max([7, 7]).tolist()
    [0.0, 0.0]
    """
    values = np.asarray(column, dtype=np.float64)
    counted = np.isfinite(values)
    if eligible is not None:
        counted &= np.asarray(eligible, dtype=np.bool_)
    scaled = np.zeros_like(values)
    if not counted.any():
        return scaled
    low, high = values[counted].min(), values[counted].max()
    if high > low:
        scaled[counted] = (values[counted] - low) / (high - low)
    return scaled


def ranks(scores: ArrayLike) -> NDArray[np.int64]:
    """Place of each score, the highest being 0; equal scores keep their order, NaN comes last.

    Equation: rank(i) = how many items come before i in the descending stable order.
    Source: the usual definition of ordinal ranking.
    Range: a permutation of 0 ... n - 1.

    >>> ranks([0.2, 0.9, 0.2]).tolist()
    [1, 0, 2]
    """
    best_first = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    places = np.empty(len(best_first), dtype=np.int64)
    places[best_first] = np.arange(len(best_first))
    return places


def reciprocal_rank(rank: ArrayLike, k: float = 60.0) -> NDArray[np.float64]:
    """What one list gives an item in reciprocal rank fusion.

    Equation: 1 / (k + rank + 1), rank counted from 0.
    Source: Cormack, Clarke & Buettcher 2009, with k = 60.
    Range: (0, 1 / (k + 1)].

    >>> reciprocal_rank([0, 59], k=60).round(6).tolist()
    [0.016393, 0.008333]
    """
    share: NDArray[np.float64] = 1.0 / (k + np.asarray(rank, dtype=np.float64) + 1.0)
    return share
