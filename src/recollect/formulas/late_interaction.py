"""Late interaction: a question's words matched one by one against the words of a text and of its neighbours.

Every word is a vector of its own, as the embedder sees it in its context. A question's word takes the text's
word that is most like it (MaxSim; Khattab & Zaharia 2020, ColBERT). The vectors are the embedder's own, so
no other model is needed. They are kept at 4 bits a dimension.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

DIMENSIONS: Final = 64
LEVELS: Final = 7
# Of a unit vector in 64 rotated dimensions, about four numbers in a thousand are larger than this.
REACH: Final = 0.36
ONE_THREAD: Final = 200_000
"""Multiplications that BLAS does by itself, without waking its threads."""
_STEP: Final = REACH / LEVELS
_OFFSET: Final = 8
_PAIRS: Final = (
    np.stack([np.arange(256) & 15, np.arange(256) >> 4], axis=1).astype(np.float32) - np.float32(_OFFSET)
) * np.float32(_STEP)


@dataclass(frozen=True, slots=True)
class NearbyParams:
    """How far a match in a neighbouring turn counts."""

    decay: float = 0.7
    """What is left of a match one turn away; its square two turns away, and so on."""
    floor: float = 0.3
    """A similarity up to this is no match: most pairs of words have it."""


def pack(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Unit vectors as 4-bit numbers, two in a byte.

    >>> pack(np.zeros((1, 64), np.float32)).shape
    (1, 32)
    """
    levels = np.clip(np.rint(vectors / np.float32(_STEP)), -LEVELS, LEVELS).astype(np.int8) + _OFFSET
    codes = levels.astype(np.uint8)
    packed: NDArray[np.uint8] = codes[:, ::2] | (codes[:, 1::2] << 4)
    return packed


def unpack(codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What `pack` kept of each vector: its length is 1 within a few hundredths.

    >>> unit = np.full((1, 64), 64**-0.5, np.float32)
    >>> bool(abs(unpack(pack(unit)) - unit).max() < 0.03)
    True
    """
    # Row by row of the table and not by two columns: half the time.
    pairs = _PAIRS.take(codes.ravel(), axis=0)
    return pairs.reshape(len(codes), 2 * codes.shape[1])


def best_matches(
    query: NDArray[np.float32], codes: NDArray[np.uint8], ends: NDArray[np.int64]
) -> NDArray[np.float32]:
    """For each text and each word of the question: the similarity of the text's word that is most like it.

    Text i has the words before `ends[i]` and from `ends[i - 1]` on; a text without words matches nothing: 0.
    """
    best = np.zeros((len(ends), len(query)), np.float32)
    starts = np.concatenate([[0], ends[:-1]])
    filled = ends > starts
    if len(query) and filled.any():
        products = np.empty((len(codes), len(query)), np.float32)
        # BLAS shares larger products out to threads, and waits long for them on a busy machine.
        step = max(1, ONE_THREAD // query.size)
        for at in range(0, len(codes), step):
            np.matmul(unpack(codes[at : at + step]), query.T, out=products[at : at + step])
        best[filled] = np.maximum.reduceat(products, starts[filled], axis=0)
    return best


def coverage(matches: NDArray[np.float32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much of the question a text's words cover: Σ weight · match / Σ weight, from 0 to 1.

    >>> coverage(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([3.0, 1.0])).tolist()
    [0.75, 0.5]
    """
    total = weights.sum()
    if total <= 0:
        return np.zeros(len(matches))
    # Packed vectors are up to a few hundredths longer than 1, and so is a word's match with itself.
    covered: NDArray[np.float64] = np.clip(matches, 0.0, 1.0) @ (weights / total)
    return covered


def nearby(
    matches: NDArray[np.float32], around: NDArray[np.int64], params: NearbyParams | None = None
) -> NDArray[np.float32]:
    """The best match of each word of the question in a text or, for less, in one of its neighbours.

    `around[i]` has the rows of `matches` around text i, the text itself in the middle, -1 where there is none.

    >>> found = nearby(np.array([[0.9], [0.4]], np.float32), np.array([[-1, 0, 1], [0, 1, -1]]))
    >>> found.astype(float).round(2).tolist()
    [[0.6], [0.42]]
    """
    chosen = params or NearbyParams()
    reach = around.shape[1] // 2
    found = np.maximum(matches - np.float32(chosen.floor), 0.0)
    # One row more, of zeros, for the neighbours that are not there.
    found = np.concatenate([found, np.zeros((1, found.shape[1]), found.dtype)])
    best = found[around[:, reach]]
    for distance in range(1, reach + 1):
        left = np.float32(chosen.decay**distance)
        for column in (reach - distance, reach + distance):
            np.maximum(best, left * found[around[:, column]], out=best)
    return best
