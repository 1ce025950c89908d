"""What is like the best hits, all of them taken together, is likely about the same.

For a message that goes on with a conversation, whose words are about many things, and for a request for what came up in
which order, of which there are many. For a question with one answer it would prefer what repeats the best hits: LoCoMo
loses half a point of recall@10.
"""

import numpy as np
from numpy.typing import NDArray

from recollect.recall.signals import stretched
from recollect.recall.work import Sources, Work

FROM = 6
"""Of so many of the best hits the middle is taken: of ten, RealMem gains a third as much."""
AMONG = 60
"""Of fewer candidates the middle of the best is too near that of all to tell them apart."""
WEIGHT = 0.3


def alike(work: Work, sources: Sources) -> dict[str, object]:
    """How like the middle of the best hits each candidate is, where that is asked for."""
    # A document's formula ranks as the document says.
    if len(work.order) < AMONG or not _is_broad(work) or "own_words" not in work.profile.weights:
        return {}
    best = work.order[:FROM]
    contents = work.confirmed.contents
    numbers, vectors = sources.index.vectors(contents)
    if not len(numbers):
        return {}
    held = np.full((len(contents), vectors.shape[1]), vectors.mean(axis=0), np.float64)
    held[np.searchsorted(contents, numbers)] = vectors
    likeness = like_the_middle(held, best, work.scores[best])
    work.count("alike", stretched(likeness, work.said), WEIGHT)
    return {"alike_to": len(best)}


def like_the_middle(
    vectors: NDArray[np.float64], best: NDArray[np.intp], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How like the middle of the best ones each vector is, once what all have in common is taken away.

    Equation: c · Σ s c', c = (v - mean) / |v - mean|, over the best and their scores s, none below 0.

    >>> vectors = np.array([[3.0, 1.0], [3.0, 0.0], [3.0, 0.0], [3.0, -1.0]])
    >>> like_the_middle(vectors, np.array([0, 1]), np.array([0.5, 0.2])).tolist()
    [0.5, 0.0, 0.0, -0.5]
    """
    centred = vectors - vectors.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1)
    centred /= np.where(lengths > 0, lengths, 1.0)[:, None]
    middle = np.einsum("i,ij->j", np.maximum(scores, 0.0), centred[best])
    # Sums of their own for every row, so that equal rows are equal wherever they lie.
    likeness: NDArray[np.float64] = np.einsum("ij,j->i", centred, middle)
    return likeness


def _is_broad(work: Work) -> bool:
    return work.goes_on if work.framed is None else not work.framed.sums_up
