"""What is like the best hits, all of them taken together, is likely about the same.

For a message that goes on with a conversation, whose words are about many things, and for a request for what came up in
which order, of which there are many. For a question with one answer it would prefer what repeats the best hits: LoCoMo
loses half a point of recall@10.
"""

import numpy as np

from recollect.recall.signals import stretched
from recollect.recall.work import Sources, Work

FROM = 6
"""Of so many of the best hits the middle is taken: of ten, RealMem gains a third as much."""
WEIGHT = 0.3


def alike(work: Work, sources: Sources) -> dict[str, object]:
    """How like the middle of the best hits each candidate is, where that is asked for."""
    best = work.order[:FROM]
    # A document's formula ranks as the document says.
    if not (_is_broad(work) and "own_words" in work.profile.weights and len(best)):
        return {}
    contents = work.confirmed.contents
    numbers, vectors = sources.index.vectors(contents)
    if not len(numbers):
        return {}
    centred = np.zeros((len(contents), vectors.shape[1]))
    known = np.searchsorted(contents, numbers)
    centred[known] = vectors - vectors.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1)
    centred /= np.where(lengths > 0, lengths, 1.0)[:, None]
    middle = np.einsum("i,ij->j", np.maximum(work.scores[best], 0.0), centred[best])
    # Sums of their own for every row, so that equal rows are equal wherever they lie.
    likeness = np.einsum("ij,j->i", centred, middle)
    work.count("alike", stretched(likeness, work.said), WEIGHT)
    return {"alike_to": len(best)}


def _is_broad(work: Work) -> bool:
    return work.goes_on or (work.framed is not None and not work.framed.sums_up)
