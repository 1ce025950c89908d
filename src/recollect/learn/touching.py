"""Whether an action acts on something that the goal names."""

import re
from functools import lru_cache

from recollect.language.terms import STOP_WORDS

WORD = re.compile(r"[^\W\d_]{2,}")


def touches(command: str, goal: str) -> bool:
    """Whether a word of the command, but for its verb, is one of the goal's.

    >>> touches("take apple 1 from shelf 2", "put a clean apple in the fridge")
    True
    >>> touches("put pan 1 in stove 1", "put a clean apple in the fridge")
    False
    """
    return not named(goal).isdisjoint(WORD.findall(command.casefold())[1:])


@lru_cache(maxsize=1024)
def named(goal: str) -> frozenset[str]:
    """The words of a goal that say something, but for its verb."""
    return frozenset(word for word in WORD.findall(goal.casefold())[1:] if word not in STOP_WORDS)
