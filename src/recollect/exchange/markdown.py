"""Markdown that a person can read and edit: a heading a channel, a bullet a memory, its particulars in a comment."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from recollect.errors import Refused
from recollect.exchange.importing import Report
from recollect.language.validity import validity
from recollect.model import GLOBAL_CHANNEL, Action, Memory, Origin

PARTICULARS: Final = re.compile(
    r"\s*<!--\s*id:\s*(?P<id>[0-9A-Za-z]+)\b(?:.*\|\s*base:\s*(?P<base>[0-9a-f]+))?.*-->\s*"
)
BULLET: Final = re.compile(r"(?P<indent>\s*)(?P<mark>[-*+]|\d{1,3}[.)])(?:\s|$)")
HEADING: Final = re.compile(r"#{1,6}\s")
# What a text has of particulars is written behind a backslash, as Markdown has it.
LIKE_PARTICULARS: Final = re.compile(r"(<!--\s*id:)")
ESCAPED: Final = re.compile(r"\\(<!--\s*id:)")
BASE_CHARACTERS: Final = 12
SHOWN_CHARACTERS: Final = 60
NOTE = """<!-- Change a text to edit its memory, add a bullet to remember something new; then
`recollect import FILE.md`. A bullet that is taken away is left as it is: use `recollect forget`. -->"""


@dataclass(frozen=True, slots=True)
class Item:
    """A bullet: a memory's id if it has one, its channel and its text."""

    id: str | None
    channel: str
    text: str
    base: str | None = None
    """The mark of the text that was exported."""


@dataclass(frozen=True, slots=True)
class Document:
    """An edited document: its bullets, and the lines that are none and belong to none."""

    items: tuple[Item, ...]
    left_out: tuple[str, ...] = ()


@dataclass
class Edited(Report):
    """What an edited document did, by id."""

    left_out: list[str] = field(default_factory=list)
    """The lines that were not understood, each with its number."""


class Verbs(Protocol):
    """What an edited document asks of the engine."""

    def find(self, memory_id: str) -> Memory | None: ...
    def remember(self, text: str, *, channel: str | None, origin: Origin | None) -> Any: ...
    def edit(self, memory_id: str, text: str) -> Any: ...


def rendered(memories: Iterable[Memory], user: str) -> Iterator[str]:
    """The lines of the document, by channel, oldest first."""
    yield f"# What Recollect remembers for {user}"
    yield ""
    yield NOTE
    ordered = sorted(memories, key=lambda m: (m.channel != GLOBAL_CHANNEL, m.channel, m.id))
    channel = None
    for memory in ordered:
        if memory.channel != channel:
            channel = memory.channel
            yield ""
            yield f"## {' '.join(channel.splitlines())}"
            yield ""
        first, *rest = (LIKE_PARTICULARS.sub(r"\\\1", line) for line in memory.text.split("\n"))
        yield f"- {first}"
        yield from (f"  {line}" for line in rest)
        told = f"{memory.kind} | {validity(memory)}{_extras(memory)}"
        yield f"  <!-- id: {memory.id} | {' '.join(told.split())} | base: {mark(memory.text)} -->"


def mark(text: str) -> str:
    r"""By what it is known that a text is still what it was: line ends and the space before them do not count.

    >>> mark("one \r\ntwo\n") == mark("one\ntwo") != mark("one two")
    True
    """
    plain = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    return hashlib.sha256(plain.encode()).hexdigest()[:BASE_CHARACTERS]


def parsed(lines: Iterable[str]) -> Document:
    """The bullets of an edited document, whatever marks them and however they are indented."""
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        reader.read(number, line.rstrip("\r\n"))
    reader.end()
    return Document(tuple(reader.items), tuple(reader.left_out))


class _Reader:
    """Reads a document line by line."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.left_out: list[str] = []
        self._channel = GLOBAL_CHANNEL
        self._text: list[str] = []
        """Of the bullet that is open."""
        self._loose: list[tuple[int, str]] = []
        """Lines after it that are its own only if its particulars follow."""
        self._indent = 0
        self._comment: tuple[int, str] | None = None

    def read(self, number: int, line: str) -> None:
        if self._comment is not None:
            if "-->" in line:
                self._comment = None
        elif found := PARTICULARS.fullmatch(line):
            self._particulars(number, line, found)
        elif self._text and line.startswith(" " * self._indent):
            self._go_on(number, line[self._indent :])
        elif (bullet := BULLET.match(line)) and not self._is_within(line):
            self.close()
            self._indent = _width(line) + len(bullet["mark"]) + 1
            self._text = [line[bullet.end("mark") + 1 :]]
        elif HEADING.match(line):
            self._head(number, line)
        elif line.startswith("<!--"):
            self._comment = None if "-->" in line else (number, line)
        elif self._is_within(line):
            self._go_on(number, line.expandtabs(4)[self._indent :])
        else:
            self._go_on(number, line.lstrip(), lazily=True)

    def close(self, memory_id: str | None = None, base: str | None = None) -> None:
        """Ends the bullet that is open."""
        text = "\n".join(ESCAPED.sub(r"\1", line) for line in self._text).strip("\n")
        if text.strip():
            self.items.append(Item(memory_id, self._channel, text, base))
        for number, line in self._loose:
            self._leave_out(number, line)
        self._text, self._loose = [], []

    def end(self) -> None:
        self.close()
        if self._comment is not None:
            self._leave_out(*self._comment)

    def _particulars(self, number: int, line: str, found: re.Match[str]) -> None:
        self._text += [one for _, one in self._loose]
        self._loose = []
        if not self._text:
            self._leave_out(number, line)
        self.close(found["id"], found["base"])

    def _head(self, number: int, line: str) -> None:
        self.close()
        if line.startswith("## "):
            self._channel = line[3:].strip()
        elif not line.startswith("# "):
            self._leave_out(number, line)

    def _go_on(self, number: int, line: str, *, lazily: bool = False) -> None:
        """A line of the bullet that is open, or of none."""
        if self._text and not self._loose and (not lazily or not line or self._text[-1].strip()):
            self._text.append(line)
        elif self._text:
            self._loose.append((number, line))
        elif line:
            self._leave_out(number, line)

    def _is_within(self, line: str) -> bool:
        """Whether a line stands as far in as the text of the bullet that is open."""
        return bool(self._text) and _width(line) >= self._indent

    def _leave_out(self, number: int, line: str) -> None:
        if line.strip():
            self.left_out.append(f"line {number}: {line.strip()[:SHOWN_CHARACTERS]}")


def _width(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def _extras(memory: Memory) -> str:
    marks = [f"#{tag}" for tag in memory.tags] + ["pinned"] * memory.pinned + ["immutable"] * memory.immutable
    return f" | {' '.join(marks)}" if marks else ""


def take(document: Document, verbs: Verbs) -> Edited:
    """Remembers bullets that are new, edits those whose text was changed there alone, leaves the rest."""
    report = Edited(left_out=list(document.left_out))
    for item in document.items:
        known = None if item.id is None else verbs.find(item.id)
        if known is None:
            kept = verbs.remember(item.text, channel=item.channel, origin=Origin(write_source="import"))
            if kept.action is Action.SKIP:
                report.refused.append(item.id or item.text[:40])
            else:
                (report.created if kept.action is Action.CREATE else report.unchanged).append(kept.id)
        elif mark(item.text) in (mark(known.text), item.base):
            report.unchanged.append(known.id)
        elif item.base in (mark(known.text), None):
            (report.updated if _edited(verbs, known.id, item.text) else report.refused).append(known.id)
        else:
            report.conflicts.append(known.id)
    return report


def _edited(verbs: Verbs, memory_id: str, text: str) -> bool:
    try:
        return verbs.edit(memory_id, text).action is not Action.SKIP
    except Refused:
        return False
