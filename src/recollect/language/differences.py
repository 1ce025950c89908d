"""Values in which two texts differ however alike they are: numbers, dates, codes, names, yes and no."""

import re
from functools import lru_cache
from typing import Final

from recollect.language.lexicon import fold
from recollect.language.numerals import number_words
from recollect.language.polarity import negates, negative
from recollect.language.terms import STOP_WORDS

LONGEST: Final = 20_000
_NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_TOKEN: Final = re.compile(r"[^\W\d_][\w'’-]*")
_CODE: Final = re.compile(r"[\w.-]*[^\W\d_][\w.-]*\d[\w.-]*")
_SUFFIX: Final = re.compile(r"['’].*$")


def differing(new: str, old: str) -> str | None:
    """Why two similar texts are no duplicates: each has a number or a name that the other lacks.

    >>> differing("The port is 8082", "The port is 8081")
    'numbers: 8081 ≠ 8082'
    """
    for kind, found in (("numbers", numbers), ("names", names)):
        ours, theirs = found(new) - found(old), found(old) - found(new)
        if ours and theirs:
            return f"{kind}: {', '.join(sorted(theirs))} ≠ {', '.join(sorted(ours))}"
    if negates(new, old) or negative(new) != negative(old):
        return "one says no and the other does not"
    return None


def adds(new: str, old: str) -> bool:
    """Whether the new text has a number or a name that the old one lacks, so that it must not be dropped.

    >>> adds("Ada meets Tom at 10", "Ada meets Tom"), adds("Ada meets Tom", "Ada meets Tom at 10")
    (True, False)
    """
    return bool(numbers(new) - numbers(old) or names(new) - names(old))


def numbers(text: str) -> frozenset[str]:
    """Numbers, codes and number words of a text, written one way."""
    return _numbers(text[:LONGEST])


@lru_cache(maxsize=256)
def _numbers(text: str) -> frozenset[str]:
    folded = fold(text)
    digits = {number.replace(",", "") for number in _NUMBER.findall(folded)}
    words = number_words()
    spelt = {words[word] for word in _TOKEN.findall(folded) if word in words}
    return frozenset(digits | spelt | {code.strip(".-") for code in _CODE.findall(folded)})


def names(text: str) -> frozenset[str]:
    """Words with a capital, without suffixes; at the start of a text only what is no common function word."""
    return _names(text[:LONGEST])


@lru_cache(maxsize=256)
def _names(text: str) -> frozenset[str]:
    found = {_SUFFIX.sub("", word) for word in _TOKEN.findall(text) if word[0].isupper()}
    folded = frozenset(fold(word) for word in found)
    return frozenset(
        name for name in folded if len(name) > 1 and name not in STOP_WORDS and name not in number_words()
    )
