"""FSRS-6: the forgetting curve and the growth of stability that were fitted to millions of reviews.

A preset beside the document's curve. Time is in fractions of a day.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import exp, pow  # noqa: A004 - the operator gives Any to a type checker

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.formulas.retention import LEAST_STABILITY

EASIEST, HARDEST = 1.0, 10.0


class Rating(StrEnum):
    """How well something was brought back."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"
    EASY = "easy"


STEPS = {Rating.AGAIN: 1, Rating.HARD: 2, Rating.GOOD: 3, Rating.EASY: 4}


@dataclass(frozen=True, slots=True)
class FsrsParams:
    """The published default weights of FSRS-6, by what they do; one that only second reviews of a day need is left out."""

    first_again: float = 0.212
    first_hard: float = 1.2931
    first_good: float = 2.3065
    first_easy: float = 8.2956
    difficulty_start: float = 6.4133
    difficulty_spread: float = 0.8334
    difficulty_step: float = 3.0194
    difficulty_reversion: float = 0.001
    growth: float = 1.8722
    growth_saturation: float = 0.1666
    growth_spacing: float = 0.796
    lapse: float = 1.4835
    lapse_difficulty: float = 0.0614
    lapse_stability: float = 0.2629
    lapse_spacing: float = 1.6483
    hard_penalty: float = 0.6014
    easy_bonus: float = 1.8729
    same_day: float = 0.5425
    same_day_offset: float = 0.0912
    curve: float = 0.1542


DEFAULT = FsrsParams()


def fsrs_retention(
    elapsed_days: ArrayLike, stability_days: ArrayLike, params: FsrsParams = DEFAULT
) -> NDArray[np.float64]:
    """Probability that a memory can still be brought back; 0.9 after as many days as its stability.

    Equation: R = (1 + f t / S)^-c, with c the weight `curve` and f = 0.9^(-1/c) - 1.
    Source: FSRS-6 (open-spaced-repetition, "The Algorithm").
    Range: (0, 1]; 1 at once and for a future time.

    >>> fsrs_retention([0, 2, 20], 2.0).round(4).tolist()
    [1.0, 0.9, 0.6928]
    """
    elapsed = np.maximum(np.asarray(elapsed_days, dtype=np.float64), 0.0)
    stability = np.maximum(np.asarray(stability_days, dtype=np.float64), LEAST_STABILITY)
    factor = 0.9 ** (-1.0 / params.curve) - 1.0
    left: NDArray[np.float64] = (1.0 + factor * elapsed / stability) ** -params.curve
    return left


def first_stability(rating: Rating, params: FsrsParams = DEFAULT) -> float:
    """Stability in days after the first time.

    Equation: one weight for each rating.
    Source: FSRS-6. Range: above 0.

    >>> first_stability(Rating.GOOD)
    2.3065
    """
    return {
        Rating.AGAIN: params.first_again,
        Rating.HARD: params.first_hard,
        Rating.GOOD: params.first_good,
        Rating.EASY: params.first_easy,
    }[rating]


def first_difficulty(rating: Rating, params: FsrsParams = DEFAULT) -> float:
    """Difficulty after the first time.

    Equation: D = start - e^(spread (g - 1)) + 1, with g from 1 (again) to 4 (easy).
    Source: FSRS-6. Range: [1, 10].

    >>> round(first_difficulty(Rating.GOOD), 4)
    2.1181
    """
    return _within(_start(rating, params))


def next_difficulty(difficulty: float, rating: Rating, params: FsrsParams = DEFAULT) -> float:
    """Difficulty after another time: it moves less the closer it is to the hardest.

    Equation: D' = r D0(easy) + (1 - r) (D - step (g - 3) (10 - D) / 9).
    Source: FSRS-6. Range: [1, 10].

    >>> next_difficulty(5.0, Rating.AGAIN) > 5.0 > next_difficulty(5.0, Rating.EASY)
    True
    """
    moved = difficulty - params.difficulty_step * (STEPS[rating] - 3) * (HARDEST - difficulty) / 9.0
    kept = params.difficulty_reversion
    return _within(kept * _start(Rating.EASY, params) + (1.0 - kept) * moved)


def next_stability(
    stability: float, difficulty: float, recalled: float, rating: Rating, params: FsrsParams = DEFAULT
) -> float:
    """Stability after another time, a day or more later, when the retention was `recalled`.

    Equation: found: S (1 + e^growth (11 - D) S^-saturation (e^(spacing (1 - R)) - 1) h), with h the hard penalty
    or the easy bonus; not found: min(lapse D^-d ((S + 1)^s - 1) e^(l (1 - R)), S / e^(same_day offset)).
    Source: FSRS-6. Range: from 0.001; never less than before where it was found.

    >>> next_stability(2.0, 5.0, 0.9, Rating.GOOD) > 2.0 > next_stability(2.0, 5.0, 0.9, Rating.AGAIN)
    True
    """
    lost = 1.0 - recalled
    if rating is Rating.AGAIN:
        relearnt = params.lapse * pow(difficulty, -params.lapse_difficulty)
        relearnt *= (pow(stability + 1.0, params.lapse_stability) - 1.0) * exp(params.lapse_spacing * lost)
        most = stability / exp(params.same_day * params.same_day_offset)
        return max(min(relearnt, most), LEAST_STABILITY)
    factor = {Rating.HARD: params.hard_penalty, Rating.EASY: params.easy_bonus}.get(rating, 1.0)
    grown = exp(params.growth) * (11.0 - difficulty) * pow(stability, -params.growth_saturation)
    return max(
        stability * (1.0 + grown * (exp(params.growth_spacing * lost) - 1.0) * factor), LEAST_STABILITY
    )


def _start(rating: Rating, params: FsrsParams) -> float:
    return params.difficulty_start - exp(params.difficulty_spread * (STEPS[rating] - 1)) + 1.0


def _within(difficulty: float) -> float:
    return min(max(difficulty, EASIEST), HARDEST)
