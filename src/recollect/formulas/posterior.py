"""What a record of wins and losses says about the next time."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def usage_success(wins: ArrayLike, uses: ArrayLike) -> NDArray[np.float64]:
    """Expected chance that using a memory helps.

    Equation: (wins + 1) / (uses + 2).
    Source: mean of the Beta(wins + 1, losses + 1) posterior under a uniform prior (Laplace's rule of
    succession).
    Range: (0, 1); 0.5 with no evidence. Wins above the uses, which late counters can give, count as all.

    >>> usage_success([0, 0, 8], [0, 3, 8]).tolist()
    [0.5, 0.2, 0.9]
    """
    tried = np.maximum(np.asarray(uses, dtype=np.float64), 0.0)
    won = np.clip(np.asarray(wins, dtype=np.float64), 0.0, tried)
    chance: NDArray[np.float64] = (won + 1.0) / (tried + 2.0)
    return chance
