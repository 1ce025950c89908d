"""How useful a memory has been: raised and lowered by use, forgotten towards neutral."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class UtilityParams:
    """The rate of learning, the rate and the aim of drifting, and the weights of the retrieval score."""

    rate: float = 0.1
    drift: float = 0.01
    neutral: float = 0.5
    semantic: float = 0.6
    utility: float = 0.2
    importance: float = 0.2


DEFAULT = UtilityParams()


def used(utility: ArrayLike, target: ArrayLike, params: UtilityParams = DEFAULT) -> NDArray[np.float64]:
    """Utility after a use that went well (1) or not (0), or partly.

    Equation: u' = u + 0.1 (target - u), both cut to [0, 1].
    Source: FEATURES.md, row C11.
    Range: [0, 1].

    >>> used(0.5, [1.0, 0.0]).round(3).tolist()
    [0.55, 0.45]
    """
    before = np.clip(np.asarray(utility, dtype=np.float64), 0.0, 1.0)
    aim = np.clip(np.asarray(target, dtype=np.float64), 0.0, 1.0)
    after: NDArray[np.float64] = before + params.rate * (aim - before)
    return after


def drifted(utility: ArrayLike, days: ArrayLike, params: UtilityParams = DEFAULT) -> NDArray[np.float64]:
    """Utility after days without use.

    Equation: u' = u + min(1, 0.01 days) (0.5 - u); after 100 days nothing is left of what was learnt.
    Source: FEATURES.md, row C11. The bound keeps a long time from carrying it past neutral.
    Range: [0, 1], between u and 0.5.

    >>> drifted([0.9, 0.1], 10).round(3).tolist()
    [0.86, 0.14]
    """
    before = np.clip(np.asarray(utility, dtype=np.float64), 0.0, 1.0)
    part = np.clip(params.drift * np.asarray(days, dtype=np.float64), 0.0, 1.0)
    after: NDArray[np.float64] = before + part * (params.neutral - before)
    return after


def weighted(
    semantic: ArrayLike, utility: ArrayLike, importance: ArrayLike, params: UtilityParams = DEFAULT
) -> NDArray[np.float64]:
    """Relevance with utility and importance as tiebreakers.

    Equation: 0.6 semantic + 0.2 utility + 0.2 importance.
    Source: FEATURES.md, row C11.
    Range: [0, 1] for parts in [0, 1].

    >>> round(float(weighted(1.0, 0.5, 0.5)), 6)
    0.8
    """
    total: NDArray[np.float64] = (
        params.semantic * np.asarray(semantic, dtype=np.float64)
        + params.utility * np.asarray(utility, dtype=np.float64)
        + params.importance * np.asarray(importance, dtype=np.float64)
    )
    return total
