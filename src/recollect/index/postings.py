"""Which documents have which term, and how often: an inverted index as four arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import distinct, firsts

MOST_TIMES: Final = np.iinfo(np.uint8).max
_DOCUMENT: Final = np.uint64(0xFFFFFFFF)
_TERM_SHIFT: Final = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Postings:
    """Term i is in `documents[offsets[i]:offsets[i + 1]]`, ascending positions; `times` says how often."""

    terms: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    documents: NDArray[np.uint32]
    times: NDArray[np.uint8]

    @classmethod
    def build(cls, terms: NDArray[np.uint32], counts: NDArray[np.int64]) -> Self:
        """From the terms of all documents one after another, and how many each has."""
        # One sort of (term, document) in a single number is several times faster than a lexsort.
        keys = terms.astype(np.uint64) << _TERM_SHIFT
        keys |= np.repeat(np.arange(len(counts), dtype=np.uint64), counts)
        keys.sort()
        starts = np.flatnonzero(firsts(keys))
        times = np.diff(starts, append=len(keys))
        keys = keys[starts]
        return cls._of((keys >> _TERM_SHIFT).astype(np.uint32), (keys & _DOCUMENT).astype(np.uint32), times)

    @classmethod
    def merge(cls, parts: Sequence["Postings"], bases: Sequence[int]) -> Self:
        """Those of adjacent documents, part i starting at position bases[i], without sorting again."""
        terms = distinct(*(part.terms for part in parts))
        places = [np.searchsorted(terms, part.terms) for part in parts]
        filled = np.zeros(len(terms) + 1, np.int64)
        for part, place in zip(parts, places, strict=True):
            filled[place + 1] += np.diff(part.offsets)
        offsets = np.cumsum(filled)
        documents = np.empty(offsets[-1], np.uint32)
        times = np.empty(offsets[-1], np.uint8)
        filled = offsets[:-1].copy()
        for part, place, base in zip(parts, places, bases, strict=True):
            lengths = np.diff(part.offsets)
            target = np.repeat(filled[place] - part.offsets[:-1], lengths)
            target += np.arange(len(target))
            documents[target] = part.documents + np.uint32(base)
            times[target] = part.times
            filled[place] += lengths
        return cls(terms, offsets, documents, times)

    def keeping(self, kept: NDArray[np.bool_]) -> Self:
        """Only these documents, their positions closed up; a term that only the others had is gone."""
        chosen = kept[self.documents]
        position = np.cumsum(kept, dtype=np.int64) - 1
        terms = np.repeat(self.terms, np.diff(self.offsets))[chosen]
        return self._of(terms, position[self.documents[chosen]].astype(np.uint32), self.times[chosen])

    @classmethod
    def _of(
        cls, terms: NDArray[np.uint32], documents: NDArray[np.uint32], times: NDArray[np.integer]
    ) -> Self:
        """From one row a (term, document), sorted."""
        starts = np.flatnonzero(firsts(terms))
        return cls(
            terms[starts],
            np.append(starts, len(terms)).astype(np.int64),
            documents,
            np.minimum(times, MOST_TIMES).astype(np.uint8),
        )
