"""What an evaluation set is: stores to fill, and questions of which it is known where the answer lies."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Item:
    """A turn or a passage. `key` is what evidence names it by; items of one session may share a key."""

    key: str
    text: str
    role: str = "user"
    speaker: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """Turns that belong together, in order, with the moment at which they were said if it is known."""

    id: str
    items: tuple[Item, ...]
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the keys of what answers it."""

    text: str
    gold: tuple[str, ...]
    type: str
    newer: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    """Of a question about something that changed: where the new and where the old state was said,"""
    notes: tuple[str, ...] = ()
    """and what the set has written down about the old and the new state, if it has."""
    before: str | None = None
    """Asked at the beginning of this session: nothing from then on is known."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What one store holds, and the questions that are asked of it."""

    name: str
    questions: tuple[Question, ...]
    sessions: tuple[Session, ...] = ()
    passages: tuple[Item, ...] = ()
    grouped: bool = False
    """Evidence names whole sessions, which rank by their best item."""


@dataclass(frozen=True, slots=True)
class EvalSet:
    """A named set."""

    name: str
    corpora: tuple[Corpus, ...]
