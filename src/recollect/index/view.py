"""What one search sees: the segments and the tail as they were at one moment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.index.column import Column
from recollect.index.segment import Occurrences
from recollect.language.searched import TITLED

# Up to so many times the documents, a table over the whole range of numbers is faster than a search.
SPARSEST_TABLE = 4


class Part(Protocol):
    """A segment or the tail."""

    @property
    def count(self) -> int: ...
    @property
    def mean(self) -> NDArray[np.float32]: ...
    @property
    def bits(self) -> NDArray[np.uint64]: ...
    @property
    def lengths(self) -> NDArray[np.uint16]: ...
    def find(self, terms: NDArray[np.uint32]) -> list[Occurrences]: ...


class Documents(Protocol):
    """What a segment and a batch of documents both say of each of theirs."""

    @property
    def contents(self) -> NDArray[np.int64]: ...
    @property
    def embedded(self) -> NDArray[np.bool_]: ...
    @property
    def threads(self) -> NDArray[np.int64]: ...
    @property
    def own(self) -> NDArray[np.bool_]: ...


class Rows:
    """One row a document, through all parts."""

    def __init__(self) -> None:
        self.contents = Column(np.int64)
        self._embedded = Column(np.bool_)
        self._threads = Column(np.int64)
        self._own = Column(np.bool_)

    def extend(self, documents: Documents) -> None:
        self.contents.extend(documents.contents)
        self._embedded.extend(documents.embedded)
        self._threads.extend(documents.threads)
        self._own.extend(documents.own)

    def view(self, parts: Sequence[Part], mean: NDArray[np.float32], total_length: int) -> "View":
        """What a search sees; rows that come later do not change it."""
        return View(
            parts,
            self.contents.values,
            self._embedded.values,
            self._threads.values,
            self._own.values,
            mean,
            total_length,
        )


@dataclass(frozen=True)
class View:
    """Rows are numbered through all parts, by ascending content number."""

    parts: Sequence[Part]
    contents: NDArray[np.int64]
    embedded: NDArray[np.bool_]
    threads: NDArray[np.int64]
    own: NDArray[np.bool_]
    mean: NDArray[np.float32]
    total_length: int

    def __len__(self) -> int:
        return len(self.contents)

    @cached_property
    def bases(self) -> list[int]:
        """The row at which each part begins."""
        ends = list(accumulate(part.count for part in self.parts))
        return [0, *ends[:-1]] if ends else []

    @cached_property
    def embedded_rows(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.embedded)

    @cached_property
    def every_embedded(self) -> bool:
        return bool(self.embedded.all())

    @cached_property
    def titled(self) -> bool:
        """Whether any text has a title."""
        title = np.array([TITLED], np.uint32)
        return any(part.find(title)[0].frequency for part in self.parts)

    @property
    def mean_length(self) -> float:
        return self.total_length / max(len(self), 1)

    def split(self, rows: NDArray[np.int64]) -> Iterator[tuple[int, slice, NDArray[np.int64]]]:
        """Ascending rows by part: the part's place, which of the rows lie in it, and their positions there."""
        borders = np.searchsorted(rows, [*self.bases, len(self)]).tolist()
        for place, (base, start, stop) in enumerate(zip(self.bases, borders[:-1], borders[1:], strict=True)):
            if start < stop:
                yield place, slice(start, stop), rows[start:stop] - base

    def mask(self, contents: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows are among these content numbers; numbers that are not here count for nothing."""
        if not len(self) or not len(contents):
            return np.zeros(len(self), np.bool_)
        first, last = int(self.contents[0]), int(self.contents[-1])
        contents = contents[(contents >= first) & (contents <= last)]
        span = last - first + 1
        if span <= SPARSEST_TABLE * len(self):
            table = np.zeros(span, np.bool_)
            table[contents - first] = True
            return table if span == len(self) else table[self.contents - first]
        mask = np.zeros(len(self), np.bool_)
        rows = np.searchsorted(self.contents, contents)
        mask[rows[self.contents[rows] == contents]] = True
        return mask
