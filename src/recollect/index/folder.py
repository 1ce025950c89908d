"""The folder of one partition, shared by every process that uses it."""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from recollect.errors import StoreFull
from recollect.index.arrays import TEMPORARY, Damaged
from recollect.index.segment import Segment

SEGMENT: Final = ".segment"
VISIBLE: Final = "visible.columns"
LOCK: Final = "lock"
Identity = tuple[str, int, int, int]


class Folder:
    """Its files and who may change them. Without a path there are none, and nothing is written."""

    def __init__(self, path: Path | None, label: Mapping[str, Any]) -> None:
        self.path = path
        self.label = label
        self._opened: dict[Identity, Segment] = {}
        self._rejected: set[Identity] = set()

    @property
    def visible(self) -> Path:
        return self._require() / VISIBLE

    @contextmanager
    def locked(self, *, wait: bool) -> Iterator[bool]:
        """Hold the right to change files; False where another process has it or nothing can be written.

        A process that dies gives it back by dying.
        """
        try:
            self._require().mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._require() / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            yield False
            return
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                held = True
            except OSError:
                held = False
            if held:
                self._clear_shared()
            yield held
        finally:
            os.close(handle)

    def _clear_shared(self) -> None:
        """Files that lie above: they were made when the users of a store had one folder, and no purge looks there."""
        with suppress(OSError):
            for path in self._require().parent.iterdir():
                if path.name.endswith((SEGMENT, VISIBLE, TEMPORARY)) and path.is_file():
                    path.unlink()

    def stamp(self) -> tuple[int, int] | None:
        """Changes whenever a file comes or goes; None while there is no folder."""
        try:
            found = self._require().stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def segments(self) -> list[Segment]:
        """What can be used of the segments on disk, in order; files that cannot are passed over."""
        found: dict[Identity, Segment] = {}
        for entry in self._entries():
            if not entry.name.endswith(SEGMENT):
                continue
            try:
                identity = _identity(entry)
                if identity not in self._rejected:
                    found[identity] = self._opened.get(identity) or Segment.open(Path(entry.path), self.label)
            except Damaged:
                self._rejected.add(identity)
            except OSError:
                continue
        self._opened = found
        return cover(found.values())

    def reject(self, path: Path) -> None:
        """Do not use this file again: it turned out to be damaged."""
        self._rejected |= {identity for identity in self._opened if identity[0] == path.name}

    def save(self, segment: Segment) -> None:
        """Write a segment under the name of its range; the same range once more replaces it."""
        segment.save(self._require() / f"{segment.after + 1:016x}-{segment.last:016x}{SEGMENT}", self.label)

    def remove_all_but(self, kept: Iterable[Segment]) -> None:
        """Delete what is left over: merged segments, half-written and damaged files, another model's."""
        names = {segment.path.name for segment in kept if segment.path is not None} | {VISIBLE, LOCK}
        for entry in self._entries():
            if entry.name not in names and entry.name.endswith((SEGMENT, TEMPORARY)):
                Path(entry.path).unlink(missing_ok=True)

    def flush(self) -> None:
        """Make names that came and went outlive a power cut."""
        handle = os.open(self._require(), os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def size_bytes(self) -> int:
        """Of all files; one that goes meanwhile counts for nothing."""
        size = 0
        for entry in self._entries():
            with suppress(OSError):
                size += entry.stat().st_size
        return size

    def require_no_files(self) -> None:
        """Raise if there is something that should be erased and cannot be."""
        if any(entry.name != LOCK for entry in self._entries()):
            raise StoreFull(
                f"the index in {self.path} holds what was purged and cannot be written; delete that folder"
            )

    def _entries(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._require()) as entries:
                return list(entries)
        except OSError:
            return []

    def _require(self) -> Path:
        if self.path is None:
            raise FileNotFoundError("this index has no folder")
        return self.path


def cover(segments: Iterable[Segment]) -> list[Segment]:
    """Segments that do not overlap, in order: from each beginning the one that reaches furthest."""
    chosen: list[Segment] = []
    for segment in sorted(segments, key=lambda segment: (segment.after, -segment.last)):
        if not chosen or segment.after >= chosen[-1].last:
            chosen.append(segment)
    return chosen


def gaps(segments: Sequence[Segment], start: int) -> Iterator[tuple[int, int]]:
    """Ranges (after, upto) that lie before, and between, the segments."""
    after = start
    for segment in segments:
        if segment.after > after:
            yield after, segment.after
        after = segment.last


def _identity(entry: os.DirEntry[str]) -> Identity:
    found = entry.stat()
    return entry.name, found.st_ino, found.st_mtime_ns, found.st_size
