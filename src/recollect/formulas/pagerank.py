"""Where a walker is found who again and again starts from the same few nodes."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

DAMPING = 0.5
"""How likely the walker goes on rather than starting again; HippoRAG's value."""
TOLERANCE = 1e-9
MOST_ROUNDS = 100


def personalised_pagerank(
    sources: ArrayLike,
    targets: ArrayLike,
    weights: ArrayLike,
    restart: ArrayLike,
    *,
    damping: float = DAMPING,
) -> NDArray[np.float64]:
    """The share of time at each node; links are walked both ways.

    Equation: p = (1 − d) · r + d · Wᵀp, W with rows that add up to 1; a node without links gives all it has
    back to the start.
    Source: Page et al. 1999; Haveliwala 2002; as used for retrieval by HippoRAG (Gutiérrez et al. 2024).
    Range: [0, 1], adding up to 1; all 0 where nothing is started from.

    >>> shares = personalised_pagerank([0, 1], [1, 2], [1.0, 1.0], [1.0, 0.0, 0.0, 0.0])
    >>> shares.round(4).tolist()
    [0.5833, 0.3333, 0.0833, 0.0]
    """
    start = np.asarray(restart, np.float64)
    total = start.sum()
    if total <= 0:
        return np.zeros_like(start)
    start = start / total
    one, other = np.asarray(sources, np.intp), np.asarray(targets, np.intp)
    weight = np.asarray(weights, np.float64)
    leaving, arriving = np.concatenate([one, other]), np.concatenate([other, one])
    both = np.concatenate([weight, weight])
    out = np.bincount(leaving, both, len(start))
    share = both / np.where(out[leaving] > 0, out[leaving], 1.0)
    stuck = out <= 0
    rank: NDArray[np.float64] = start
    for _ in range(MOST_ROUNDS):
        moved = np.bincount(arriving, share * rank[leaving], len(start))
        following: NDArray[np.float64] = (1 - damping) * start + damping * (moved + rank[stuck].sum() * start)
        if np.abs(following - rank).sum() < TOLERANCE:
            return following
        rank = following
    return rank
