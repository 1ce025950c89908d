"""A statement that can be read without its conversation: who said "I" is named, and fillers are gone."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Protocol

from recollect.language import person_endings, person_words
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern
from recollect.language.tongue import tongue

MAX_CHARACTERS: Final = 500

_SPACES: Final = re.compile(r"\s+")
_MOST_FILLERS: Final = 6
# What is cut off is not read either; fillers and endings make a text shorter, seldom longer.
_READ_CHARACTERS: Final = 2000


class _Rewriter(Protocol):
    def rewrite(self, text: str) -> str: ...


_HOW: Final[Mapping[str, Callable[[Any, str, str | None, str], _Rewriter]]] = {
    "words": person_words.Rewriter,
    "endings": person_endings.Rewriter,
}


def standalone(
    text: str, speaker: str | None = None, listener: str | None = None, language: str | None = None
) -> str:
    """The text in the third person, without fillers, of 500 characters at most.

    >>> standalone("Well, I moved to Lisbon with my wife", "Ada")
    'Ada moved to Lisbon with their wife'
    >>> standalone("I'm vegan and my dog is Max")
    'The user is vegan and their dog is Max'
    >>> standalone("Dün Lizbon'a taşındım", "Ada"), standalone("Annem Roma'da yaşıyor", "Ada")
    ("Ada dün Lizbon'a taşındı", "Ada'nın annesi Roma'da yaşıyor")
    >>> standalone("You prefer tabs", "The assistant", listener="Ada")
    'Ada prefers tabs'
    """
    language = language or tongue(text)
    table = tables("standalone")[language]
    plain = without_fillers(_SPACES.sub(" ", text[:_READ_CHARACTERS]).strip(), language)
    name = speaker.strip()[:80] if speaker and speaker.strip() else str(table["anonymous"])
    return _shortened(_HOW[table["how"]](table, name, listener, language).rewrite(plain))


def without_fillers(text: str, language: str) -> str:
    """The text without words that say nothing, unless it says nothing else.

    >>> without_fillers("Um, well, I like, you know, tea lol", "en")
    'I like tea'
    """
    leading, inner, trailing = (_fillers(place, language) for place in ("leading", "inner", "trailing"))
    found = text
    for _ in range(_MOST_FILLERS):
        match = leading.match(flat(found))
        end = trailing.search(flat(found))
        start, stop = match.end() if match else 0, end.start() if end else len(found)
        if (start == 0 and stop == len(found)) or not re.search(r"\w\W+\w", found[start:stop]):
            break
        found = found[start:stop]
    while (match := inner.search(flat(found))) is not None:
        found = f"{found[: match.start()].rstrip(' ,')} {found[match.end() :].lstrip(' ,')}"
    return found[:1].upper() + found[1:] if found != text and text[:1].isupper() else found


@cache
def _fillers(place: str, language: str) -> re.Pattern[str]:
    expressions = tables("standalone")[language][place]
    return pattern(f"{each}$" for each in expressions) if place == "trailing" else pattern(expressions)


def _shortened(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    cut = text[: MAX_CHARACTERS - 1]
    return cut[: max(cut.rfind(" "), MAX_CHARACTERS // 2)].rstrip(" ,;:") + "…"
