"""Choosing items that are relevant and do not repeat each other."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput


def mmr(relevance: ArrayLike, similarity: ArrayLike, count: int, lam: float = 0.7) -> NDArray[np.int64]:
    """Order in which to show items: the most relevant first, then what adds most to those shown.

    Equation: next = argmax_i lam * relevance_i - (1 - lam) * max_{j shown} similarity_ij; the first pick
    is argmax relevance. Both should be on one scale, usually [0, 1]. Ties go to the lower index.
    Source: maximal marginal relevance (Carbonell & Goldstein 1998), lam = 0.7.
    Range: min(count, n) different indices from 0 ... n - 1.

    >>> twins = [[1.0, 0.99, 0.1], [0.99, 1.0, 0.1], [0.1, 0.1, 1.0]]
    >>> mmr([0.9, 0.89, 0.7], twins, count=2).tolist()
    [0, 2]
    """
    gain = np.asarray(relevance, dtype=np.float64)
    alike = np.asarray(similarity, dtype=np.float64)
    if gain.ndim != 1 or alike.shape != (len(gain), len(gain)):
        raise InvalidInput(f"similarity must be {len(gain)} x {len(gain)}, not {alike.shape}")
    if not 0.0 <= lam <= 1.0:
        raise InvalidInput(f"lam must be between 0 and 1, not {lam}")
    order = np.empty(min(max(count, 0), len(gain)), dtype=np.int64)
    redundancy = np.full(len(gain), -np.inf)
    open_to_choice = np.ones(len(gain), dtype=np.bool_)
    for place in range(len(order)):
        worth = gain if place == 0 else lam * gain - (1.0 - lam) * redundancy
        pick = int(np.argmax(np.where(open_to_choice, worth, -np.inf)))
        order[place] = pick
        open_to_choice[pick] = False
        np.maximum(redundancy, alike[:, pick], out=redundancy)
    return order
