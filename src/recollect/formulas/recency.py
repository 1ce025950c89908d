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
