"""What bringing a memory back does to it: how deeply it is stored, and how slowly it fades from then on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class StrengthParams:
    """Bounds of the two strengths, and what an access gives to them."""

    least_storage: float = 1.0
    most_storage: float = 10.0
    storage_step: float = 0.1
    """Which part of the way to the most an access goes."""
    growth: float = 0.5
    """By how much the stability of something nearly lost grows: 1.5 times, as a rehearsal does."""
    spread: float = 0.02
    """What a neighbour of it gains, and each of a pair that was brought back together."""
    most_stability: float = 36_500.0


DEFAULT = StrengthParams()


def stored(storage: ArrayLike, times: ArrayLike = 1, params: StrengthParams = DEFAULT) -> NDArray[np.float64]:
    """Storage strength after it was brought back some times; it never decays.

    Equation: s' = 10 - (10 - s) (1 - 0.1)^n, with s cut to [1, 10].
    Source: FEATURES.md, row C10 (storage 1 to 10, rising with each retrieval); the step is ours.
    Range: [1, 10].

    >>> stored(1.0, [0, 1, 2]).round(2).tolist()
    [1.0, 1.9, 2.71]
    """
    start = np.clip(np.asarray(storage, dtype=np.float64), params.least_storage, params.most_storage)
    count = np.maximum(np.asarray(times, dtype=np.float64), 0.0)
    deeper: NDArray[np.float64] = params.most_storage - (params.most_storage - start) * (
        (1.0 - params.storage_step) ** count
    )
    return deeper


def stabilised(
    stability_days: ArrayLike, recalled: ArrayLike, params: StrengthParams = DEFAULT
) -> NDArray[np.float64]:
    """Stability after it was brought back when its retention was `recalled`: the harder it was, the more.

    Equation: S' = S (1 + 0.5 (1 - R)), with R cut to [0, 1]; at most 100 years.
    Source: the spacing effect, as in FSRS; the limit of 1.5 is the rehearsal of FEATURES.md, row C36.
    Range: [S, 1.5 S].

    >>> stabilised(2.0, [1.0, 0.5, 0.0]).tolist()
    [2.0, 2.5, 3.0]
    """
    before = np.asarray(stability_days, dtype=np.float64)
    lost = 1.0 - np.clip(np.asarray(recalled, dtype=np.float64), 0.0, 1.0)
    return _bounded(before, before * (1.0 + params.growth * lost), params)


def spread(
    stability_days: ArrayLike, times: ArrayLike = 1, params: StrengthParams = DEFAULT
) -> NDArray[np.float64]:
    """Stability after a neighbour, or the other one of a pair, was brought back some times.

    Equation: S' = S (1 + 0.02)^n; at most 100 years.
    Source: FEATURES.md, rows C27 and C29.
    Range: from S.

    >>> spread(1.0, [0, 1, 2]).round(4).tolist()
    [1.0, 1.02, 1.0404]
    """
    before = np.asarray(stability_days, dtype=np.float64)
    count = np.maximum(np.asarray(times, dtype=np.float64), 0.0)
    with np.errstate(over="ignore"):
        return _bounded(before, before * (1.0 + params.spread) ** count, params)


def _bounded(
    before: NDArray[np.float64], after: NDArray[np.float64], params: StrengthParams
) -> NDArray[np.float64]:
    """Nothing is taken from what lies above the bound already."""
    bounded: NDArray[np.float64] = np.maximum(before, np.minimum(after, params.most_stability))
    return bounded
