"""How much being recent is worth."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput


def half_life(age_days: ArrayLike, half_life_days: float) -> NDArray[np.float64]:
    """What is left of a signal that halves once a half-life.

    Equation: 0.5^(age / half-life), with age = max(age, 0).
    Source: exponential decay; DESIGN.md, "half-life means half-life".
    Range: [0, 1]; 1 at age 0 and for a future age (a clock that jumped).

    >>> half_life([0, 30, 60], half_life_days=30).tolist()
    [1.0, 0.5, 0.25]
    """
    if not half_life_days > 0:
        raise InvalidInput(f"half_life_days must be above 0, not {half_life_days}")
    age = np.maximum(np.asarray(age_days, dtype=np.float64), 0.0)
    remaining: NDArray[np.float64] = np.exp2(-age / half_life_days)
    return remaining


def recency_boost(hours: ArrayLike) -> NDArray[np.float64]:
    """Factor by which what was touched within the last day counts more.

    Equation: 1 + 0.5 * e^(-h / 24), with h = max(hours, 0).
    Source: FEATURES.md, row G17.
    Range: [1, 1.5]; 1.5 now and for a future time.

    >>> recency_boost([0, 24, 240]).round(4).tolist()
    [1.5, 1.1839, 1.0]
    """
    elapsed = np.maximum(np.asarray(hours, dtype=np.float64), 0.0)
    boost: NDArray[np.float64] = 1.0 + 0.5 * np.exp(-elapsed / 24.0)
    return boost


LATER_DAYS_HALF = 20.0
_MICROSECONDS_A_DAY = 86_400_000_000


def by_later_days(moments: NDArray[np.int64]) -> NDArray[np.float64]:
    """What halves once for every twenty days that come after, of the days that are there at all.

    Days on which nothing was said do not count, so that a pause makes nothing old.

    Equation: 0.5^(n / 20), n = number of distinct later days (UTC) among the moments.
    Source: measured on RealMem, recall@10 of the sessions that a message builds on: .747 without, .779 with a
    weight of .2 (docs/evaluation.md has the layer's figures).
    Range: (0, 1]; 1 on the latest day.

    >>> by_later_days(np.array([0, 1, 86_400_000_000])).round(3).tolist()
    [0.966, 0.966, 1.0]
    """
    days, which = np.unique(np.asarray(moments) // _MICROSECONDS_A_DAY, return_inverse=True)
    return half_life(len(days) - 1 - which, LATER_DAYS_HALF)
