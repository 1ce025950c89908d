"""Which tier a memory belongs to: the rules of promotion, demotion, the hot tier and working memory."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.formulas.recency import half_life

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TierParams:
    """Every threshold of the tiers."""

    promoted_accesses: int = 3
    promoted_utility: float = 0.7
    promoted_days: float = 7.0
    promoted_shared: int = 3
    demoted_days: float = 60.0
    demoted_utility: float = 0.2
    hot_utility: float = 0.8
    hot_accesses: int = 10
    hot_days: float = 30.0
    hot_items: int = 15
    working_items: int = 9
    working_half_life_minutes: float = 30.0
    working_access_weight: float = 0.1
    kept_accesses: int = 2
    kept_importance: float = 0.6


DEFAULT = TierParams()


def often_used(accesses: ArrayLike, params: TierParams = DEFAULT) -> Flags:
    """Promoted by use: brought back at least 3 times (C31).

    >>> often_used([2, 3]).tolist()
    [False, True]
    """
    return np.asarray(accesses) >= params.promoted_accesses


def long_useful(utility: ArrayLike, age_days: ArrayLike, params: TierParams = DEFAULT) -> Flags:
    """Promoted by utility: at least 0.7, and at least 7 days old (C31).

    >>> long_useful([0.7, 0.7, 0.69], [7, 6.9, 7]).tolist()
    [True, False, False]
    """
    useful = np.asarray(utility) >= params.promoted_utility
    return useful & (np.asarray(age_days) >= params.promoted_days)


def converging(sharing: ArrayLike, params: TierParams = DEFAULT) -> Flags:
    """Promoted by evidence: at least 3 episodic memories, itself included, name one entity (C31).

    >>> converging([2, 3]).tolist()
    [False, True]
    """
    return np.asarray(sharing) >= params.promoted_shared


def demoted(idle_days: ArrayLike, utility: ArrayLike, params: TierParams = DEFAULT) -> Flags:
    """Out of the semantic tier into dormancy: unused for 60 days, and of a utility below 0.2 (C31).

    >>> demoted([60, 59.9, 60], [0.19, 0.19, 0.2]).tolist()
    [True, False, False]
    """
    return (np.asarray(idle_days) >= params.demoted_days) & (np.asarray(utility) < params.demoted_utility)


def hot(utility: ArrayLike, accesses: ArrayLike, age_days: ArrayLike, params: TierParams = DEFAULT) -> Flags:
    """Always worth telling: a utility from 0.8, 10 accesses, and younger than 30 days (C32).

    >>> hot([0.8, 0.79, 0.8, 0.8], [10, 10, 9, 10], [29.9, 1, 1, 30]).tolist()
    [True, False, False, False]
    """
    useful = (np.asarray(utility) >= params.hot_utility) & (np.asarray(accesses) >= params.hot_accesses)
    return useful & (np.asarray(age_days) < params.hot_days)


def eviction_score(
    importance: ArrayLike, idle_minutes: ArrayLike, accesses: ArrayLike, params: TierParams = DEFAULT
) -> NDArray[np.float64]:
    """What an item of working memory is worth; the least goes when a tenth comes.

    Equation: importance · 0.5^(idle / 30 min) · (1 + 0.1 n).
    Source: FEATURES.md, row C31; DESIGN.md, "half-life means half-life".
    Range: from 0.

    >>> eviction_score(0.5, [0, 30], [0, 10]).tolist()
    [0.5, 0.5]
    """
    count = np.maximum(np.asarray(accesses, dtype=np.float64), 0.0)
    recency = half_life(idle_minutes, params.working_half_life_minutes)
    worth: NDArray[np.float64] = (
        np.asarray(importance, dtype=np.float64) * recency * (1.0 + params.working_access_weight * count)
    )
    return worth


def outlives_session(accesses: ArrayLike, importance: ArrayLike, params: TierParams = DEFAULT) -> Flags:
    """Worth keeping when working memory is cleared: used twice, or of an importance from 0.6 (C31).

    >>> outlives_session([2, 1, 1], [0.1, 0.6, 0.59]).tolist()
    [True, True, False]
    """
    return (np.asarray(accesses) >= params.kept_accesses) | (np.asarray(importance) >= params.kept_importance)
