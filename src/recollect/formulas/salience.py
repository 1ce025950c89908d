"""How much something stands out among what is known, by who names it, how lately and how importantly."""

import math
from collections.abc import Iterable


def salience(mentions: Iterable[tuple[float, float]], half_life_days: float = 30.0) -> float:
    """1 − exp(−Σ importance · 0.5^(age / half-life)), of (importance, age in days) of each mention; 0 to 1.

    Rises with every mention, and halves its exponent in every half-life in which nothing new is said.

    >>> round(salience([(1.0, 0.0)]), 3), round(salience([(1.0, 30.0)]), 3), salience([])
    (0.632, 0.393, 0.0)
    """
    weight = sum(
        importance * 0.5 ** (max(age_days, 0.0) / half_life_days) for importance, age_days in mentions
    )
    return 1.0 - math.exp(-weight)
