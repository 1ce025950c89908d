"""The arrays of a range of documents: immutable, in memory or in a file of their own."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from recollect.index.arrays import Arrays, Damaged
from recollect.index.bits import pack, words_for
from recollect.index.documents import Batch
from recollect.index.postings import Postings
from recollect.index.vectors import widen

LONGEST: Final = np.iinfo(np.uint16).max
Found = tuple[NDArray[np.uint32], NDArray[np.uint8]]
"""The positions of the documents that have a term, ascending, and how often each has it."""


class Occurrences(NamedTuple):
    """In how many documents a term occurs, and in which."""

    frequency: int
    load: Callable[[], Found]


class Segment:
    """All documents with after < content <= last. Adjacent segments leave no document between them."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self.path = arrays.path
        self.after: int = arrays.head["after"]
        self.last: int = arrays.head["last"]
        self.count: int = arrays.head["documents"]
        self.embedded_count: int = arrays.head["embedded"]
        self.total_length: int = arrays.head["total_length"]

    @classmethod
    def build(cls, batch: Batch, after: int, last: int, mean: NDArray[np.float32]) -> Self:
        """From documents of the store."""
        bits = np.zeros((words_for(len(mean)), len(batch.contents)), np.uint64)
        bits[:, batch.embedded] = pack(widen(batch.vectors), mean)
        return cls._of(
            after,
            last,
            mean,
            batch.contents,
            batch.embedded,
            bits,
            lengths(batch.counts),
            batch.threads,
            batch.own,
            Postings.build(batch.terms, batch.counts),
        )

    @classmethod
    def merge(cls, segments: Sequence["Segment"]) -> Self:
        """One segment in place of adjacent ones, whose bits were made with the same mean."""
        bases = np.cumsum([0, *(segment.count for segment in segments)])
        return cls._of(
            segments[0].after,
            segments[-1].last,
            common_mean(segments),
            np.concatenate([segment.contents for segment in segments]),
            np.concatenate([segment.embedded for segment in segments]),
            np.concatenate([segment.bits for segment in segments], axis=1),
            np.concatenate([segment.lengths for segment in segments]),
            np.concatenate([segment.threads for segment in segments]),
            np.concatenate([segment.own for segment in segments]),
            Postings.merge([segment.all_postings for segment in segments], bases[:-1].tolist()),
        )

    def without(self, contents: NDArray[np.int64]) -> "Segment":
        """The same range without these documents, and without a trace of them."""
        kept = ~np.isin(self.contents, contents)
        if kept.all():
            return self
        return self._of(
            self.after,
            self.last,
            self.mean,
            self.contents[kept],
            self.embedded[kept],
            self.bits[:, kept],
            self.lengths[kept],
            self.threads[kept],
            self.own[kept],
            self.all_postings.keeping(kept),
        )

    def reaching(self, last: int) -> "Segment":
        """The same documents for a range that goes on to `last`, where no more of them are."""
        return Segment(self._arrays.labelled({"last": last}))

    @classmethod
    def open(cls, path: Path, label: Mapping[str, Any]) -> Self:
        """Map a file; `Damaged` if it is broken or was made for something else than the label says."""
        arrays = Arrays.open(path)
        if any(arrays.head.get(name) != value for name, value in label.items()):
            raise Damaged(path, f"is not of {label}")
        try:
            return cls(arrays)
        except KeyError as error:
            raise Damaged(path, f"is not a segment ({error})") from error

    def save(self, path: Path, label: Mapping[str, Any]) -> None:
        self._arrays.labelled(label).save(path)

    @property
    def contents(self) -> NDArray[np.int64]:
        return self._arrays.whole("contents")

    @property
    def embedded(self) -> NDArray[np.bool_]:
        return self._arrays.whole("embedded")

    @property
    def mean(self) -> NDArray[np.float32]:
        return self._arrays.whole("mean")

    @property
    def bits(self) -> NDArray[np.uint64]:
        return self._arrays.whole("bits")

    @property
    def lengths(self) -> NDArray[np.uint16]:
        return self._arrays.whole("lengths")

    @property
    def threads(self) -> NDArray[np.int64]:
        return self._arrays.whole("threads")

    @property
    def own(self) -> NDArray[np.bool_]:
        return self._arrays.whole("own")

    @property
    def all_postings(self) -> Postings:
        return Postings(*(self._arrays.whole(name) for name in ("terms", "offsets", "documents", "times")))

    def find(self, terms: NDArray[np.uint32]) -> list[Occurrences]:
        """Where terms occur; of the file only what is then loaded is read and checked."""
        known: NDArray[np.uint32] = self._arrays.whole("terms")
        offsets: NDArray[np.int64] = self._arrays.whole("offsets")
        starts = np.searchsorted(known, terms)
        there = starts < len(known)
        there[there] = known[starts[there]] == terms[there]
        spans = zip(offsets[starts].tolist(), offsets[starts + there].tolist(), strict=True)
        return [Occurrences(stop - start, partial(self._load, start, stop)) for start, stop in spans]

    def _load(self, start: int, stop: int) -> Found:
        return self._arrays.part("documents", start, stop), self._arrays.part("times", start, stop)

    @classmethod
    def _of(
        cls,
        after: int,
        last: int,
        mean: NDArray[np.float32],
        contents: NDArray[np.int64],
        embedded: NDArray[np.bool_],
        bits: NDArray[np.uint64],
        lengths: NDArray[np.uint16],
        threads: NDArray[np.int64],
        own: NDArray[np.bool_],
        postings: Postings,
    ) -> Self:
        head = {
            "after": int(after),
            "last": int(last),
            "documents": len(contents),
            "embedded": int(np.count_nonzero(embedded)),
            "total_length": int(lengths.sum(dtype=np.int64)),
        }
        arrays: dict[str, NDArray[Any]] = {
            "mean": mean,
            "contents": contents,
            "embedded": embedded,
            "lengths": lengths,
            "threads": threads,
            "own": own,
            "bits": np.ascontiguousarray(bits),
            "terms": postings.terms,
            "offsets": postings.offsets,
            "documents": postings.documents,
            "times": postings.times,
        }
        return cls(Arrays(head, arrays))


def lengths(counts: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Document lengths in terms; a longer one counts as the longest that fits."""
    return np.minimum(counts, LONGEST).astype(np.uint16)


def common_mean(segments: Sequence[Segment]) -> NDArray[np.float32]:
    """The mean that their bits were made with; one without vectors has no say in it."""
    return next((segment for segment in segments if segment.embedded_count), segments[0]).mean
