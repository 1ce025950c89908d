"""Sorts of things: who has no pets has no dog, and who has three children has not two."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from recollect.language.lexicon import tables
from recollect.language.numerals import count_in
from recollect.language.terms import terms

Words = tuple[str, ...]


class Counted(NamedTuple):
    """A number of things of one sort."""

    number: str
    thing: Words


def is_a(value: str, sort: str) -> bool:
    """Whether the value ends in the name of something of that sort.

    >>> is_a("two old beagles", "pet"), is_a("dog", "pets"), is_a("dog food", "pet"), is_a("pet", "dog")
    (True, True, False, False)
    """
    known = _sorts().get(_words(sort), frozenset())
    words = _words(value)
    return any(words[start:] in known for start in range(len(words)))


def counted(value: str) -> Counted | None:
    """How many of what the value says that there are; None where another number may hold beside it.

    >>> counted("two kids"), counted("2 ideas")
    (Counted(number='2', thing=('kid',)), None)
    """
    first, _, thing = value.partition(" ")
    number, words = count_in(first), _words(thing)
    return Counted(number, words) if number is not None and words in _counted() else None


@lru_cache(maxsize=1024)
def _words(text: str) -> Words:
    return tuple(terms(text))


@cache
def _sorts() -> Mapping[Words, frozenset[Words]]:
    """Everything that is of a sort, of the sorts of that sort too."""
    direct = {
        _words(sort): {_words(word) for word in words}
        for table in tables("sorts").values()
        for sort, words in table["sorts"].items()
    }
    return {
        sort: frozenset(found.union(*(direct.get(one, set()) for one in found)) - {sort})
        for sort, found in direct.items()
    }


@cache
def _counted() -> frozenset[Words]:
    return frozenset(_words(word) for table in tables("sorts").values() for word in table["counted"]["words"])
