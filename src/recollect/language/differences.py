"""What keeps two texts apart however alike they are: numbers, dates, codes, names, yes and no, and any other word."""

import re
from functools import cache, lru_cache
from typing import Final, Literal

from recollect.language.lexicon import fold, tables
from recollect.language.numerals import number_words
from recollect.language.polarity import negates, negative
from recollect.language.terms import STOP_WORDS

LONGEST: Final = 20_000
_NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_TOKEN: Final = re.compile(r"[^\W\d_][\w'’-]*")
_CODE: Final = re.compile(r"[\w.-]*[^\W\d_][\w.-]*\d[\w.-]*")
_WORD: Final = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W_]+(?:['’-][^\W_]+)*")
_PLURAL: Final = re.compile(r"(?<=[^\Ws]{3})s$")
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


def retold(new: str, old: str) -> Literal["same", "less", "more"] | None:
    """Whether the new text says the old one again, the start of it, or all of it and where, when or with whom; else None.

    Each word counts, in its place, but for those that say nothing: what sounds alike may be the opposite.

    >>> retold("Ada lives in Rome now", "Ada lives in Rome"), retold("Ada lives in Rome with Tom", "Ada lives in Rome")
    ('same', 'more')
    >>> retold("Ada lent Tom the car", "Tom lent Ada the car") is None
    True
    """
    ours, theirs = _words(new[:LONGEST]), _words(old[:LONGEST])
    if ours == theirs:
        return "same"
    if _goes_on(ours, theirs):
        return "more"
    return "less" if _goes_on(theirs, ours) else None


def _goes_on(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    more = longer[len(shorter) :]
    return bool(shorter) and longer[: len(shorter)] == shorter and bool(more) and more[0] in _adding()


@lru_cache(maxsize=256)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text in order, numbers in one way, without endings that follow an apostrophe and plurals."""
    folded, spelt = fold(text), number_words()
    found = (number.replace(",", "") if number[0].isdigit() else number for number in _WORD.findall(folded))
    plain = (_SUFFIX.sub("", word) if not word.endswith(("n't", "n’t")) else word for word in found)
    return tuple(spelt.get(word, _PLURAL.sub("", word)) for word in plain if word not in _fillers())


@cache
def _fillers() -> frozenset[str]:
    return frozenset(word for table in tables("density").values() for word in table["fillers"])


@cache
def _adding() -> frozenset[str]:
    return frozenset(word for table in tables("density").values() for word in table["adding"])


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
