"""How something stands: whether a question asks how it is now, and whether a statement tells that it changed."""

import re
from functools import cache
from typing import Final

from recollect.language.lexicon import fold, tables
from recollect.language.past import about_the_past

LONGEST_QUESTION: Final = 300
"""A longer one is a message of its own, which asks for more than one thing."""
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")


def asks_how_it_stands(question: str) -> bool:
    """Whether it asks for what holds now, of something that may change.

    >>> asks_how_it_stands("What is my budget for books?"), asks_how_it_stands("Toplantı saat kaçta?")
    (True, True)
    >>> asks_how_it_stands("What was my budget?"), asks_how_it_stands("Toplantı ne zamandı?")
    (False, False)
    """
    if len(question) > LONGEST_QUESTION or about_the_past(question):
        return False
    folded = fold(question.strip())
    return any(asks.match(folded) and not not_now.search(folded) for asks, not_now in _questions())


def asks_whether(question: str) -> bool:
    """Whether it asks if the asker ever did something, or does it.

    >>> asks_whether("Have I ever met Kelly?"), asks_whether("Kelly ile hiç tanıştım mı?"), asks_whether("Who is Kelly?")
    (True, True, False)
    """
    return len(question) <= LONGEST_QUESTION and any(
        whether.search(fold(question.strip())) for whether in _whether()
    )


def tells_a_change(statement: str) -> bool:
    """Whether it says that something is not as it was.

    >>> tells_a_change("The meeting was rescheduled to four"), tells_a_change("The meeting is at three")
    (True, False)
    """
    return bool(_changes().search(fold(statement)))


def numbers(statement: str) -> frozenset[str]:
    """The numbers in it, as they are written.

    >>> sorted(numbers("at 4:30 PM, for $1,200"))
    ['1,200', '4:30']
    """
    return frozenset(_NUMBER.findall(statement))


@cache
def _questions() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (
            re.compile(
                rf"(?:(?:{'|'.join(table['courtesies']) or '(?!)'}),? )*(?:{'|'.join(table['asks'])})(?!\w)"
            ),
            re.compile(rf"\b(?:{'|'.join(table['not_now'])})(?!\w)"),
        )
        for table in tables("standing").values()
    )


@cache
def _whether() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile("|".join(table["whether"])) for table in tables("standing").values())


@cache
def _changes() -> re.Pattern[str]:
    words = [word for table in tables("standing").values() for word in table["changes"]]
    return re.compile(rf"\b(?:{'|'.join(words)})(?!\w)")
