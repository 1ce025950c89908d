"""The vectors of a small partition in memory, so that all can be scored exactly."""

import threading

import numpy as np
from numpy.typing import NDArray

from recollect.index.column import Column
from recollect.index.documents import Source
from recollect.index.vectors import widen
from recollect.index.view import View


class Exact:
    """Fills up over several searches; until it is complete they go by bits."""

    def __init__(self, source: Source, up_to: int, step: int) -> None:
        self._source = source
        self._up_to = up_to
        self._step = step
        self._loading = threading.Lock()
        self._complete: View | None = None
        """The last view of which all are here: the next search sees the same one, if nothing was written."""
        self._empty()

    def matrix(self, view: View) -> NDArray[np.float32] | None:
        """One row for each of the view's embedded rows; None while some are missing or where they are too many."""
        with self._loading:
            if view is self._complete:
                return self._vectors.values[: len(view.embedded_rows)]
            if np.count_nonzero(view.embedded) > self._up_to:
                self._empty()
                return None
            rows = view.embedded_rows
            contents = view.contents[rows]
            known = self._contents.values
            if not np.array_equal(known[: len(rows)], contents[: len(known)]):
                self._empty()
            self._load(contents[len(self._contents) :][: self._step])
            if len(self._contents) < len(rows):
                return None
            self._complete = view
            return self._vectors.values[: len(rows)]

    def _load(self, contents: NDArray[np.int64]) -> None:
        if not len(contents):
            return
        found, vectors = self._source.vectors(contents)
        # What was purged a moment ago stays a row of zeros, similar to nothing, until the next view.
        loaded = np.zeros((len(contents), self._source.dimension), np.float32)
        loaded[np.searchsorted(contents, found)] = widen(vectors)
        self._contents.extend(contents)
        self._vectors.extend(loaded)

    def _empty(self) -> None:
        self._contents = Column(np.int64)
        self._vectors = Column(np.float32, self._source.dimension)
        self._complete = None
