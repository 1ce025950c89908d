"""A project's folder, to look up whether what memories name is still there."""

import json
import os
import re
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

from recollect.language.artefacts import commands, files

MOST: Final = 200_000
"""So many files and folders are looked at; in a larger folder, what is not found may be there."""
SKIPPED: Final = frozenset({".git", "node_modules", ".venv", "__pycache__"})
_TARGET: Final = re.compile(r"^([\w.%/-]+(?:\s+[\w.%/-]+)*)\s*::?(?!=)", re.MULTILINE)


class Folder:
    """The names below a folder, and the commands that its Makefile and package.json define."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def missing(self, text: str) -> bool | None:
        """Whether nothing of what a text names is there; None where it names nothing that could be looked up."""
        looked = [self._has_file(path) for path in files(text)]
        looked += [self._has_command(*command) for command in commands(text)]
        known = [there for there in looked if there is not None]
        return not any(known) if known else None

    def _has_file(self, named: str) -> bool | None:
        path = PurePosixPath(named)
        if path.is_absolute() or ".." in path.parts:
            return None  # outside of the folder: somebody else's
        parts = tuple(part for part in path.parts if part != ".")
        return (self.path / path).exists() or parts in self._endings.get(parts[-1], ()) or self._too_large

    @cached_property
    def _paths(self) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        for where, folders, names in os.walk(self.path):
            folders[:] = sorted(set(folders) - SKIPPED)
            above = Path(where).relative_to(self.path).parts
            found += [(*above, name) for name in (*folders, *names)]
            if len(found) >= MOST:
                break
        return found

    @property
    def _too_large(self) -> bool:
        return len(self._paths) >= MOST

    @cached_property
    def _endings(self) -> dict[str, set[tuple[str, ...]]]:
        """By name, every end of a path to it: a text says `gate.py` or `write/gate.py` and means the same."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for parts in self._paths:
            found.setdefault(parts[-1], set()).update(parts[start:] for start in range(len(parts)))
        return found

    def _has_command(self, program: str, target: str) -> bool | None:
        known = self._targets if program == "make" else self._scripts
        return None if known is None else target in known

    @cached_property
    def _targets(self) -> frozenset[str] | None:
        text = _read(self.path / "Makefile")
        if text is None:
            return None
        return frozenset(target for found in _TARGET.finditer(text) for target in found[1].split())

    @cached_property
    def _scripts(self) -> frozenset[str] | None:
        text = _read(self.path / "package.json")
        try:
            scripts = None if text is None else json.loads(text).get("scripts", {})
        except (ValueError, AttributeError):
            return None
        return frozenset(scripts) if isinstance(scripts, dict) else None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
