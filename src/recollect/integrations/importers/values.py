"""What an importer reads, whatever it reads it from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import NO_MAPPING


@dataclass(frozen=True, slots=True)
class Said:
    """A message; its id is its own within the conversation and the same whenever it is read."""

    id: str
    role: str
    text: str
    at: datetime | None = None
    speaker: str | None = None
    is_call: bool = False
    """Whether it is a call of a tool: nobody tells anything by it."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in their order."""

    id: str
    messages: tuple[Said, ...]
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A text that is a memory as it stands; what it says may change, its id does not."""

    id: str
    text: str
    at: datetime | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING, hash=False)
    user: str | None = None
    """Whose it is, where the export says so."""
    agent: str | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, and where it stands."""

    where: str
    reason: str


Item = Conversation | Note | Problem
Part = Callable[[], Iterator[Item]]
"""A piece of what is imported, read when its turn comes: a file, or a conversation of one."""


def known_moment(value: Any) -> datetime | None:
    """A moment where there is one that can be read; an export may lack it, or write it as it likes."""
    try:
        return None if value is None else moment_from(value)
    except InvalidInput:
        return None


def joined(texts: Iterable[Any]) -> str | None:
    """Those of them that are texts and say something, one a line; None where none does."""
    return "\n".join(text for one in texts if (text := as_text(one)) is not None) or None


def as_text(value: Any) -> str | None:
    """A text that says something, or None."""
    return value if isinstance(value, str) and value.strip() else None
