"""A text's words as vectors: the encoder's last states, narrowed by a projection that was fitted once.

Fitted as in `benchmarks/projection.py`: principal axes of the states of 111,000 tokens of conversations and
encyclopaedic texts, then turned at random, so that every dimension says about as much and 4 bits are enough.
"""

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from recollect.formulas.late_interaction import pack
from recollect.language.terms import STOP_WORDS, hash_of, terms
from recollect.ports import Words

NO_WORD = 0
Projection = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The mean of all words' states, and the matrix that narrows what is left."""


def term_of_each(encoding: Encoding, text: str) -> NDArray[np.uint32]:
    """For each token the hash of its word's term; 0 for what no question asks by: stop words, signs, [CLS]."""
    words: dict[int, int] = {}
    spans: dict[int, list[int]] = {}
    for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
        if word is not None:
            spans.setdefault(word, [start, end])[1] = end
    for word, (start, end) in spans.items():
        found = terms(text[start:end])
        words[word] = NO_WORD if not found or found[0] in STOP_WORDS else hash_of(found[0])
    return np.array([NO_WORD if word is None else words[word] for word in encoding.word_ids], np.uint32)


def words_of(states: NDArray[np.float32], term_hashes: NDArray[np.uint32], projection: Projection) -> Words:
    """One vector a distinct term, the mean of those of its tokens, in the order in which the terms come."""
    kept = np.flatnonzero(term_hashes)
    place: dict[int, int] = {}
    owner = [place.setdefault(term, len(place)) for term in term_hashes[kept].tolist()]
    vectors = unit(narrowed(states[kept], projection))
    if len(place) < len(owner):
        sums = np.zeros((len(place), vectors.shape[1]), np.float32)
        for row, vector in zip(owner, vectors, strict=True):
            sums[row] += vector
        vectors = unit(sums)
    return Words(np.array([*place], np.uint32), pack(vectors))


def narrowed(states: NDArray[np.float32], projection: Projection) -> NDArray[np.float32]:
    """States of tokens in the space in which words are compared."""
    mean, matrix = projection
    return np.asarray((states - mean) @ matrix, np.float32)


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.where(lengths > 0, lengths, np.float32(1))[:, None], np.float32)
