"""BM25: how well a document's words answer a question's words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class BM25Params:
    """k1: how soon repeating a word stops to help; b: how much a long document is held against it."""

    k1: float = 0.9
    b: float = 0.6


DEFAULT_PARAMS = BM25Params()


def idf(document_count: ArrayLike, document_frequency: ArrayLike) -> NDArray[np.float64]:
    """How much a word tells, from how few documents have it.

    Equation: ln(1 + (N - df + 0.5) / (df + 0.5)).
    Source: Lucene's BM25Similarity (Robertson & Zaragoza 2009, with the 1 that keeps it positive).
    Range: (0, ln(2N + 2)]. A df above N, which stale counts can give, counts as N.

    >>> idf(1000, [1, 500, 1000]).round(4).tolist()
    [6.5033, 0.6931, 0.0005]
    """
    total = np.asarray(document_count, dtype=np.float64)
    frequency = np.clip(np.asarray(document_frequency, dtype=np.float64), 0.0, total)
    weight: NDArray[np.float64] = np.log1p((total - frequency + 0.5) / (frequency + 0.5))
    return weight


def term_weight(
    tf: ArrayLike, length: ArrayLike, mean_length: float, params: BM25Params = DEFAULT_PARAMS
) -> NDArray[np.float64]:
    """How much a document that has a word `tf` times is about that word.

    Equation: tf / (tf + k1 * (1 - b + b * length / mean_length)).
    Source: BM25 as in Lucene 8 and later, without the constant factor k1 + 1.
    Range: [0, 1]; 0 where tf is 0. A mean length below 1 counts as 1.

    >>> term_weight([0, 1, 2], [10, 10, 10], mean_length=10).round(4).tolist()
    [0.0, 0.5263, 0.6897]
    """
    count, size = np.broadcast_arrays(
        np.maximum(np.asarray(tf, dtype=np.float64), 0.0), np.asarray(length, dtype=np.float64)
    )
    saturation = params.k1 * (1.0 - params.b + params.b * size / max(mean_length, 1.0))
    # With k1 = 0 an absent word would be 0 / 0.
    weight = np.zeros(count.shape)
    np.divide(count, count + saturation, out=weight, where=count > 0)
    return weight
