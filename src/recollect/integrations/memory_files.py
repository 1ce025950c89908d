"""Files under /memories, each a memory: what Claude's memory tool reads and writes.

A folder is there as long as a file lies in it. Messages are those of the tool's own implementation on a file system,
because models know them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import normpath
from typing import Final
from urllib.parse import quote, unquote

from recollect.engine import Recollect
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.integrations.doors import door_of
from recollect.integrations.file_views import file_view, folder_view, snippet
from recollect.model import FILE, Filter, Memory, Origin

ROOT: Final = "/memories"
PLACE: Final = "memory_file"
BLANK: Final = "(an empty file)"
"""What a memory says whose file says nothing: a memory is a text."""
_SPECIAL: Final = re.compile(r"[%\s\x00]")


@dataclass(frozen=True, slots=True)
class File:
    """A file: its path, and the memory that holds it."""

    path: str
    memory: Memory
    older: tuple[str, ...] = ()
    """What another process made at this path at the same time: it goes when this is written."""

    @property
    def ids(self) -> tuple[str, ...]:
        return self.memory.id, *self.older

    @property
    def text(self) -> str:
        return str(self.memory.metadata.get(PLACE, {}).get("blank", self.memory.text))


class MemoryFiles:
    """The files of one channel of a memory."""

    def __init__(self, memory: Recollect) -> None:
        self.memory = memory
        self._door = door_of(memory)

    def view(self, path: str, lines: list[int] | None = None) -> str:
        """A file with line numbers, or what lies in a folder."""
        found, files = _resolved(path), self._files()
        if (file := _at(found, files)) is not None:
            return file_view(path, file.text, lines)
        if found != ROOT and not _inside(found, files):
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        sizes = {file.path[len(found) + 1 :]: len(file.text.encode()) for file in _inside(found, files)}
        return folder_view(path, sizes)

    def create(self, path: str, text: str) -> str:
        """A new file; one that is there is left as it is."""
        found = _resolved(path)
        with self._door.lock:
            self._make_room(path, found, self._files(), f"File {path} already exists")
            kept = self.memory.remember(
                text if text.strip() else BLANK,
                kind=FILE,
                tags=[_tag(found)],
                origin=Origin(event_type="memory_tool.create", write_source="integration"),
                metadata=_about(text),
                once=False,
            )
        if kept.id is None:
            raise Refused(f"{path} was not kept: {kept.reason}")
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old: str, new: str) -> str:
        """Puts a text in the place of another that stands there once."""
        with self._door.lock:
            return self._replaced(path, old, new)

    def _replaced(self, path: str, old: str, new: str) -> str:
        file = self._needed(path)
        count = file.text.count(old)
        if count == 0:
            raise InvalidInput(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            )
        if count > 1:
            lines = ", ".join(str(line) for line in _lines_with(file.text, old))
            raise InvalidInput(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}."
                " Please ensure it is unique"
            )
        before, _, after = file.text.partition(old) if old else ("", "", file.text)
        text = before + new + after
        self._rewrite(path, file, text)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            + snippet(text, before.count("\n"))
        )

    def insert(self, path: str, line: int, text: str) -> str:
        """Puts lines after a line; after 0 is before the first."""
        with self._door.lock:
            return self._inserted(path, line, text)

    def _inserted(self, path: str, line: int, text: str) -> str:
        file = self._needed(path)
        lines = file.text.removesuffix("\n").split("\n") if file.text else []
        if not 0 <= line <= len(lines):
            raise InvalidInput(
                f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
            )
        whole = "\n".join([*lines[:line], text.rstrip("\n"), *lines[line:]])
        self._rewrite(path, file, whole if whole.endswith("\n") else whole + "\n")
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Forgets a file, or a folder with everything in it."""
        found = _resolved(path)
        if found == ROOT:
            raise Refused(f"Cannot delete the {ROOT} directory itself")
        with self._door.lock:
            files = self._files()
            gone = [file for file in files if file.path == found] or _inside(found, files)
            if not gone:
                raise NotFound(f"The path {path} does not exist")
            self._forget(gone)
        return f"Successfully deleted {path}"

    def rename(self, old: str, new: str) -> str:
        """Gives a file, or a folder with everything in it, another path."""
        with self._door.lock:
            return self._renamed(old, new)

    def _renamed(self, old: str, new: str) -> str:
        source, target, files = _resolved(old), _resolved(new), self._files()
        if source == ROOT:
            raise Refused(f"Cannot rename the {ROOT} directory itself")
        moved = [file for file in files if file.path == source] or _inside(source, files)
        # In the order in which a file system finds out.
        if target == ROOT or _at(target, files) is not None or _inside(target, files):
            raise Refused(f"The destination {new} already exists")
        if not moved:
            raise NotFound(f"The path {old} does not exist")
        self._make_room(new, target, files, f"The destination {new} already exists")
        if target.startswith(source + "/"):
            raise InvalidInput(f"{old} cannot be moved into itself")
        self.memory.forget_many(one for file in moved for one in file.older)
        for file in moved:
            to = target + file.path[len(source) :]
            self.memory.tag(file.memory.id, _tag(to), remove=[_tag(file.path)])
        return f"Successfully renamed {old} to {new}"

    def clear(self) -> str:
        """Forgets every file."""
        with self._door.lock:
            self._forget(self._files())
        return "All memory cleared"

    def _files(self) -> list[File]:
        where = Filter(
            channels=(self.memory.channel,), kinds=(FILE,), any_session=True, unexpired_at=self.memory.now()
        )
        found: dict[str, File] = {}
        for memory in self.memory.list(where, limit=None, newest_first=False):
            if (path := _path(memory)) is not None:
                found[path] = File(path, memory, found[path].ids if path in found else ())
        return [*found.values()]

    def _needed(self, path: str) -> File:
        found, files = _resolved(path), self._files()
        file = _at(found, files)
        if file is None:
            if found == ROOT or _inside(found, files):
                raise InvalidInput(f"The path {path} is not a file.")
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        return file

    def _make_room(self, path: str, found: str, files: list[File], taken: str) -> None:
        """Raises where a file cannot be: something is there, or a file is where a folder would have to be."""
        if found == ROOT or _at(found, files) is not None or _inside(found, files):
            raise Refused(taken)
        for file in files:
            if found.startswith(file.path + "/"):
                raise InvalidInput(f"{path} cannot be: {file.path} is a file, not a directory")

    def _rewrite(self, path: str, file: File, text: str) -> None:
        kept = self.memory.edit(file.memory.id, text if text.strip() else BLANK, metadata=_about(text))
        if kept.id is None:
            raise Refused(f"{path} was not changed: {kept.reason}")
        self.memory.forget_many(file.older)

    def _forget(self, files: list[File]) -> None:
        self.memory.forget_many(one for file in files for one in file.ids)


def _resolved(path: str) -> str:
    """The path without detours; raises where it leads out of /memories.

    >>> _resolved("/memories/a/../b.txt"), _resolved("/memories//")
    ('/memories/b.txt', '/memories')
    """
    if not path.startswith(ROOT):
        raise InvalidInput(f"Path must start with {ROOT}, got: {path}")
    found = normpath(f"{ROOT}/{path[len(ROOT) :].lstrip('/')}")
    if found != ROOT and not found.startswith(ROOT + "/"):
        raise InvalidInput(f"Path {path} would escape {ROOT} directory")
    return found


def _at(path: str, files: list[File]) -> File | None:
    return next((file for file in files if file.path == path), None)


def _inside(folder: str, files: list[File]) -> list[File]:
    return [file for file in files if file.path.startswith(folder + "/")]


def _lines_with(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at != -1:
        yield text.count("\n", 0, at) + 1
        at = text.find(wanted, at + 1)


def _about(text: str) -> dict[str, dict[str, str]]:
    """A file that says nothing is kept beside a memory that says so."""
    return {} if text.strip() else {PLACE: {"blank": text}}


def _tag(path: str) -> str:
    """A path as a tag: whose ends are not trimmed away.

    >>> _tag("/memories/my notes ")
    'path:/memories/my%20notes%20'
    """
    return "path:" + _SPECIAL.sub(lambda found: quote(found[0], safe=""), path)


def _path(memory: Memory) -> str | None:
    found = next((tag for tag in memory.tags if tag.startswith("path:")), None)
    return None if found is None else unquote(found.removeprefix("path:"))
