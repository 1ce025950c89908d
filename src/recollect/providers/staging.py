"""Folders that appear whole or not at all, whatever is killed and whoever else is making them."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = ".partial-"
ABANDONED_SECONDS = 86_400.0


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `target` if the block ends well and vanishes if it does not.

    A `target` that is there from the start is replaced. One that another process makes meanwhile is kept:
    all makers produce the same content, and somebody may be reading theirs already.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target.parent)
    stale = _identity(target)
    scratch = Path(tempfile.mkdtemp(prefix=PREFIX, dir=target.parent))
    content, old = scratch / "content", scratch / "old"
    content.mkdir()
    try:
        yield content
        _flush(content)
        if stale is not None and _identity(target) == stale:
            _move(target, old)
        if not _move(content, target) and not target.exists():
            raise FileNotFoundError(f"{target} was removed while it was being made")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _identity(folder: Path) -> int | None:
    try:
        return folder.stat().st_ino
    except FileNotFoundError:
        return None


def _move(source: Path, target: Path) -> bool:
    """Rename a folder; False when another process took the source away or filled the target first."""
    try:
        source.rename(target)
    except OSError:
        if source.exists() and not target.exists():
            raise
        return False
    return True


def _flush(folder: Path) -> None:
    # Without this a power cut could leave the new name pointing at empty files.
    for path in folder.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _sweep(parent: Path) -> None:
    """Remove what killed processes left behind, once it is too old to be in use."""
    for leftover in parent.glob(PREFIX + "*"):
        try:
            abandoned = time.time() - leftover.stat().st_mtime > ABANDONED_SECONDS
        except FileNotFoundError:
            continue
        if abandoned:
            shutil.rmtree(leftover, ignore_errors=True)
