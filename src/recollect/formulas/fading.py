"""How what is known fades: by what kind of thing it is, in which tier, and how far its source is trusted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.formulas.recency import half_life

DAILY = MappingProxyType(
    {"preference": 0.0, "entity": 0.0, "correction": 0.0, "fact": 0.005, "decision": 0.02}
)
MULTIPLIERS = MappingProxyType({"working": 10.0, "episodic": 3.0, "semantic": 1.0, "dormant": 0.0})
KEPT_DAYS = MappingProxyType(
    {"correction": inf, "preference": inf, "entity": inf, "decision": 45.0, "fact": 14.0}
)
HALF_LIVES = MappingProxyType(
    {"correction": 365.0, "preference": 90.0, "fact": 30.0, "procedure": 60.0, "inferred": 7.0}
)


@dataclass(frozen=True, slots=True)
class FadingParams:
    """Tables by kind and by tier; `other…` is for the kinds that a table does not name."""

    daily: Mapping[str, float] = field(default_factory=lambda: DAILY)
    other_daily: float = 0.05
    multipliers: Mapping[str, float] = field(default_factory=lambda: MULTIPLIERS)
    kept_days: Mapping[str, float] = field(default_factory=lambda: KEPT_DAYS)
    other_kept_days: float = 7.0
    half_lives: Mapping[str, float] = field(default_factory=lambda: HALF_LIVES)
    other_half_life: float = 30.0
    salience: float = 0.95
    access_weight: float = 0.1


DEFAULT = FadingParams()


def daily_decay(kind: str, tier: str, params: FadingParams = DEFAULT) -> float:
    """Which part of its stability a memory without use loses in a day.

    Equation: min(1, rate of the kind · multiplier of the tier).
    Source: FEATURES.md, rows C12 and C31.
    Range: [0, 1]; nothing in the dormant tier.

    >>> daily_decay("fact", "episodic"), daily_decay("fact", "semantic"), daily_decay("preference", "episodic")
    (0.015, 0.005, 0.0)
    """
    rate = params.daily.get(kind, params.other_daily) * params.multipliers.get(tier, 1.0)
    return min(max(rate, 0.0), 1.0)


def faded(value: ArrayLike, daily: ArrayLike, days: ArrayLike, least: float = 0.0) -> NDArray[np.float64]:
    """What is left of a value that loses a part of itself every day, but never falls below the least.

    Equation: max(least, v (1 - daily)^days), and v itself where it lies below the least already.
    Source: FEATURES.md, row C31; daily steps and one long step come to the same.
    Range: [min(v, least), v].

    >>> faded(10.0, [0.0, 0.05], 10, least=1.0).round(3).tolist()
    [10.0, 5.987]
    """
    before = np.asarray(value, dtype=np.float64)
    elapsed = np.maximum(np.asarray(days, dtype=np.float64), 0.0)
    left = before * (1.0 - np.clip(np.asarray(daily, dtype=np.float64), 0.0, 1.0)) ** elapsed
    kept: NDArray[np.float64] = np.maximum(left, np.minimum(before, least))
    return kept


def kept_days(kind: str, params: FadingParams = DEFAULT) -> float:
    """For how many days a memory of this kind is not forgotten, whatever its use; inf is always.

    Source: FEATURES.md, row C12.

    >>> kept_days("preference"), kept_days("decision"), kept_days("fact"), kept_days("note")
    (inf, 45.0, 14.0, 7.0)
    """
    return params.kept_days.get(kind, params.other_kept_days)


def salience(value: ArrayLike, days: ArrayLike, params: FadingParams = DEFAULT) -> NDArray[np.float64]:
    """What is left of an entity's salience after days without use.

    Equation: v · 0.95^days.
    Source: FEATURES.md, row S13.
    Range: [0, v].

    >>> salience(1.0, [0, 1, 14]).round(3).tolist()
    [1.0, 0.95, 0.488]
    """
    elapsed = np.maximum(np.asarray(days, dtype=np.float64), 0.0)
    left: NDArray[np.float64] = np.asarray(value, dtype=np.float64) * params.salience**elapsed
    return left


def confidence(
    initial: ArrayLike,
    age_days: ArrayLike,
    kind: str,
    accesses: ArrayLike = 0,
    trust: ArrayLike = 1.0,
    params: FadingParams = DEFAULT,
) -> NDArray[np.float64]:
    """How far something is still believed, by its age, its kind, its use and its source.

    Equation: min(1, c · 0.5^(age / half-life) · (1 + 0.1 ln(n + 1)) · trust).
    Source: FEATURES.md, row G6; DESIGN.md, "half-life means half-life".
    Range: [0, 1].

    >>> confidence(0.8, [0, 30, 60], "fact").round(3).tolist()
    [0.8, 0.4, 0.2]
    """
    life = params.half_lives.get(kind, params.other_half_life)
    count = np.maximum(np.asarray(accesses, dtype=np.float64), 0.0)
    use = 1.0 + params.access_weight * np.log1p(count)
    left = np.asarray(initial, dtype=np.float64) * half_life(age_days, life) * use
    believed: NDArray[np.float64] = np.clip(left * np.asarray(trust, dtype=np.float64), 0.0, 1.0)
    return believed


def floating_threshold(access_counts: ArrayLike) -> float:
    """How much use is usual: what lies above it has earned its place.

    Equation: the mean of the access counts; 0 where there are none.
    Source: FEATURES.md, row C12 (the sliding threshold of Bienenstock, Cooper & Munro 1982).
    Range: from 0.

    >>> floating_threshold([0, 1, 5])
    2.0
    """
    counts = np.asarray(access_counts, dtype=np.float64)
    return float(counts.mean()) if counts.size else 0.0
