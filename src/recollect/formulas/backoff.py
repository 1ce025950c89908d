"""Chances from few counts: each level is shrunk towards the one above it."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput

Counts = tuple[ArrayLike, ArrayLike]
"""How often something was tried, and how often it went well."""


def backed_off(
    levels: Iterable[Counts], *, prior: float = 0.5, pseudo_counts: float = 3.0
) -> NDArray[np.float64]:
    """The chance of success at the last of the levels, which go from the general to the particular.

    Equation: p_0 = prior; p_i = (wins_i + m * p_(i-1)) / (tries_i + m), with m pseudo-counts.
    Source: hierarchical additive smoothing (Witten and Bell); FEATURES.md, row P3: one lucky run does not win.
    Range: within (0, 1) for a prior within it.

    >>> backed_off([(100, 50), (1, 1)]).round(3).tolist()
    0.625
    """
    if not pseudo_counts > 0.0:
        raise InvalidInput(f"pseudo-counts must be above 0, not {pseudo_counts}")
    chance = np.asarray(prior, np.float64)
    for tries, wins in levels:
        tried, won = np.asarray(tries, np.float64), np.asarray(wins, np.float64)
        chance = (won + pseudo_counts * chance) / (tried + pseudo_counts)
    return chance
