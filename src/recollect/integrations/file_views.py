"""Files and folders as Claude's memory tool shows them."""

from collections.abc import Mapping
from typing import Final

from recollect.errors import InvalidInput

MOST_LINES: Final = 999_999
WIDTH: Final = len(str(MOST_LINES))
DEPTH: Final = 2
AROUND: Final = 2


def file_view(path: str, text: str, chosen: list[int] | None) -> str:
    """A file's lines with their numbers: all of them, or from one to another (-1 is the last)."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise InvalidInput(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
    first, last = chosen if chosen is not None and len(chosen) == 2 else (1, -1)
    start = max(1, first) - 1
    shown = lines[start : len(lines) if last == -1 else last]
    return f"Here's the content of {path} with line numbers:\n" + _numbered(shown, start + 1)


def snippet(text: str, changed: int) -> str:
    """The lines around a change, with their numbers."""
    lines = text.split("\n")
    start = max(0, changed - AROUND)
    return _numbered(lines[start : changed + AROUND + 1], start + 1)


def folder_view(path: str, sizes: Mapping[str, int]) -> str:
    """What lies in a folder, two levels deep; `sizes` are in bytes, by the paths of files in it."""
    head = f"Here're the files and directories up to {DEPTH} levels deep in {path}, excluding hidden items:"
    told = [f"{size(sum(sizes.values()))}\t{path}"]
    told += [f"{size(count)}\t{path}/{name}" for name, count in _listed(sizes)]
    return "\n".join([head, *told])


def size(count: int) -> str:
    """Bytes as people read them.

    >>> [size(count) for count in (0, 7, 1024, 1536, 5 << 30)]
    ['0B', '7B', '1K', '1.5K', '5G']
    """
    unit = 0
    while count >= 1024 ** (unit + 1) and unit < 3:
        unit += 1
    number = count / 1024**unit
    return f"{number:.0f}{'BKMG'[unit]}" if number == int(number) else f"{number:.1f}{'BKMG'[unit]}"


def _listed(sizes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Files, and folders with all that is in them, by name, each folder before what is in it."""
    found: dict[tuple[str, ...], tuple[str, int]] = {}
    for path, count in sizes.items():
        parts = path.split("/")
        for depth in range(1, min(len(parts), DEPTH) + 1):
            if parts[depth - 1].startswith("."):
                break
            name = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
            found[tuple(parts[:depth])] = (name, found.get(tuple(parts[:depth]), ("", 0))[1] + count)
    return [found[parts] for parts in sorted(found)]


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>{WIDTH}}\t{line}" for number, line in enumerate(lines, first))
