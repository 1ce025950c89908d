"""What a request is about, without how its answer is to be told."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.lexicon import fold, tables
from recollect.language.terms import query_terms

LONGEST: Final = 400
"""A longer one is a message of its own, and no request."""
FEWEST: Final = 2
"""With fewer terms left, the telling was what it is about; but what is known may be asked of a name alone."""


class Framed(NamedTuple):
    """What is to be searched for, and how it was asked for."""

    topic: str
    sums_up: bool
    """Whether a summary is asked for, which is of what everybody said."""


class _Framing(NamedTuple):
    opening: re.Pattern[str]
    closing: re.Pattern[str]


def framed(question: str) -> Framed | None:
    """A request for a summary, for what came in which order, or for what is known of something; None for any other.

    >>> framed("Can you give me a short summary of how my garden project went, throughout our chats?")
    Framed(topic='my garden project went', sums_up=True)
    >>> framed("Can you list the order in which I brought up my travel plans? Mention only three items.")
    Framed(topic='my travel plans', sums_up=False)
    >>> framed("What should I remember about Leo's diet?")
    Framed(topic="Leo's diet", sums_up=False)
    >>> framed("Bahçe projemi kısaca özetler misin?").topic, framed("Where did I park?")
    ('Bahçe projemi', None)
    """
    if len(question) > LONGEST:
        return None
    folded = fold(question)
    cased = question if len(question) == len(folded) else folded
    return next(filter(None, (_framed(folded, cased, framing) for framing in _framings())), None)


def _framed(folded: str, cased: str, framing: _Framing) -> Framed | None:
    start, end = 0, len(folded)
    told: list[re.Match[str]] = []
    while match := framing.opening.match(folded, start):
        told.append(match)
        start = match.end()
    while match := framing.closing.search(folded, start, end):
        told.append(match)
        end = match.start()
    about = cased[start:end].strip(" ,:;.?!")
    sums = any(match["sums"] for match in told)
    known = any(match["known"] for match in told)
    tells = sums or known or any(match["orders"] for match in told)
    return Framed(about, sums) if tells and len(query_terms(about)) >= (1 if known else FEWEST) else None


@cache
def _framings() -> tuple[_Framing, ...]:
    return tuple(_framing(table) for table in tables("framing").values())


def _framing(table: Mapping[str, Any]) -> _Framing:
    opening = _kinds(
        table, {"sums": "sums", "orders": "orders", "known": "known"}, "courtesies", "verbs", "rests"
    )
    last = {"sums": "sums_last", "orders": "orders_last", "known": "known_last"}
    closing = _kinds(table, last, "closings")
    return _Framing(
        re.compile(rf"\s*(?:{opening})(?![\w'])[\s,:]*"),
        re.compile(rf"[\s,.:;]*(?<![\w'])(?:{closing})[\s,.?!]*$"),
    )


def _kinds(table: Mapping[str, Any], telling: Mapping[str, str], *others: str) -> str:
    """Any of the patterns of some lists; what those that tell match is known by their names."""
    # An empty list must match nothing, not the empty text.
    named = [rf"(?P<{name}>{'|'.join(table.get(key) or [r'(?!)'])})" for name, key in telling.items()]
    return "|".join([*named, *(one for name in others for one in table.get(name, ()))])
