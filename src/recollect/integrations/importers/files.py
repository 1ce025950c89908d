"""The files of an export: alone, in a folder, or packed."""

import json
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from recollect.errors import InvalidInput, NotFound
from recollect.integrations.importers.values import Item, Part, Problem

CONVERSATIONS = "conversations*.json"


def documents(path: Path, name: str) -> list[tuple[str, Any]]:
    """The JSON documents of a file, or of the files of that name in a folder or an archive."""
    if is_zipfile(path):
        found = _packed(path, name)
    else:
        files = _named(path, name) if path.is_dir() else [_there(path)]
        found = [(str(file), file.read_bytes()) for file in files]
    if not found:
        raise NotFound(f"no {name} in {path}")
    return [(where, _parsed(where, content)) for where, content in found]


def conversations(
    path: Path, read: Callable[[str, Any], Iterator[Item]], whose: str, other: tuple[str, str, str]
) -> list[Part]:
    """A part a conversation of a chat's export; `other` is the chat whose export is called alike, by a key of its own."""
    key, others, source = other
    found: list[Part] = []
    for where, document in documents(path, CONVERSATIONS):
        if not isinstance(document, list):
            raise InvalidInput(f"{where} is no list of conversations, as {whose} exports them")
        if document and all(isinstance(one, Mapping) and key in one for one in document):
            raise InvalidInput(f"{where} is an export of {others}: use --from {source}")
        found += [partial(read, f"{where}[{place}]", one) for place, one in enumerate(document)]
    return found


def files(path: Path, pattern: str) -> list[Path]:
    """A file, or every file of a folder and the folders in it that is named so, by path."""
    found = _named(path, pattern) if path.is_dir() else [_there(path)]
    if not found:
        raise NotFound(f"no {pattern} in {path}")
    return found


def lines(path: Path) -> Iterator[tuple[int, Any] | Problem]:
    """The objects of a file of JSON lines with their numbers; what is no object is a problem."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _line(path, number, line)
    except OSError as error:
        yield Problem(str(path), f"cannot be read: {error.strerror}")


def _line(path: Path, number: int, line: bytes) -> tuple[int, Any] | Problem:
    try:
        value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        return Problem(f"{path}:{number}", f"not JSON: {error}")
    return (number, value) if isinstance(value, dict) else Problem(f"{path}:{number}", "not an object")


def _named(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.rglob(pattern) if path.is_file())


def _there(path: Path) -> Path:
    if not path.is_file():
        raise NotFound(f"no file or folder {path}")
    return path


def _packed(path: Path, pattern: str) -> list[tuple[str, bytes]]:
    try:
        with ZipFile(path) as archive:
            names = sorted(n for n in archive.namelist() if fnmatchcase(n.rpartition("/")[2], pattern))
            return [(f"{path}:{name}", archive.read(name)) for name in names]
    except (BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InvalidInput(f"{path} cannot be unpacked: {error}") from None


def _parsed(where: str, content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is not JSON: {error}; export it again") from None
