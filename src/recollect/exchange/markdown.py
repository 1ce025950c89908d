"""Markdown that a person can read and edit: a heading a channel, a bullet a memory, its particulars in a comment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.errors import Refused
from recollect.exchange.importing import Report
from recollect.language.validity import validity
from recollect.model import GLOBAL_CHANNEL, Action, Memory, Origin

PARTICULARS = re.compile(r"^\s*<!--\s*id:\s*(?P<id>[0-9A-Za-z]+)\b.*-->\s*$")
NOTE = """<!-- Change a text to edit its memory, add a bullet to remember something new; then
`recollect import FILE.md`. A bullet that is taken away is left as it is: use `recollect forget`. -->"""


@dataclass(frozen=True, slots=True)
class Item:
    """A bullet: a memory's id if it has one, its channel and its text."""

    id: str | None
    channel: str
    text: str


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
            yield f"## {channel}"
            yield ""
        first, *rest = memory.text.split("\n")
        yield f"- {first}"
        yield from (f"  {line}" for line in rest)
        yield f"  <!-- id: {memory.id} | {memory.kind} | {validity(memory)}{_extras(memory)} -->"


def items(lines: Iterable[str]) -> list[Item]:
    """The bullets of an edited document; text outside bullets is left alone."""
    found: list[Item] = []
    text: list[str] = []
    channel, memory_id = GLOBAL_CHANNEL, None

    def close() -> None:
        if text and "\n".join(text).strip():
            found.append(Item(memory_id, channel, "\n".join(text).strip("\n")))
        text.clear()

    for line in (raw.rstrip("\r\n") for raw in lines):
        if line.startswith("## "):
            close()
            channel, memory_id = line[3:].strip(), None
        elif line.startswith("- "):
            close()
            text, memory_id = [line[2:]], None
        elif text and (mark := PARTICULARS.match(line)):
            memory_id = mark["id"]
            close()
        elif text and (line.startswith("  ") or not line):
            text.append(line[2:])
        else:
            close()
    close()
    return found


def _extras(memory: Memory) -> str:
    marks = [f"#{tag}" for tag in memory.tags] + ["pinned"] * memory.pinned + ["immutable"] * memory.immutable
    return f" | {' '.join(marks)}" if marks else ""


def take(document: Iterable[Item], verbs: Verbs) -> Report:
    """Remembers bullets that are new, edits those whose text was changed, leaves the rest."""
    report = Report()
    for item in document:
        known = None if item.id is None else verbs.find(item.id)
        if known is None:
            kept = verbs.remember(item.text, channel=item.channel, origin=Origin(write_source="import"))
            if kept.action is Action.SKIP:
                report.refused.append(item.id or item.text[:40])
            else:
                (report.created if kept.action is Action.CREATE else report.unchanged).append(kept.id)
        elif known.text == item.text:
            report.unchanged.append(known.id)
        else:
            try:
                verbs.edit(known.id, item.text)
                report.updated.append(known.id)
            except Refused:
                report.refused.append(known.id)
    return report
