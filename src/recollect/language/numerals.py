"""Numbers that are written as words."""

from collections.abc import Mapping
from functools import cache

from recollect.language.lexicon import tables


@cache
def number_words() -> Mapping[str, str]:
    """What each number word of each language means, in digits."""
    return {word: number for table in tables("numbers").values() for word, number in table["words"].items()}


def count_in(word: str) -> str | None:
    """The number that a word is, in digits.

    >>> count_in("two"), count_in("12"), count_in("dozens")
    ('2', '12', None)
    """
    return word if word.isdecimal() else number_words().get(word)
