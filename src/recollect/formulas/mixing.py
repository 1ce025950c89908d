"""How much the level counts beside the content: a weight that outcomes teach, held near where it began."""

from math import exp, log

import numpy as np

from recollect.formulas.weighing import Weighing

FARTHEST = log(8.0)
"""So far, as a logarithm, the weight moves from where it began, either way."""


def unmixed() -> Weighing:
    """Before any outcome; its two signals are the content's score and the level's."""
    return Weighing(np.zeros(2), np.zeros(2))


def mixed(before: float, learnt: Weighing) -> float:
    """What the level weighs against a content that weighs 1.

    Equation: α / (1 − α) with logit α = logit α₀ + g(level) − g(content), where g is what a signal gained and
    α₀ / (1 − α₀) the weight before. Source: mixed-curvature attention; FEATURES.md, row M13.

    >>> mixed(0.5, unmixed())
    0.5
    >>> mixed(0.5, Weighing(np.array([0.0, log(2.0)]), np.zeros(2))).__round__(9)
    1.0
    """
    content, level = learnt.gained.tolist()
    return before * exp(max(-FARTHEST, min(FARTHEST, level - content)))
