"""Proper names and quoted titles, found by capital letters and quotes: what leads from one passage to another."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from recollect.language.lexicon import fold, tables

MAX_NAMES: Final = 64
_LONGEST: Final = 100
# Longer ones are not looked for: no title, and the time would grow with both lengths.
_LONGEST_TITLE: Final = 300
_SHOUTED_WORDS: Final = 3
_UPPER: Final = "".join(c for c in map(chr, range(0x530)) if c.isupper())
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,100})\"|“([^“”\n]{1,100})”|«([^«»\n]{1,100})»|‘([^‘’\n]{1,100})’(?!\w)"
    rf"|(?<!\w)'([{_UPPER}\d](?:[^'\n]|'(?=\w)){{1,100}})'(?!\w)"
)
_PARENTHESIS: Final = re.compile(r"\s*\([^()]{0,200}\)\s*$")
_SUFFIX: Final = re.compile(r"['’][^\W_]{1,4}+")
_SENTENCE_END: Final = frozenset('.!?:;…\n"“«(*•-–—>')


class _Words(NamedTuple):
    never: frozenset[str]
    first: frozenset[str]
    name: re.Pattern[str]


def names(text: str) -> tuple[str, ...]:
    """Names and quoted titles in order, each once, at most 64.

    >>> names("What did Ada Lovelace read in Ankara'da? “War and Peace”, and Lord of the Rings")
    ('Ada Lovelace', 'Ankara', 'War and Peace', 'Lord of the Rings')
    >>> names("When did we go?")
    ()
    """
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return tuple(islice(dict.fromkeys(_found(composed)), MAX_NAMES))


def mentions(text: str, title: str) -> bool:
    """Whether a title is named in a text as whole words, however the two are spelled.

    >>> mentions("She starred in the golden calf in 1930", "The Golden Calf (1930 film)")
    True
    >>> mentions("Adana", "Ada")
    False
    """
    name = name_key(title[: 2 * _LONGEST_TITLE])
    return 0 < len(name) <= _LONGEST_TITLE and _holds(_plain(text), name)


def name_key(name: str) -> str:
    """What the spellings of a name have in common: folded, without what a trailing parenthesis adds.

    >>> name_key("İstanbul  (film)")
    'istanbul'
    """
    return _plain(_PARENTHESIS.sub("", name) or name)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _holds(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(name, at + 1)
    return False


def _found(text: str) -> Iterator[str]:
    at = 0
    for match in _QUOTED.finditer(text):
        yield from _capitalised(text, at, match.start())
        title = match[match.lastindex or 0].strip().rstrip(",.;")
        if _is_title(title):
            yield title
        else:
            yield from _capitalised(text, match.start(), match.end())
        at = match.end()
    yield from _capitalised(text, at, len(text))


def _is_title(quoted: str) -> bool:
    """Whether it is a title and not a sentence: its longer words have capital letters, most of them."""
    long = [word for word in quoted.split() if len(word) > 3]
    capital = sum(not word[0].islower() for word in long)
    return (quoted[:1].isupper() or quoted[:1].isdigit()) and capital * 2 > len(long)


def _capitalised(text: str, start: int, end: int) -> Iterator[str]:
    words = _words()
    for match in words.name.finditer(text, start, end):
        name = match[0]
        if _begins_sentence(text, match.start()):
            suffix = _SUFFIX.match(text, match.end())
            name = _without_first(name, suffix[0] if suffix else "", words.first)
        name = name.removesuffix(" I")
        if (
            1 < len(name) <= _LONGEST
            and not words.never.issuperset(fold(name).split())
            and not _shouted(text, match)
        ):
            yield name


def _begins_sentence(text: str, at: int) -> bool:
    before = text[max(at - 4, 0) : at].rstrip(" '‘")
    return not before or before[-1] in _SENTENCE_END


def _without_first(name: str, suffix: str, ordinary: frozenset[str]) -> str:
    while name:
        word, _, rest = name.partition(" ")
        if fold(word) not in ordinary and (rest or fold(word + suffix) not in ordinary):
            return name
        name = rest
    return name


def _shouted(text: str, match: re.Match[str]) -> bool:
    """Whether it stands among capitals only, so that its own say nothing."""
    if not match[0].isupper():
        return False
    around = text[max(match.start() - 20, 0) : match.start()] + text[match.end() : match.end() + 20]
    return around.isupper() or match[0].count(" ") >= _SHOUTED_WORDS


@cache
def _words() -> _Words:
    listed = tables("names").values()
    inside = "|".join(word for table in listed for word in table["inside"])
    titles = "|".join(word.capitalize() for table in listed for word in table["titles"])
    # An apostrophe before a small letter ends the name (Ankara'da, Ada's); before a capital it is in it (O'Brien).
    letters = rf"[^\W_]*+(?:[-.&'’][{_UPPER}][^\W_]*+|[.][^\W_]++){{0,7}}"
    word = rf"(?<![^\W_])(?:(?:{titles})\.|(?:[{_UPPER}]\.){{1,4}}+(?![^\W_])|[{_UPPER}]{letters})"
    pattern = rf"{word}(?:\ (?:(?:{inside})\ ){{0,2}}{word}){{0,9}}"
    return _Words(
        frozenset(word for table in listed for word in table["never"].split()),
        frozenset(word for table in listed for word in table["first"].split()),
        re.compile(pattern),
    )
