"""What each signal of advice says about success: weights that outcomes teach, held near where they began."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

SIGNALS = ("similarity", "recency", "reward", "region_match", "task_match", "usage_success")
"""Of a piece of advice that was followed; each within [0, 1]."""
DOCUMENTED = (1.0, 0.3, 0.5, 0.2, 0.2, 0.4)
"""The weights of RFC-013, part C; it has none for the task match, which gets the region match's."""
DECAY_PER_DAY = 0.01


@dataclass(frozen=True, slots=True)
class WeighingParams:
    """How fast weights follow outcomes, and how firmly they are held."""

    rate: float = 0.5
    pull: float = 0.01
    """Of the way back, what is gone with every outcome."""


class Weighing(NamedTuple):
    """What was learnt so far."""

    gained: NDArray[np.float64]
    """What each signal's weight gained over the one that it began with."""
    usual: NDArray[np.float64]
    """The mean of each signal over the outcomes."""
    outcomes: int = 0
    successes: int = 0


def unlearnt() -> Weighing:
    """Before any outcome."""
    return Weighing(np.zeros(len(SIGNALS)), np.zeros(len(SIGNALS)))


def log_posterior(signals: ArrayLike, weights: ArrayLike = DOCUMENTED) -> NDArray[np.float64]:
    """How relevant advice is, as a logarithm, up to a constant.

    Equation: the sum of weight * signal, with exp(-0.01 * age in days) as recency.
    Source: RFC-013, part C; FEATURES.md, row P7.

    >>> float(log_posterior([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]).round(1))
    2.6
    """
    total: NDArray[np.float64] = np.asarray(signals, np.float64) @ np.asarray(weights, np.float64)
    return total


def learned(before: Weighing, signals: ArrayLike, success: bool, params: WeighingParams) -> Weighing:
    """The weights after one more outcome, with the mean signals of the advice that was followed.

    Equation: one step of logistic regression of success on the signals, less their usual values, with the usual
    success as its intercept; then back by `pull` of the way.
    Source: RFC-013, part F, step 12; regularised towards the prior, so that a weight leaves it only with evidence.
    """
    given = np.asarray(signals, np.float64)
    count = before.outcomes + 1
    unusual = given - before.usual if before.outcomes else np.zeros_like(given)
    rate = (before.successes + 1.0) / (before.outcomes + 2.0)
    chance = 1.0 / (1.0 + np.exp(-(np.log(rate / (1.0 - rate)) + before.gained @ unusual)))
    gained = (1.0 - params.pull) * (before.gained + params.rate * (float(success) - chance) * unusual)
    usual = before.usual + (given - before.usual) / count
    return Weighing(gained, usual, count, before.successes + int(success))
