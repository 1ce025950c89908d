"""Files whose content is not stored because their project says so: `.gitignore` and `.secretsignore`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pathspec

NAMES: Final = (".gitignore", ".secretsignore")
_LARGEST_BYTES: Final = 1_000_000


def ignored_by(path: str) -> str | None:
    """Which file of a folder above it ignores a path, or None; a relative path is one of this folder.

    As git reads them: the file that is nearest to the path has the last word, and none above the repository counts.
    """
    try:
        file = Path(path).expanduser().absolute()
        folders = list(_folders(file))
    except (OSError, RuntimeError, ValueError):
        return None
    for name in NAMES:
        for folder in folders:
            lines = _lines(folder / name)
            if not lines:
                continue
            spec = pathspec.GitIgnoreSpec.from_lines(lines)
            verdict = spec.check_file(file.relative_to(folder).as_posix()).include
            if verdict:
                return str(folder / name)
            if verdict is False:
                break
    return None


def _folders(file: Path) -> Iterator[Path]:
    """From the path's own folder up to the one of its repository, or to the root."""
    for folder in file.parents:
        yield folder
        if (folder / ".git").exists():
            return


def _lines(file: Path) -> list[str]:
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST_BYTES:
            return []
        return file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
