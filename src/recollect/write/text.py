"""What a text must be before it is kept: text, not empty, not endless, without secrets."""

import re
from dataclasses import dataclass

from recollect.errors import InvalidInput
from recollect.language.secrets import Finding, redact

MAX_CHARACTERS = 10_000_000
EMBEDDED_CHARACTERS = 8_192
"""More than any embedder here reads (256 tokens): the rest would only be tokenised and dropped."""

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
