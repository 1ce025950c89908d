"""Bytes of erased values that SQLite has left in unused space.

`PRAGMA secure_delete` wipes a row where it lies. But when rows move to a neighbouring page, to make room or to
fill one up, their former bytes stay behind in the unused space of the page they left, and erasing the row later
does not reach them there. This finds such remains (https://www.sqlite.org/fileformat2.html, section 1.6).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WINDOW = 8
"""As many erased bytes in a row count as a remain."""

PAGES_A_READ = 256
FILE_HEADER_BYTES = 100
HEADER_BYTES = {2: 12, 5: 12, 10: 8, 13: 8}
"""By the type of a B-tree page; other pages have no unused space or are wiped as a whole."""


def remains(path: Path, erased: Sequence[bytes]) -> bool:
    """Whether unused space of the database file still holds a piece of what was erased."""
    pieces = [_windows(np.frombuffer(piece, np.uint8)) for piece in erased if len(piece) >= WINDOW]
    wanted = np.unique(np.concatenate(pieces)) if pieces else np.empty(0, np.uint64)
    short = [piece for piece in erased if 0 < len(piece) < WINDOW]
    for unused in _unused(path):
        if any(piece in unused for piece in short):
            return True
        found = _windows(np.frombuffer(unused, np.uint8))
        places = np.searchsorted(wanted, found)
        places[places == len(wanted)] = 0
        if len(wanted) and len(found) and bool((wanted[places] == found).any()):
            return True
    return False


def _unused(path: Path) -> Iterator[bytes]:
    """What is in the unused space of each page, where it is not all zeros."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(18)[16:], "big")
        size = 65536 if size == 1 else size
        zeros = bytes(size)
        header = FILE_HEADER_BYTES
        file.seek(0)
        while pages := file.read(size * PAGES_A_READ):
            for page in range(0, len(pages) - size + 1, size):
                start = page + header
                head = HEADER_BYTES.get(pages[start])
                header = 0
                if head is not None:
                    cells = int.from_bytes(pages[start + 3 : start + 5], "big")
                    content = int.from_bytes(pages[start + 5 : start + 7], "big") or 65536
                    gap = pages[start + head + 2 * cells : page + content]
                    if gap != zeros[: len(gap)]:
                        yield gap


def _windows(data: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Every run of WINDOW bytes as one number, without runs of zeros alone."""
    if len(data) < WINDOW:
        return np.empty(0, np.uint64)
    runs = np.lib.stride_tricks.sliding_window_view(data, WINDOW)
    numbers: NDArray[np.uint64] = np.ascontiguousarray(runs).view(np.uint64).ravel()
    return np.compress(numbers != 0, numbers)
