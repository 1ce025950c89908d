"""A file that is written whole or not at all."""

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from recollect.errors import StoreFull


def written(path: Path, lines: Iterable[str]) -> int:
    """Writes the lines and counts them; a reader sees the old file or the new one, never a part.

    A new file is for its owner alone. What is no file, such as a pipe, is written to and stays what it is.
    """
    try:
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                return _put(stream, lines)
        return _replaced(path.resolve(), lines, mode)
    except OSError as error:
        raise StoreFull(f"{path} cannot be written: {error.strerror}") from error


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _replaced(path: Path, lines: Iterable[str], mode: int | None) -> int:
    # mkstemp makes it readable and writable by its owner alone.
    handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            count = _put(file, lines)
            os.fsync(file.fileno())
        if mode is not None:
            Path(partial).chmod(stat.S_IMODE(mode))
        Path(partial).replace(path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    return count


def _put(file: IO[str], lines: Iterable[str]) -> int:
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007 - how many there were
        file.write(line + "\n")
    file.flush()
    return count
