"""A file that is written whole or not at all, for its owner alone."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from recollect.errors import StoreFull


def written(path: Path, lines: Iterable[str]) -> int:
    """Writes the lines and counts them; a reader sees the old file or the new one, never a part."""
    count = 0
    try:
        # mkstemp makes it readable and writable by its owner alone.
        handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                for line in lines:
                    file.write(line + "\n")
                    count += 1
                file.flush()
                os.fsync(file.fileno())
            Path(partial).replace(path)
        except BaseException:
            Path(partial).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreFull(f"{path} cannot be written: {error.strerror}") from error
    return count
