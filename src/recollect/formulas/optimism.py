"""How much something may be worth that was tried too rarely to know."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput


def hopeful(
    chance: ArrayLike, tries: ArrayLike, *, optimism: float, pseudo_counts: float = 3.0
) -> NDArray[np.float64]:
    """The chance, and so many standard deviations of its posterior more.

    Equation: p + optimism * sqrt(p * (1 - p) / (tries + pseudo-counts + 1)).
    Source: an upper confidence bound (Auer et al., 2002) with the deviation of the Beta posterior that has this mean
    and so many observations.
    Range: [p, p + optimism / 2); the more often something was tried, the nearer to p.

    >>> hopeful([0.1, 0.1], [0, 96], optimism=1.0).round(3).tolist()
    [0.25, 0.13]
    """
    if optimism < 0.0 or not pseudo_counts > 0.0:
        raise InvalidInput(f"optimism is at least 0, pseudo-counts above it: not {optimism}, {pseudo_counts}")
    p, tried = np.asarray(chance, np.float64), np.asarray(tries, np.float64)
    bound: NDArray[np.float64] = p + optimism * np.sqrt(p * (1.0 - p) / (tried + pseudo_counts + 1.0))
    return bound
