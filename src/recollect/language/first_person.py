"""Whether an asker speaks of themself, so that what they said themself is preferred."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.lexicon import fold, tables

_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:\n])[\s\"'“‘(]*$")


class _Words(NamedTuple):
    spoken: re.Pattern[str]
    marker: re.Pattern[str] | None
    ending: re.Pattern[str]


def first_person(question: str) -> bool:
    """Whether the asker is in the question: by a pronoun, or by an ending where a language has them.

    >>> first_person("Where did I park?"), first_person("Can you tell me where Ada parked?")
    (True, False)
    >>> first_person("Dün ne yedim?"), first_person("Eğitim ne zaman?")
    (True, False)
    """
    folded = fold(question)
    cased = question if len(question) == len(folded) else folded
    return any(_speaks(words, folded, cased) for words in _all())


def _speaks(words: _Words, folded: str, cased: str) -> bool:
    for match in words.spoken.finditer(folded):
        if match["always"]:
            return True
        written = cased[match.start() : match.end()]
        if match["title"] and (written.islower() or written.isupper() or _begins(cased, match.start())):
            return True
        if match["lower"] and written.islower():
            return True
    return bool(words.marker and words.marker.search(folded) and words.ending.search(folded))


def _begins(cased: str, at: int) -> bool:
    return bool(_SENTENCE_START.search(cased[max(at - 8, 0) : at])) or at == 0


@cache
def _all() -> tuple[_Words, ...]:
    return tuple(_words(table) for table in tables("first_person").values())


def _words(table: Mapping[str, Any]) -> _Words:
    title = _any(table["title_words"])
    always = _any([word for word in table["words"] if word not in table["title_words"]])
    spoken = rf"\b(?:{_any(table['not_self'])}|(?P<always>{always})|(?P<title>{title})|(?P<lower>{_any(table['lower_case_words'])}))\b(?!')"
    marker = re.compile(rf"\b(?:{_any(table['markers'])})\b") if table["markers"] else None
    ending = re.compile(rf"\b(?!(?:{_any(table['not_endings'])})\b)(?:{table['endings']})\b")
    return _Words(re.compile(spoken), marker, ending)


def _any(patterns: list[str]) -> str:
    # An empty list must match nothing, not the empty text.
    return "|".join(patterns) or r"(?!)"
