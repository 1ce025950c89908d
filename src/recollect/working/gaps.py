"""What came up and nothing was known about: kept to be looked at, and answered."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from recollect.errors import InvalidInput
from recollect.model import Memory

GAP: Final = "gap"
"""The kind of the memory: in the log, dormant, so that no ordinary recall brings it."""
MOST_CHARACTERS: Final = 500
"""The end of a context, which says what it is about now."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A context for which nothing was known."""

    id: str
    text: str
    channel: str
    session: str | None
    noticed_at: datetime
    count: int
    """How often it came up."""


def snippet(context: str) -> str:
    """The end of a context, in one line.

    >>> snippet("  where is   the office? ")
    'where is the office?'
    """
    return " ".join(context.split())[-MOST_CHARACTERS:]


def same_tag(text: str) -> str:
    """The tag by which the same gap is found again.

    >>> same_tag("Where?") == same_tag("where?")
    True
    """
    return f"{GAP}:{hashlib.sha256(text.casefold().encode()).hexdigest()[:16]}"


def gap_from(memory: Memory, accesses: int) -> Gap:
    """A gap from its memory, and how often it came up again."""
    if memory.kind != GAP:
        raise InvalidInput(f"{memory.id} is a {memory.kind}, not a gap")
    return Gap(memory.id, memory.text, memory.channel, memory.origin.session, memory.valid_from, accesses + 1)
