"""Which level of memory a question asks for: goals, strategies, steps or findings."""

import re
from functools import cache
from typing import Final

from recollect.language.lexicon import fold, tables

LONGEST_QUESTION: Final = 300
"""A longer one is a message of its own, in which such a word says little."""


def asked_level(question: str) -> str | None:
    """The name of the level that a question asks for; None where it asks for none, or for several.

    >>> asked_level("Which strategies worked for auth?"), asked_level("Ödeme için adımlar nelerdi?")
    ('strategies', 'steps')
    >>> asked_level("Why did the last step of the build fail?") is None
    True
    """
    if len(question) > LONGEST_QUESTION:
        return None
    folded = fold(question.strip())
    found = {level for level, pattern in _patterns() if pattern.search(folded)}
    return found.pop() if len(found) == 1 else None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for table in tables("levels").values():
        for level, nouns in table["nouns"].items():
            noun = rf"(?:{'|'.join(nouns)})(?!\w)"
            asks = "|".join(ask.replace("{noun}", noun) for ask in table["asks"])
            found.append((level, re.compile(rf"\b(?:{asks})(?!\w)")))
    return tuple(found)
