"""The vector arm: bits narrow the rows down to a pool, exact cosines decide."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import best, distinct, nth_highest, places
from recollect.index.bits import blocked, hamming, nearest, pack, weights, within, words_for
from recollect.index.params import IndexParams
from recollect.index.vectors import centred_similarity, similarity, wide
from recollect.index.view import Part, View

if TYPE_CHECKING:
    from recollect.index.partition import Partition

# BLAS and a row's own sum differ by less than this.
SLACK: Final = np.float32(1e-5)
BLOCK: Final = 256
ALONE: Final = 128
"""So many rows are multiplied by one thread."""
FINALISTS_EACH: Final = 4
GATHERED: Final = 3
"""Up to a third of all rows, gathering those that are eligible is faster than looking at all."""
COARSE_SHARE: Final = 100
"""One in so many is compared by all bits where two thirds of them choose; docs/adr/0026-large-indexes.md has what that
costs."""
ALL_WORDS: Final = slice(None)
_NONE: Final = np.empty(0, np.float32)


class VectorArm:
    """A question's vector and the rows near it."""

    def __init__(
        self,
        partition: "Partition",
        view: View,
        query: NDArray[np.float32],
        params: IndexParams | None = None,
    ) -> None:
        self._source = partition.source
        self._params = params or partition.params
        self._matrix = partition.held.matrix(view)
        self._view = view
        self._query = query
        self._query_bits: dict[bytes, NDArray[np.uint64]] = {}
        self._rows = np.empty(0, np.int64)
        self._vectors: NDArray[Any] = np.empty((0, len(query)), np.float32)

    def best(self, eligible: NDArray[np.bool_], limit: int, also: NDArray[np.int64]) -> NDArray[np.int64]:
        """The `limit` eligible rows most similar, best first; of equals the newest.

        The vectors of the rows in `also` are fetched with theirs, for `columns`.
        """
        # Those in `also` are eligible too: among them may be one that the bits did not bring up.
        self._fetch(distinct(self.pool(eligible, limit), also[self._view.embedded[also]]))
        rough = self._rough()
        near = np.flatnonzero(rough >= _bar(rough, limit))
        rows = self._rows[near]
        return best(rows, similarity(self._wide(near), self._query), limit)

    def also(self, rows: NDArray[np.int64]) -> None:
        """Fetch the vectors of further ascending rows, for `columns`."""
        rows = rows[self._view.embedded[rows]]
        _, known = places(self._rows, rows)
        if known.all():
            return
        before, vectors = self._rows, self._vectors
        self._fetch(rows[~known])
        both = np.concatenate([before, self._rows])
        order = np.argsort(both)
        self._rows, self._vectors = both[order], np.concatenate([vectors, self._vectors])[order]

    def columns(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Similarity and centred similarity of rows that were fetched; nan without a vector."""
        exact = np.full(len(rows), np.nan, np.float32)
        centred = exact.copy()
        at, there = places(self._rows, rows)
        vectors = self._wide(at)
        exact[there] = similarity(vectors, self._query)
        centred[there] = centred_similarity(vectors, self._query, self._view.mean)
        return exact, centred

    def pool(self, eligible: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
        """Ascending rows among which the best are."""
        count = int(np.count_nonzero(eligible))
        if self._matrix is not None and self._matrix.dtype == np.float32:
            rows = self._view.embedded_rows
            places = np.flatnonzero(eligible[rows])
            few = 2 * count < len(rows)
            rough = (
                _products(self._matrix[places], self._query)
                if few
                else _products(self._matrix, self._query)[places]
            )
            return rows[places[rough >= _bar(rough, limit)]]
        if count <= max(self._params.rescore, limit):
            return np.flatnonzero(eligible)
        short = self._shortlist(eligible, count)
        parts = [(self._view.parts[place], at) for place, _, at in self._view.split(short)]
        weight = np.concatenate([weights(part.bits, self._query, at) for part, at in parts])
        return short[weight >= _bar(weight, max(self._params.finalists, FINALISTS_EACH * limit))]

    def _shortlist(self, eligible: NDArray[np.bool_], count: int) -> NDArray[np.int64]:
        """The nearest by bits; of few the bits are gathered, of many all are looked at."""
        view, m = self._view, self._params.rescore
        if GATHERED * count >= len(view):
            coarse = 2 * words_for(len(self._query)) // 3 if count >= self._params.coarse_from else 0
            first, rest = slice(coarse or None), slice(coarse, None)
            distances = np.empty(len(view), np.uint16)
            for part, base in zip(view.parts, view.bases, strict=True):
                hamming(part.bits[first], self._bits(part)[first], out=distances[base : base + part.count])
            distances = blocked(distances, eligible) if count < len(view) else distances
            if not coarse:
                return nearest(distances, m)
            rows = within(distances, max(m, count // COARSE_SHARE))
            return rows[nearest(distances[rows] + self._distances(rows, rest), m)]
        rows = np.flatnonzero(eligible)
        return rows[nearest(self._distances(rows), m)]

    def _distances(self, rows: NDArray[np.int64], words: slice = ALL_WORDS) -> NDArray[np.uint16]:
        """How many bits of ascending rows differ, of some of their words."""
        parts = [(self._view.parts[place], at) for place, _, at in self._view.split(rows)]
        return np.concatenate([hamming(part.bits[words], self._bits(part)[words], at) for part, at in parts])

    def _bits(self, part: Part) -> NDArray[np.uint64]:
        key = part.mean.tobytes()
        if key not in self._query_bits:
            self._query_bits[key] = pack(self._query[None], part.mean)[:, 0]
        return self._query_bits[key]

    def vectors(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Those of ascending rows that are still there, and their vectors."""
        self._fetch(rows)
        return self._rows, self._wide(slice(None))

    def _fetch(self, rows: NDArray[np.int64]) -> None:
        if self._matrix is not None:
            self._rows = rows
            self._vectors = self._matrix[np.searchsorted(self._view.embedded_rows, rows)]
            return
        found, self._vectors = self._source.vectors(self._view.contents[rows])
        at, _ = places(self._view.contents[rows], found)
        self._rows = rows[at]

    def _wide(self, at: NDArray[np.int64] | slice) -> NDArray[np.float32]:
        return wide(self._vectors[at])

    def _rough(self) -> NDArray[np.float32]:
        """Cosines by BLAS, in blocks that stay in the cache between widening and multiplying."""
        blocks = range(0, len(self._rows), BLOCK)
        return np.concatenate([self._wide(slice(at, at + BLOCK)) @ self._query for at in blocks] or [_NONE])


def _products(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows times the query, a few rows at a time.

    BLAS shares larger products out to threads; waiting for them takes five times as long on a busy machine.
    """
    products = np.empty(len(matrix), np.float32)
    for start in range(0, len(matrix), ALONE):
        np.matmul(matrix[start : start + ALONE], query, out=products[start : start + ALONE])
    return products


def _bar(rough: NDArray[np.float32], limit: int) -> np.float32:
    """What a row must reach, by a rough cosine, to be one of the best `limit`."""
    if len(rough) <= limit:
        return np.float32(-np.inf)
    return np.float32(nth_highest(rough, limit) - SLACK)
