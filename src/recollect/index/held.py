"""The vectors of a partition that is not large, in memory: of a small one wide, so that all can be scored exactly."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.index.column import Column
from recollect.index.documents import Source
from recollect.index.params import IndexParams
from recollect.index.vectors import widen
from recollect.index.view import View


class Held:
    """Fills up over several searches; until it is complete they read from the store."""

    def __init__(self, source: Source, params: IndexParams) -> None:
        self._source = source
        self._params = params
        self._loading = threading.Lock()
        self._complete: View | None = None
        """The last view of which all are here: the next search sees the same one, if nothing was written."""
        self._empty(np.float32)

    def matrix(self, view: View) -> NDArray[Any] | None:
        """One row for each of the view's embedded rows; None while some are missing or where they are too many.

        As float32 where all are to be scored, else as they are stored.
        """
        with self._loading:
            if view is self._complete:
                return self._vectors.values[: len(view.embedded_rows)]
            count = int(np.count_nonzero(view.embedded))
            kind = np.float32 if count <= self._params.exact_up_to else np.float16
            if count > max(self._params.exact_up_to, self._params.held_up_to):
                self._empty(kind)
                return None
            rows = view.embedded_rows
            contents = view.contents[rows]
            known = self._contents.values
            if kind != self._kind or not np.array_equal(known[: len(rows)], contents[: len(known)]):
                self._empty(kind)
            self._load(contents[len(self._contents) :][: self._params.load_step])
            if len(self._contents) < len(rows):
                return None
            self._complete = view
            return self._vectors.values[: len(rows)]

    def _load(self, contents: NDArray[np.int64]) -> None:
        if not len(contents):
            return
        found, vectors = self._source.vectors(contents)
        # What was purged a moment ago stays a row of zeros, similar to nothing, until the next view.
        loaded = np.zeros((len(contents), self._source.dimension), self._kind)
        loaded[np.searchsorted(contents, found)] = widen(vectors) if self._kind is np.float32 else vectors
        self._contents.extend(contents)
        self._vectors.extend(loaded)

    def _empty(self, kind: type[np.float32 | np.float16]) -> None:
        self._kind = kind
        self._contents = Column(np.int64)
        self._vectors = Column(kind, self._source.dimension)
        self._complete = None
