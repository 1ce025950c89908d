"""How well something is still remembered after a time without use."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEAST_STABILITY = 0.001
"""In days; less would divide by nothing."""


def retention(elapsed_days: ArrayLike, stability_days: ArrayLike) -> NDArray[np.float64]:
    """Probability that a memory can still be brought back.

    Equation: R = (1 + t / (9 S))^-2, with t = max(t, 0) and S = max(S, 0.001).
    Source: FEATURES.md, row C10; the other thresholds of its document fit this curve.
    Range: (0, 1]; 1 at once and for a future time (a clock that jumped).

    >>> retention([0, 1, 9], 1.0).round(4).tolist()
    [1.0, 0.81, 0.25]
    """
    elapsed = np.maximum(np.asarray(elapsed_days, dtype=np.float64), 0.0)
    stability = np.maximum(np.asarray(stability_days, dtype=np.float64), LEAST_STABILITY)
    left: NDArray[np.float64] = (1.0 + elapsed / (9.0 * stability)) ** -2.0
    return left
