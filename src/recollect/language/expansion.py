"""Statements that an answer to a question might look like, from templates: they lie nearer to the answer."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.lexicon import fold, tables

MAX_VARIANTS: Final = 3
# Beyond this it is a document, not a question.
_LONGEST: Final = 1000
_ENDS: Final = " \t\n?!.,:;…\"'“”"


class _Kind(NamedTuple):
    name: str
    asked: re.Pattern[str]
    templates: tuple[str, ...]


class _Language(NamedTuple):
    scaffold: re.Pattern[str]
    inside: re.Pattern[str]
    kinds: tuple[_Kind, ...]


def variants(question: str) -> tuple[str, ...]:
    """Two or three hypothetical answers in the question's own words; none for what asks nothing.

    The kinds of question are definition, how-to, reasoning, lookup, technical, preference and general
    (after Gao et al. 2022, "Precise zero-shot dense retrieval without relevance labels", without the model).

    >>> variants("Why did Ada move to Lisbon?")
    ('Ada move to Lisbon because', 'The reason is that Ada move to Lisbon', 'Ada move to Lisbon, that is why')
    >>> variants("Arabam nerede?")
    ('Arabam şurada:', 'Arabam şu tarihte:', 'Sana söylemiştim: Arabam')
    """
    if len(question) > _LONGEST or len(folded := fold(question)) != len(question):
        return ()
    asked = _asked(folded)
    if asked is None:
        return ()
    language, kind = asked
    topic = _topic(question, folded, language)
    if not topic:
        return ()
    return tuple(dict.fromkeys(template.format(topic=topic) for template in kind.templates))[:MAX_VARIANTS]


def _asked(folded: str) -> tuple[_Language, _Kind] | None:
    """The kind of question: of the languages in which it is one, that which knows most of its words."""
    found = [(language, kind) for language in _languages() if (kind := _kind(folded, language))]
    return max(found, key=lambda one: _share(folded, one[0]), default=None)


def _kind(folded: str, language: _Language) -> _Kind | None:
    return next((kind for kind in language.kinds if kind.asked.search(folded)), None)


def _share(folded: str, language: _Language) -> int:
    scaffold = language.scaffold.match(folded)
    return (scaffold.end() if scaffold else 0) + sum(
        len(match[0]) for match in language.inside.finditer(folded)
    )


def _topic(question: str, folded: str, language: _Language) -> str:
    start = scaffold.end() if (scaffold := language.scaffold.match(folded)) else 0
    kept, at = [], start
    for match in language.inside.finditer(folded, start):
        kept.append(question[at : match.start()])
        at = match.end()
    kept.append(question[at:])
    return " ".join(" ".join(kept).split()).strip(_ENDS)


@cache
def _languages() -> tuple[_Language, ...]:
    return tuple(_language(table) for table in tables("expansion").values())


def _language(table: Mapping[str, Any]) -> _Language:
    kinds = (_Kind(kind["name"], _any(kind["asked"]), tuple(kind["templates"])) for kind in table["kind"])
    scaffold = re.compile(rf"\s*(?:(?:{'|'.join(table['scaffold'])})(?!\w)[\s,!.:]*){{1,5}}")
    return _Language(scaffold, _any(table["inside"]), tuple(kinds))


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns) or '(?!)'})(?!\w)")
