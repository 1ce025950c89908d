"""What a way of doing something is worth: how well it fits, what it brought, how long it takes."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput

SIMILARITY, UPLIFT, LATENCY = 0.7, 0.2, 0.1
PATIENCE_SECONDS = 60.0
"""What takes as long as this loses half of what latency can take."""
PSEUDO_COUNTS = 2.0


def causal_uplift(
    wins: ArrayLike, uses: ArrayLike, usual: float, *, pseudo_counts: float = PSEUDO_COUNTS
) -> NDArray[np.float64]:
    """By how much going by something raised the chance of success, as far as it was tried.

    Equation: (wins + m * usual) / (uses + m) - usual, m = 2: the posterior mean under a prior that expects the usual
    success, over the usual success.
    Source: seeds, "CausalMemory": what historically caused good outcomes is raised; FEATURES.md, row M4.
    Range: -1 to 1; 0 with no use. Wins above the uses count as all.

    >>> causal_uplift([0, 2, 0], [0, 2, 2], 0.5).tolist()
    [0.0, 0.25, -0.25]
    """
    if not 0.0 <= usual <= 1.0:
        raise InvalidInput(f"the usual success is a share from 0 to 1, not {usual}")
    tried = np.maximum(np.asarray(uses, np.float64), 0.0)
    won = np.clip(np.asarray(wins, np.float64), 0.0, tried)
    raised: NDArray[np.float64] = (won - tried * usual) / (tried + pseudo_counts)
    return raised


def causal_utility(similarity: float, uplift: float, seconds: float = 0.0) -> float:
    """How useful something is expected to be.

    Equation: 0.7 * similarity + 0.2 * uplift - 0.1 * latency, latency = `slowness`.
    Source: seeds, "CausalMemory", U = alpha * similarity + beta * uplift - gamma * latency; FEATURES.md, row M4. The
    uplift is P(success with it) - P(success at such tasks), within [-1, 1].

    >>> round(causal_utility(0.8, 0.5), 2), round(causal_utility(0.9, -0.5, 60.0), 2)
    (0.66, 0.48)
    """
    return SIMILARITY * similarity + UPLIFT * uplift - LATENCY * slowness(seconds)


def slowness(seconds: float) -> float:
    """How long something takes, as a share.

    Equation: seconds / (seconds + 60).
    Range: 0 to 1; a half after a minute.

    >>> slowness(0.0), slowness(60.0), slowness(180.0)
    (0.0, 0.5, 0.75)
    """
    if seconds < 0.0:
        raise InvalidInput(f"a time is at least 0 seconds, not {seconds}")
    return seconds / (seconds + PATIENCE_SECONDS)
