"""Keeping the files in order. Every call needs the folder's lock to be held."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.index.arrays import Damaged
from recollect.index.building import build, grouped, mean_of, mergeable
from recollect.index.documents import Source
from recollect.index.folder import Folder, gaps
from recollect.index.params import IndexParams
from recollect.index.segment import Segment
from recollect.index.visible import BEFORE_ALL


class Upkeep:
    """Writes segments.

    What it writes it has just read from the store or from files, never from what this process keeps in
    memory: another process may have purged a document of that.
    """

    def __init__(self, source: Source, folder: Folder, params: IndexParams) -> None:
        self._source = source
        self._folder = folder
        self._params = params

    def seal(self) -> None:
        """Every document in a file, but for a tail that is too small; few files; nothing left over."""
        self._undamaged(self._seal)

    def rewrite(self, mean: NDArray[np.float32]) -> None:
        """Every document in as few files as can be, with this mean; files change one by one, with no gap at any time."""
        self._undamaged(lambda: self._rewrite(mean))

    def erase(self, contents: NDArray[np.int64]) -> None:
        """Take documents out of every file."""
        self._replace_each(lambda segment: segment.without(contents))

    def erase_missing(self) -> None:
        """Take out what the store no longer has: somebody purged it and died before the files followed."""
        read = [batch.contents for batch in self._source.read(BEFORE_ALL, None, self._params.bulk)]
        stored = np.concatenate([np.empty(0, np.int64), *read])
        self._replace_each(lambda segment: segment.without(np.setdiff1d(segment.contents, stored)))

    def _seal(self) -> None:
        segments = self._folder.segments()
        if segments and segments[-1].last > self._source.store.high_water(self._source.user)[0]:
            # The store was put back to an earlier state: these may be of texts that it never had.
            self._folder.remove_all_but([])
            segments = []
        mean = mean_of(segments)
        for after, upto in gaps(segments, BEFORE_ALL):
            self._save(build(self._source, self._params, after, upto, mean))
        last = segments[-1].last if segments else BEFORE_ALL
        self._save(build(self._source, self._params, last, None, mean, at_least=self._params.seal_at))
        segments = self._folder.segments()
        while (run := mergeable(segments, self._params)) is not None:
            self._folder.save(Segment.merge(segments[run]))
            segments = self._folder.segments()
        self._folder.remove_all_but(segments)
        self._folder.flush()

    def _rewrite(self, mean: NDArray[np.float32]) -> None:
        params = replace(self._params, merge_limit=max(self._params.merge_limit, self._params.compact_limit))
        groups = list(grouped(self._folder.segments(), params.merge_limit))
        for group in groups[:-1]:
            self._save(build(self._source, params, group[0].after, group[-1].last, mean))
        rest = groups[-1][0].after if groups else BEFORE_ALL
        self._save(build(self._source, params, rest, None, mean))
        self._folder.remove_all_but(self._folder.segments())
        self._folder.flush()

    def _save(self, segments: Iterable[Segment]) -> None:
        for segment in segments:
            self._folder.save(segment)

    def _undamaged(self, work: Callable[[], None]) -> None:
        """Start again without a file that turns out to be damaged."""
        while True:
            try:
                return work()
            except Damaged as damage:
                self._folder.reject(damage.path)

    def _replace_each(self, change: Callable[[Segment], Segment]) -> None:
        """Change every file. One that cannot be read, or written again, goes: it is rebuilt later."""
        kept: list[Segment] = []
        for segment in self._folder.segments():
            try:
                changed = change(segment)
                if changed is not segment and changed.count:
                    self._folder.save(changed)
            except (Damaged, OSError):
                continue
            if changed.count:
                kept.append(segment)
        self._folder.visible.unlink(missing_ok=True)
        self._folder.remove_all_but(kept)
        self._folder.flush()
