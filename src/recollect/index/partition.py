"""One user's documents and the vectors of one model, searchable: the index that follows the store."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Alike, Asked, Candidates
from recollect.errors import StoreFull
from recollect.formulas.ordered import places
from recollect.index.ahead import Ahead
from recollect.index.arrays import Damaged
from recollect.index.bits import centre
from recollect.index.documents import Feed, Source
from recollect.index.folder import Folder
from recollect.index.held import Held
from recollect.index.held_words import HeldWords
from recollect.index.masks import Masks
from recollect.index.naming import having, naming
from recollect.index.nearest import nearest
from recollect.index.params import IndexParams
from recollect.index.search import ahead, search
from recollect.index.state import State
from recollect.index.upkeep import Upkeep
from recollect.index.vectors import wide, widen
from recollect.index.view import View
from recollect.index.visible import Standing, is_current
from recollect.model import Filter

# The mean of so many is as good as that of all: off by less than the step that it is rounded to.
MEAN_SAMPLE: Final = 8_192


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How large a partition is and where it lies."""

    documents: int
    embedded: int
    """Documents with a vector."""
    segments: int
    tail: int
    """Documents that are in memory only."""
    bytes_on_disk: int


class Partition:
    """Derived and rebuildable: a file that is missing, damaged or of something else is made anew.

    Any number of threads and processes may use one folder. Searches never write; `refresh(maintain=True)`,
    `compact` and `drop` do, one process at a time. Without a folder, or where it cannot be written, all
    is kept in memory.
    """

    def __init__(
        self,
        store: Feed,
        user: str,
        model: str,
        dimension: int,
        folder: Path | None,
        params: IndexParams | None = None,
    ) -> None:
        self.params = params or IndexParams()
        self.source = Source(store, user, model, dimension)
        self.held = Held(self.source, self.params)
        self._held_words = HeldWords(self.source, self.params)
        owner = json.dumps([store.identity, user, model, dimension]).encode()
        self._folder = Folder(
            folder, {"model": model, "dimension": dimension, "owner": hashlib.sha256(owner).hexdigest()}
        )
        self._upkeep = Upkeep(self.source, self._folder, self.params)
        self._state = State(self.source, self._folder, self.params)
        # Guards the state. The folder's lock, where both are needed, is taken before it.
        self._lock = threading.RLock()
        self._retry_from = 0
        self._matched: tuple[View | None, Masks] = (None, Masks())

    def refresh(self, *, maintain: bool = False) -> None:
        """Catch up with the store; with `maintain`, keep the files in order too (only writers should)."""
        with self._lock:
            # The first time, files come before memory, so that what they lack is not read twice.
            due = not self._state.is_loaded or self._is_due(len(self._state.catch_up()))
        if maintain and due:
            self._maintain()
        with self._lock:
            self._state.catch_up()

    @property
    def is_large(self) -> bool:
        """Whether it pays to look ahead, as far as is known without asking the store."""
        return self._state.documents >= self.params.coarse_from

    def ahead(self, terms: NDArray[np.uint32], where: Filter, limit: int) -> Ahead | None:
        """What the words of a question bring, for the search that follows when its vector is there.

        What was written meanwhile makes it void.
        """
        return ahead(self, terms, where, limit)

    def search(self, asked: Asked, where: Filter, limit: int) -> Candidates:
        """The best of each arm among what the filter lets through; see `recollect.index.search`."""
        return search(self, asked, where, limit)

    def nearest(self, vectors: Sequence[NDArray[np.float32]], where: Filter, limit: int) -> list[Alike]:
        """What is most alike to each of the vectors; see `recollect.index.nearest`."""
        return nearest(self, vectors, where, limit)

    def having(self, terms: NDArray[np.uint32], where: Filter) -> list[NDArray[np.int64]]:
        """For each term the contents that have it, among those that the filter lets through."""
        return having(self, terms, where)

    def naming(self, names: Sequence[NDArray[np.uint32]], where: Filter) -> list[NDArray[np.int64]]:
        """For each name, by its terms, the contents that have them; see `recollect.index.naming`."""
        return naming(self, names, where)

    def vectors(self, contents: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Of ascending contents those that have a vector, and it; from memory, where all are there."""
        with self._lock:
            view = self._state.catch_up()
        matrix = self.held.matrix(view)
        if matrix is None:
            found, held = self.source.vectors(contents)
            return found, widen(held)
        at, there = places(view.contents[view.embedded_rows], contents)
        return contents[there], wide(matrix[at])

    def words(
        self, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Of ascending contents the vectors of their words, as the store has them; from memory, where they are there."""
        with self._lock:
            view = self._state.catch_up()
        return self._held_words.of(view, contents)

    def view(self, where: Filter) -> tuple[View, NDArray[np.bool_] | None]:
        """What is there now, and which rows of it may match; None where the filter is not about now."""
        with self._lock:
            view = self._state.catch_up()
            return view, self._state.visible.eligible(where) if is_current(where) else None

    def mixes_lanes(self, eligible: NDArray[np.bool_]) -> bool:
        """Whether rows of both lanes are among the eligible ones of a view."""
        with self._lock:
            return self._state.visible.mixes_lanes(eligible)

    def said(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows of a view are of the log lane; the others are of the memory lane."""
        with self._lock:
            return self._state.visible.said(rows)

    def standing(self, rows: NDArray[np.int64]) -> Standing:
        """What the newest versions say of rows of a view."""
        with self._lock:
            return self._state.visible.standing(rows)

    def matching(self, view: View, where: Filter) -> NDArray[np.bool_]:
        """Which rows the store says satisfy a filter, remembered until something is written."""
        seen, masks = self._matched
        if seen is not view:
            masks = Masks()
            self._matched = (view, masks)
        # What has expired is kept out by the index's own columns, so a moment later it is the same filter.
        asked = replace(where, unexpired_at=None) if is_current(where) else where
        return masks.of(asked, lambda: view.mask(self.source.store.matching(self.source.user, asked)))

    def discard(self, damage: Damaged) -> None:
        """Go on without a file that turned out to be damaged."""
        with self._lock:
            self._folder.reject(damage.path)
            self._state.rearrange()

    def drop(self, contents: Iterable[int]) -> None:
        """Follow a purge: afterwards no file has anything that was made of these texts or their vectors."""
        gone = np.fromiter(contents, np.int64)
        with self._folder.locked(wait=True) as held:
            try:
                if held:
                    self._upkeep.erase(gone)
            except OSError as error:
                raise StoreFull(
                    f"the index in {self._folder.path} could not be cleared ({error}); delete that folder"
                ) from error
            if not held:
                self._folder.require_no_files()
            with self._lock:
                self._state.drop(gone)
                if held:
                    self._quietly(self._save_visible)

    def compact(self) -> None:
        """Read every document again, into as few segments as can be, with the mean of today."""
        with self._lock:
            mean = self._mean_of_today(self._state.catch_up())
        with self._folder.locked(wait=True) as held:
            if held:
                self._quietly(lambda: self._upkeep.rewrite(mean))
            with self._lock:
                if held:
                    self._state.rearrange()
                    self._quietly(self._save_visible)
                else:
                    self._state.rebuild(mean)

    def status(self) -> IndexStatus:
        """As of now, after catching up."""
        with self._lock:
            view = self._state.catch_up()
            embedded = int(np.count_nonzero(view.embedded))
            return IndexStatus(
                len(view),
                embedded,
                self._state.segment_count,
                self._state.unsealed,
                self._folder.size_bytes(),
            )

    def _maintain(self) -> None:
        with self._folder.locked(wait=False) as held:
            if not held:
                return
            if self._state.purged_in_files:
                self._quietly(self._upkeep.erase_missing)
                self._state.purged_in_files = False
            self._quietly(self._upkeep.seal)
            with self._lock:
                self._state.rearrange()
                if self._state.visible.changes >= self.params.save_at:
                    self._quietly(self._save_visible)

    def _is_due(self, documents: int) -> bool:
        state = self._state
        much = state.unsealed >= self.params.seal_at or state.visible.changes >= self.params.save_at
        return state.purged_in_files or (much and documents >= self._retry_from)

    def _quietly(self, work: Callable[[], None]) -> None:
        """A full disk is no error here: all stays in memory, and is tried again when more has come."""
        try:
            work()
        except OSError:
            with self._lock:
                self._retry_from = len(self._state.catch_up()) + self.params.seal_at

    def _save_visible(self) -> None:
        self._state.visible.save(self._folder.visible, self._folder.label)

    def _mean_of_today(self, view: View) -> NDArray[np.float32]:
        contents = view.contents[view.embedded]
        sample = contents[:: max(1, len(contents) // MEAN_SAMPLE)]
        _, vectors = self.source.vectors(sample)
        return centre(widen(vectors).sum(axis=0, dtype=np.float64), len(vectors))
