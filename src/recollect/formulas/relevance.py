"""How likely it is that a hit is about what was asked, as a number that compares across questions."""

import numpy as np
from numpy.typing import NDArray

from recollect.model import Calibration


def relevance(
    similarity: NDArray[np.float64], covered: NDArray[np.float64], calibration: Calibration
) -> NDArray[np.float64]:
    """From 0, surely about something else, to 1.

    Equation: 1 / (1 + e^-(a s + b c + bias)), s the cosine with the question, c the share of the question's
    words that the hit and its neighbours cover.
    Source: logistic regression over hits of public sets, evidence against the best hits for the same questions in
    another conversation's store (`python -m benchmarks.relevance`).
    Range: (0, 1).

    >>> calibration = Calibration(similarity=10.0, covered=20.0, bias=-10.0)
    >>> relevance(np.array([0.2, 0.6]), np.array([0.1, 0.4]), calibration).round(3).tolist()
    [0.002, 0.982]
    """
    strength = calibration.similarity * similarity + calibration.covered * covered + calibration.bias
    likely: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-strength))
    return likely


def raised(likely: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    """The same with its strength, its log-odds, higher by so much.

    >>> raised(np.array([0.0, 0.09, 0.5, 1.0]), 2.5).round(2).tolist()
    [0.0, 0.55, 0.92, 1.0]
    """
    more: NDArray[np.float64] = likely / (likely + (1.0 - likely) * np.exp(-by))
    return more
