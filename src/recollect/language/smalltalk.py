"""Messages that need no memory: greetings, thanks, confirmations, commands. Told without a search."""

import re
from functools import cache
from typing import Final, NamedTuple

from recollect.language.lexicon import fold, tables

# A longer message says something.
_LONGEST: Final = 100
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_DRAWN_OUT: Final = re.compile(r"(\w)\1{2,}")
_COMMAND: Final = re.compile(r"/[a-z][\w:-]*(?:\s[^?]*)?", re.IGNORECASE)


class _Phrases(NamedTuple):
    reasons: dict[tuple[str, ...], str]
    asked: frozenset[str]
    longest: int


def no_need(text: str) -> str | None:
    """Why a message needs no memory, or None where it may: every word of it has to be small talk.

    >>> no_need("Hi there!"), no_need("tamam, teşekkürler"), no_need("/help")
    ('greeting', 'acknowledgement', 'slash command')
    >>> no_need("hi, where did I park?")
    """
    message = text[: _LONGEST + 1].strip()
    if _COMMAND.fullmatch(text.strip()):
        return "slash command"
    if len(text) > _LONGEST and text[_LONGEST:].strip():
        return None
    words = _WORD.findall(_DRAWN_OUT.sub(r"\1", fold(message)))
    if not words:
        # A script without spaces or with marks alone is still language: only signs are nothing.
        return None if any(letter.isalnum() for letter in message) else "no words"
    return _reason(words, asked="?" in message)


def _reason(words: list[str], *, asked: bool) -> str | None:
    phrases = _phrases()
    first, at = None, 0
    while at < len(words):
        for length in range(min(phrases.longest, len(words) - at), 0, -1):
            reason = phrases.reasons.get(tuple(words[at : at + length]))
            if reason is not None:
                break
        else:
            return None
        if asked and reason and reason not in phrases.asked:
            return None
        first = first or reason
        at += length
    return first or None


@cache
def _phrases() -> _Phrases:
    reasons: dict[tuple[str, ...], str] = {}
    asked: set[str] = set()
    for table in tables("smalltalk").values():
        # A filler has no reason of its own, and a phrase of any language comes before it.
        reasons = {tuple(filler.split()): "" for filler in table["fillers"]} | reasons
        asked.update(table["asked"])
    for table in tables("smalltalk").values():
        for reason, phrases in table["phrases"].items():
            reasons |= {tuple(phrase.split()): reason for phrase in phrases}
    return _Phrases(reasons, frozenset(asked), max(map(len, reasons)))
