"""A folder of Markdown notes: a memory a section, with its heading as the title."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from recollect.integrations.importers.files import files
from recollect.integrations.importers.values import Item, Note, Part, Problem

HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
FENCE = re.compile(r"^\s*(```|~~~)")
FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def parts(path: Path) -> list[Part]:
    """A part a file; what begins with a dot is not looked into."""
    folder = path if path.is_dir() else path.parent
    found = [file for file in files(path, "*.md") if not _hidden(file.relative_to(folder))]
    return [partial(_file, file, file.relative_to(folder)) for file in found]


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _file(path: Path, name: Path) -> Iterator[Item]:
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, UnicodeDecodeError) as error:
        yield Problem(str(path), f"cannot be read as text: {error}")
        return
    seen: dict[str, int] = {}
    for title, body in sections(FRONT.sub("", text)):
        heading = title or name.stem
        seen[heading] = seen.get(heading, 0) + 1
        key = f"{name.as_posix()}#{heading}" + (f"#{seen[heading]}" if seen[heading] > 1 else "")
        yield Note(key, body, at, metadata={"title": heading, "path": name.as_posix()})


def sections(text: str) -> Iterator[tuple[str | None, str]]:
    r"""Each heading with what stands under it, up to the next one; headings in code are code.

    >>> list(sections("Hello\n# Tea\nGreen.\n## Milk\n"))
    [(None, 'Hello'), ('Tea', '# Tea\nGreen.')]
    """
    title, lines, fenced = None, list[str](), False
    for line in text.split("\n"):
        fenced ^= bool(FENCE.match(line))
        heading = None if fenced else HEADING.match(line)
        if heading is not None:
            yield from _section(title, lines)
            title, lines = heading[1], []
        lines.append(line)
    yield from _section(title, lines)


def _section(title: str | None, lines: list[str]) -> Iterator[tuple[str | None, str]]:
    said = lines if title is None else lines[1:]
    if any(line.strip() for line in said):
        yield title, "\n".join(lines).strip("\n")
