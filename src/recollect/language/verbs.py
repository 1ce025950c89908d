"""Verbs and their forms, for the languages whose data lists them."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.lexicon import tables

BASE: Final = "base"
THIRD: Final = "third"
PAST: Final = "past"
ING: Final = "ing"
NONE: Final[frozenset[str]] = frozenset()


class Verbs(NamedTuple):
    """What a language says about its verbs."""

    forms: Mapping[str, frozenset[str]]
    """Each form of each listed verb → which forms it can be."""
    ambiguous: frozenset[str]
    """Forms that are often nouns."""
    past: frozenset[str]
    """Irregular past forms of every verb, listed or not."""
    auxiliaries: frozenset[str]
    modals: frozenset[str]


@cache
def verbs(language: str) -> Verbs:
    """The verbs of a language; empty where it has no list of them.

    >>> sorted(verbs("en").forms["lives"]), "lives" in verbs("en").ambiguous
    (['third'], False)
    >>> sorted(verbs("en").forms["met"])
    ['past']
    """
    table = tables("verbs").get(language, {})
    forms: dict[str, set[str]] = {}
    ambiguous: set[str] = set()
    for listed in ("plain", "ambiguous"):
        for verb in table.get(listed, ()):
            for form, kind in _forms(verb, table):
                forms.setdefault(form, set()).add(kind)
                # A past form is seldom a noun, whatever its verb is; "works" and "training" are.
                if listed == "ambiguous" and kind != PAST:
                    ambiguous.add(form)
    past = {form for several in table.get("past_irregular", {}).values() for form in several}
    return Verbs(
        {form: frozenset(kinds) for form, kinds in forms.items()},
        frozenset(ambiguous),
        frozenset(past),
        frozenset(table.get("auxiliaries", ())),
        frozenset(table.get("modals", ())),
    )


def third_person(word: str, language: str) -> str:
    """A present form as it follows he or she, or the word itself where the language has no such form.

    >>> [third_person(w, "en") for w in ("prefer", "am", "have", "study", "watch", "moved", "went", "will", "need")]
    ['prefers', 'is', 'has', 'studies', 'watches', 'moved', 'went', 'will', 'needs']
    """
    table = tables("verbs").get(language)
    if table is None:
        return word
    if word in table["third_irregular"]:
        return str(table["third_irregular"][word])
    known = verbs(language)
    settled = word in known.auxiliaries or word in known.past or PAST in known.forms.get(word, NONE)
    regular_past = re.search(r"[^e]ed$", word) is not None and BASE not in known.forms.get(word, NONE)
    return word if settled or regular_past else _ended(word, table["third"])


def _forms(verb: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    stem = verb + verb[-1] if verb in table["doubling"] else verb
    third = table["third_irregular"].get(verb) or _ended(verb, table["third"])
    pasts = table["past_irregular"].get(verb) or [_ended(stem, table["past"])]
    return [
        (verb, BASE),
        (third, THIRD),
        (_ended(stem, table["ing"]), ING),
        *((past, PAST) for past in pasts),
    ]


def _ended(word: str, endings: list[list[str]]) -> str:
    for ending, instead in endings:
        changed, times = re.subn(ending, instead, word, count=1)
        if times:
            return changed
    return word
