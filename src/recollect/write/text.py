"""What a text must be before it is kept: text, not empty, not endless, without secrets."""

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from recollect import given
from recollect.errors import InvalidInput
from recollect.language.secrets import Finding, redact
from recollect.model import Origin

MAX_CHARACTERS = 10_000_000
EMBEDDED_CHARACTERS = 8_192
"""More than any embedder here reads (256 tokens): the rest would only be tokenised and dropped."""

RANDOM: Final = "high-entropy"
"""What is known as a secret by its looks alone; ids look so, too."""
NAMES: Final = ("run", "actor", "event_type", "role", "speaker")
LONE_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Clean:
    """A text that may be stored, and what was taken out of it."""

    text: str
    redactions: tuple[Finding, ...]


def checked(text: object) -> str:
    """The text, where it is one that can be stored; raises `InvalidInput` where there is nothing to store."""
    if not isinstance(text, str):
        raise InvalidInput(f"a memory is a text, not {type(text).__name__}")
    if not text.strip():
        raise InvalidInput("the text is empty: there is nothing to remember")
    if len(text) > MAX_CHARACTERS:
        raise InvalidInput(f"the text has {len(text):,} characters, the most is {MAX_CHARACTERS:,}: split it")
    return text


def clean(text: object) -> Clean:
    """The text as it may be stored, without secrets."""
    # Half a character cannot be written as UTF-8; the replacement mark says that something stood there.
    found = redact(LONE_SURROGATES.sub("\ufffd", checked(text)))
    return Clean(found.text, found.findings)


def word(name: str) -> str:
    """A word that stands beside a text, such as a tag, without secrets.

    >>> word("password: hunter2"), word("chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ12")
    ('password: [redacted:password]', 'chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ12')
    """
    found = redact(name)
    return found.text if any(one.kind != RANDOM for one in found.findings) else name


def address(what: str, name: str | None) -> None:
    """Raises where something is to be found again by a name that holds a secret: under another it would be lost."""
    if name is not None and word(name) != name:
        raise InvalidInput(f"the {what}'s name holds a secret ({word(name)}): choose another name")


def named(origin: Origin) -> Origin:
    """Where a text comes from, as it may be stored: by names, as a number would be given back as a text."""
    for what in ("session", "run", "actor"):
        given.label(f"a {what} is a text", getattr(origin, what))
    address("session", origin.session)
    names = {field: name for field in NAMES if (name := getattr(origin, field)) is not None}
    changed: dict[str, Any] = {field: word(name) for field, name in names.items() if word(name) != name}
    return replace(origin, **changed) if changed else origin
