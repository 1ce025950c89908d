"""What a partition keeps in memory, and how it catches up with the store and with the files of others."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from recollect.index.arrays import Damaged
from recollect.index.building import build, mean_of, mergeable
from recollect.index.documents import Source
from recollect.index.folder import Folder, gaps
from recollect.index.params import IndexParams
from recollect.index.segment import Segment
from recollect.index.tail import Tail
from recollect.index.view import Part, Rows, View
from recollect.index.visible import BEFORE_ALL, Visible

MOST_LATE = 256
"""Of the newest documents without a vector, so many are asked for one that came since."""


class State:
    """Segments from files where there are good ones, from the store where not; then the tail. Not thread-safe."""

    def __init__(self, source: Source, folder: Folder, params: IndexParams) -> None:
        self._source = source
        self._folder = folder
        self._params = params
        self._segments: list[Segment] = []
        self._tail = self._new_tail()
        self._tail_after = BEFORE_ALL
        self._rows = Rows()
        self._stamp: tuple[int, int] | None = None
        self._high_water = (BEFORE_ALL, BEFORE_ALL)
        self._view: View | None = None
        self.is_loaded = False
        self.visible = Visible()
        self.purged_in_files = False
        """A purge has not reached the files: whoever did it died, or has not come to it yet."""

    @property
    def segment_count(self) -> int:
        return len(self._segments)

    @property
    def documents(self) -> int:
        """How many are known, before it catches up."""
        return len(self._rows.contents)

    @property
    def unsealed(self) -> int:
        """How many documents are in memory only."""
        return len(self._tail) + sum(segment.count for segment in self._segments if segment.path is None)

    def catch_up(self) -> View:
        """See everything that was written before this call, by whomever."""
        # In this order: what a file has was in the store before, and what a version shows is written with it.
        stamp = self._folder.stamp()
        files = self._folder.segments() if stamp != self._stamp or not self.is_loaded else None
        high_water = self._source.store.high_water(self._source.user)
        if not self.is_loaded:
            self._load_visible(high_water[1])
            self._arrange([] if files is None or _is_ahead(files, high_water) else files)
        elif files is not None and not _is_ahead(files, high_water) and files != self._files():
            self._arrange(files)
        self._stamp = stamp
        if high_water != self._high_water:
            known = len(self._rows.contents)
            self._read_documents()
            self.visible.extend(self._rows.contents.values[known:])
            self._read_versions(high_water[1])
            self._high_water = high_water
            self._view = None
        self.is_loaded = True
        self._take_late_vectors()
        if self._view is None:
            self._view = self._seen()
        return self._view

    def rearrange(self) -> View:
        """Look at the files again, because they or what is known of them changed."""
        if self.is_loaded:
            self._stamp = self._folder.stamp()
            files = self._folder.segments()
            high_water = self._source.store.high_water(self._source.user)
            self._arrange([] if _is_ahead(files, high_water) else files)
        return self.catch_up()

    def drop(self, contents: NDArray[np.int64]) -> None:
        """Forget documents."""
        in_memory = [segment.without(contents) for segment in self._segments if segment.path is None]
        self._segments = [segment for segment in in_memory if segment.count]
        self._tail = self._tail.keeping(~np.isin(self._tail.batch.contents, contents))
        self.rearrange()

    def rebuild(self, mean: NDArray[np.float32]) -> None:
        """Read every document again, into memory, where no file can be written."""
        self._segments = list(build(self._source, self._params, BEFORE_ALL, None, mean))
        self._restart_tail()
        self._arrange([])

    def _arrange(self, files: list[Segment]) -> None:
        """Take these files; fill what they leave out from memory, and what is not there from the store."""
        while True:
            try:
                self._segments = self._completed(files)
                rows = Rows()
                for segment in self._segments:
                    rows.extend(segment)
                break
            except Damaged as damage:
                self._folder.reject(damage.path)
                files = self._folder.segments()
        last = self._segments[-1].last if self._segments else BEFORE_ALL
        if last < self._tail_after:
            self._restart_tail()
        else:
            self._tail = self._tail.keeping(self._tail.batch.contents > last)
            self._tail_after = last
        rows.extend(self._tail.batch)
        self._rows = rows
        self._read_documents()
        self.visible.align(self._rows.contents.values)
        self._view = None

    def _take_late_vectors(self) -> None:
        """Documents of the tail may be embedded after they were written; in a segment they wait for it to be made anew."""
        batch = self._tail.batch
        if batch.embedded.all():
            return
        found, _ = self._source.vectors(batch.contents[~batch.embedded][-MOST_LATE:])
        if len(found):
            self._tail = self._tail.keeping(batch.contents < found[0])
            self._arrange(self._files())

    def _files(self) -> list[Segment]:
        return [segment for segment in self._segments if segment.path is not None]

    def _completed(self, files: list[Segment]) -> list[Segment]:
        in_memory = [segment for segment in self._segments if segment.path is None]
        free = [
            segment
            for segment in in_memory
            if all(segment.last <= file.after or segment.after >= file.last for file in files)
        ]
        segments = sorted([*files, *free], key=lambda segment: segment.after)
        mean = mean_of(segments)
        built = [
            segment
            for after, upto in gaps(segments, BEFORE_ALL)
            for segment in build(self._source, self._params, after, upto, mean)
        ]
        return sorted([*segments, *built], key=lambda segment: segment.after) if built else segments

    def _read_documents(self) -> None:
        contents = self._rows.contents
        last = int(contents.values[-1]) if len(contents) else BEFORE_ALL
        for batch in self._source.read(max(last, self._tail_after), None, self._params.bulk):
            self._rows.extend(batch)
            self._tail.extend(batch)
            if len(self._tail) >= self._params.seal_at:
                self._seal_in_memory()

    def _seal_in_memory(self) -> None:
        last = int(self._tail.batch.contents[-1])
        self._segments.append(Segment.build(self._tail.batch, self._tail_after, last, self._mean()))
        self._restart_tail()
        start = next(
            (at for at in range(len(self._segments), 0, -1) if self._segments[at - 1].path is not None), 0
        )
        while (run := mergeable(self._segments[start:], self._params)) is not None:
            merged = slice(start + run.start, start + run.stop)
            self._segments[merged] = [Segment.merge(self._segments[merged])]

    def _read_versions(self, upto: int) -> None:
        while True:
            found = self._source.store.visibility(self._source.user, self.visible.version, self._params.bulk)
            wanted = [version for version in found if version.version <= upto]
            purged = self.visible.apply(wanted)
            self.purged_in_files = self.purged_in_files or any(self._in_files(content) for content in purged)
            if len(wanted) < self._params.bulk:
                return

    def _load_visible(self, upto: int) -> None:
        if self._folder.path is not None:
            loaded = Visible.load(self._folder.visible, self._folder.label)
            if loaded.version <= upto:
                self.visible = loaded

    def _in_files(self, content: int) -> bool:
        return any(
            file.after < content <= file.last and bool(np.isin(content, file.contents))
            for file in self._files()
        )

    def _seen(self) -> View:
        mean = self._mean()
        parts: list[Part] = [*self._segments]
        total_length = sum(segment.total_length for segment in self._segments)
        if len(self._tail):
            tail = self._tail.part(mean)
            parts.append(tail)
            total_length += int(tail.lengths.sum(dtype=np.int64))
        return self._rows.view(parts, mean, total_length)

    def _mean(self) -> NDArray[np.float32]:
        mean = mean_of(self._segments)
        return self._tail.mean() if mean is None else mean

    def _restart_tail(self) -> None:
        self._tail = self._new_tail()
        self._tail_after = self._segments[-1].last if self._segments else BEFORE_ALL

    def _new_tail(self) -> Tail:
        return Tail(self._source.dimension, self._params.seal_at)


def _is_ahead(files: Iterable[Segment], high_water: tuple[int, int]) -> bool:
    """Whether they have documents that the store does not have yet: it was put back, or we look at its past."""
    return any(file.last > high_water[0] for file in files)
