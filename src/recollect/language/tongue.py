"""Which of the languages that there is data for a text is written in."""

import re
from functools import cache, lru_cache
from typing import Final, NamedTuple

from recollect.language.lexicon import tables
from recollect.language.phrases import flat

_WORD: Final = re.compile(r"[^\W\d_]+")
# The first words settle it; a book need not be read for it.
_READ_CHARACTERS: Final = 600


@lru_cache(maxsize=1024)
def tongue(text: str) -> str:
    """The language whose small words, letters and endings the text shows most; English where none shows.

    >>> tongue("I moved to Lisbon"), tongue("Lizbon'a taşındım")
    ('en', 'tr')
    """
    shown = _shown(text)
    best = max(shown.values(), default=0.0)
    return next(name for name in _by_default() if shown[name] == best)


def shows(text: str, name: str) -> bool:
    """Whether a text shows a language, and no other as much; what shows none may be in one that there is no data for.

    >>> shows("We moved to the coast.", "en"), shows("Wir zogen ans Meer.", "en"), shows("Denize taşındık.", "en")
    (True, False, False)
    """
    shown = _shown(text)
    return all(shown[name] > much for other, much in {**shown, "": 0.0}.items() if other != name)


def _shown(text: str) -> dict[str, float]:
    """How much a text shows each language."""
    start = text[:_READ_CHARACTERS]
    words = _WORD.findall(flat(start))
    shown = dict.fromkeys(_signs(), 0.0)
    for word in words:
        for name, much in _of_word(word):
            shown[name] += much
    # No letter that is a sign is one of ASCII.
    for name, signs in () if start.isascii() else _signs().items():
        shown[name] += 0.5 * sum(map(start.count, signs.letters))
    return shown


class _Signs(NamedTuple):
    words: frozenset[str]
    letters: frozenset[str]
    endings: re.Pattern[str]


@cache
def _signs() -> dict[str, _Signs]:
    return {
        name: _Signs(frozenset(table["words"]), frozenset(table["letters"]), re.compile(table["endings"]))
        for name, table in tables("tongue").items()
    }


@cache
def _by_default() -> tuple[str, ...]:
    found = tables("tongue")
    return tuple(sorted(found, key=lambda name: (-int(found[name].get("rank", 0)), name)))


# The same words come again and again.
@lru_cache(maxsize=8192)
def _of_word(word: str) -> tuple[tuple[str, float], ...]:
    """For which languages a word speaks, and how much."""
    found = (
        (name, (word in signs.words) + 0.5 * (signs.endings.search(word) is not None))
        for name, signs in _signs().items()
    )
    return tuple((name, much) for name, much in found if much)
