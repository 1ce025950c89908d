"""The vectors of the words of a partition that is not large, in memory: they are read for every recall."""

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import places
from recollect.index.column import Column
from recollect.index.documents import Source
from recollect.index.params import IndexParams
from recollect.index.view import View
from recollect.ports import WORD_BYTES

MOST_BYTES: Final = 1 << 25
"""Of long texts not all words are held: 32 MB are those of 30,000 turns, or of some thousand long messages."""
Found = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]


class HeldWords:
    """Fills up over several recalls; what is not here is read from the store.

    A text that has no words now may get them by a `reembed` later, so that it is asked for each time.
    """

    def __init__(self, source: Source, params: IndexParams) -> None:
        self._source = source
        self._params = params
        self._loading = threading.Lock()
        self._complete: View | None = None
        """The last view that was taken in wholly: the next recall sees the same one, if nothing was written."""
        self._empty()

    def of(self, view: View, contents: NDArray[np.int64]) -> Found:
        """Of ascending contents of a view: which have words, after which row of the codes each one's end, the codes."""
        with self._loading:
            self._follow(view)
            known, ends, codes = self._contents.values, self._ends.values, self._codes.values
            complete = view is self._complete
        at, there = places(known, contents)
        if not complete or (not there.all() and len(self._source.words(contents[~there])[0])):
            return self._source.words(contents)
        last = ends[at]
        first = np.where(at > 0, ends[at - 1], 0)
        upto = (last - first).cumsum()
        rows = np.repeat(last - upto, last - first)
        rows += np.arange(len(rows))
        return contents[there], upto, codes.take(rows, axis=0)

    def _follow(self, view: View) -> None:
        """Take in some of what was written since, and forget everything where something was purged."""
        if view is self._complete:
            return
        if len(view) > self._params.held_up_to:
            self._empty()
            return
        asked = self._asked.values
        if not np.array_equal(view.contents[: len(asked)], asked):
            self._empty()
        if self._codes.values.nbytes < MOST_BYTES:
            self._load(view.contents[len(self._asked) :][: self._params.load_step])
        if len(self._asked) == len(view):
            self._complete = view

    def _load(self, contents: NDArray[np.int64]) -> None:
        found, ends, codes = self._source.words(contents)
        self._asked.extend(contents)
        self._contents.extend(found)
        self._ends.extend(ends + len(self._codes))
        self._codes.extend(codes)

    def _empty(self) -> None:
        self._asked, self._contents, self._ends = Column(np.int64), Column(np.int64), Column(np.int64)
        self._codes = Column(np.uint8, WORD_BYTES)
        self._complete = None
