"""Which of many findings are to be believed."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput


def discoveries(p_values: ArrayLike, rate: float = 0.05) -> NDArray[np.bool_]:
    """Of many tests, those that are believed so that, on average, at most this share of them is wrong.

    Equation: the largest k for which the k-th smallest p is at most rate * k / m; the k smallest are believed.
    Source: Benjamini and Hochberg (1995), the false discovery rate.
    Range: a mask as long as what is given; a smaller p is never refused where a larger one is believed.

    >>> discoveries([0.001, 0.02, 0.9, 0.04]).tolist()
    [True, True, False, False]
    """
    if not 0.0 < rate < 1.0:
        raise InvalidInput(f"the rate of false discoveries lies between 0 and 1, not {rate}")
    found = np.asarray(p_values, np.float64)
    if not ((found >= 0.0) & (found <= 1.0)).all():
        raise InvalidInput("a p-value lies between 0 and 1")
    order = np.sort(found)
    passed = order <= rate * np.arange(1, len(order) + 1) / max(len(order), 1)
    limit = order[passed][-1] if passed.any() else -1.0
    believed: NDArray[np.bool_] = found <= limit
    return believed
