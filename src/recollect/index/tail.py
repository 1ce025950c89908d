"""The newest documents, not in a segment yet."""

import threading
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import firsts
from recollect.index.bits import centre, pack, words_for
from recollect.index.column import Column
from recollect.index.documents import Batch
from recollect.index.postings import MOST_TIMES
from recollect.index.segment import Occurrences, lengths
from recollect.index.vectors import widen

REMEMBERED_TERMS = 1_024


class Tail:
    """Documents as they come, searched by looking at every term: no build, and quick while they are few."""

    def __init__(self, dimension: int, mean_of: int) -> None:
        self._dimension = dimension
        self._mean_of = mean_of
        self._contents = Column(np.int64)
        self._terms = Column(np.uint32)
        self._owners = Column(np.uint32)
        self._counts = Column(np.int64)
        self._embedded = Column(np.bool_)
        self._vectors = Column(np.float16, dimension)
        self._threads = Column(np.int64)
        self._own = Column(np.bool_)
        self._sum = np.zeros(dimension)
        self._summed = 0
        self._bits = Column(np.uint64, words_for(dimension))
        self._bits_mean: NDArray[np.float32] | None = None
        self._packing = threading.Lock()

    def __len__(self) -> int:
        return len(self._contents)

    @property
    def batch(self) -> Batch:
        """All that it holds."""
        return Batch(
            self._contents.values,
            self._terms.values,
            self._counts.values,
            self._embedded.values,
            self._vectors.values,
            self._threads.values,
            self._own.values,
        )

    def extend(self, batch: Batch) -> None:
        self._owners.extend(
            np.repeat(np.arange(len(self), len(self) + len(batch.contents), dtype=np.uint32), batch.counts)
        )
        self._contents.extend(batch.contents)
        self._terms.extend(batch.terms)
        self._counts.extend(batch.counts)
        self._embedded.extend(batch.embedded)
        self._vectors.extend(batch.vectors)
        self._threads.extend(batch.threads)
        self._own.extend(batch.own)

    def keeping(self, kept: NDArray[np.bool_]) -> "Tail":
        """Another tail with only these documents."""
        if kept.all():
            return self
        smaller = Tail(self._dimension, self._mean_of)
        smaller.extend(self.batch.keeping(kept))
        return smaller

    def mean(self) -> NDArray[np.float32]:
        """Mean of its first vectors: of as many as the first segment would take, so that both agree."""
        new = self._vectors.values[self._summed : self._mean_of]
        if len(new):
            self._sum = self._sum + widen(new).sum(axis=0, dtype=np.float64)
            self._summed += len(new)
        return centre(self._sum, self._summed)

    def part(self, mean: NDArray[np.float32]) -> "TailPart":
        """What a search sees of it; documents that come later do not change it."""
        return TailPart(
            self, mean, len(self), self._terms.values, self._owners.values, lengths(self._counts.values)
        )

    def packed(self, count: int, mean: NDArray[np.float32]) -> NDArray[np.uint64]:
        """Sign bits of the first `count`; only those that are new since the last call are made."""
        with self._packing:
            if self._bits_mean is None or not np.array_equal(mean, self._bits_mean):
                self._bits, self._bits_mean = Column(np.uint64, words_for(self._dimension)), mean
            done = len(self._bits)
            if done < count:
                embedded = self._embedded.values[done:count]
                before = np.count_nonzero(self._embedded.values[:done])
                vectors = self._vectors.values[before : before + np.count_nonzero(embedded)]
                rows = np.zeros((count - done, words_for(self._dimension)), np.uint64)
                rows[embedded] = pack(widen(vectors), mean).T
                self._bits.extend(rows)
            return self._bits.values[:count].T


@dataclass(frozen=True, slots=True)
class TailPart:
    """The tail as it was at one moment, with the same face as a `Segment`."""

    tail: Tail
    mean: NDArray[np.float32]
    count: int
    terms: NDArray[np.uint32]
    owners: NDArray[np.uint32]
    lengths: NDArray[np.uint16]
    found: dict[int, Occurrences] = field(default_factory=dict)
    """Terms that were looked for: a recall asks for the same ones several times."""

    @property
    def bits(self) -> NDArray[np.uint64]:
        return self.tail.packed(self.count, self.mean)

    def find(self, terms: NDArray[np.uint32]) -> list[Occurrences]:
        return [self._find(term) for term in terms.tolist()]

    def _find(self, term: int) -> Occurrences:
        known = self.found.get(term)
        if known is None:
            if len(self.found) >= REMEMBERED_TERMS:
                self.found.clear()
            known = self.found[term] = _occurrences(self.owners[self.terms == term])
        return known


def _occurrences(owners: NDArray[np.uint32]) -> Occurrences:
    """From the ascending positions of the documents that have the term, one for each time."""
    starts = np.flatnonzero(firsts(owners))
    times = np.minimum(np.diff(starts, append=len(owners)), MOST_TIMES).astype(np.uint8)
    return Occurrences(len(starts), lambda: (owners[starts], times))
