"""What holds where a correction is no more than a value: "the budget is 150 euros … no, make it 180"."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from recollect.language.lexicon import tables
from recollect.language.numerals import number_words
from recollect.language.phrases import either, flat, pattern
from recollect.language.terms import STOP_WORDS

LONGEST: Final = 80
DAY, HOUR, NUMBER, NAME = "day", "hour", "number", "name"
CLOCK: Final = frozenset({HOUR, NUMBER})
"""An hour may be written as a bare number."""
_SUFFIX: Final = r"(?:'[a-z]{1,6})?"
"""Turkish writes an ending of a number or a name behind an apostrophe."""
_DIGITS: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_ENDED: Final = re.compile(_DIGITS.pattern + r"(?:['’]\w{1,6})?")
_NAMES: Final = re.compile(r"\b[^\W\d_a-zçğıöşü]\w+(?: [^\W\d_a-zçğıöşü]\w+)*(?:['’]\w{1,6})?")
_EDGES: Final = " \t\n.,;:!-–—\"'"
_WORD: Final = re.compile(r"\w+")
_PLACE: Final = re.compile(r"\{(weekday|month)\}")


class _Value(NamedTuple):
    kind: str
    start: int
    end: int


class _Grammar(NamedTuple):
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    filler: frozenset[str]
    values: tuple[tuple[str, re.Pattern[str]], ...]


def amended(said: str, fragment: str, language: str) -> str | None:
    """What was said, with the fragment's value in the place of its own; None where it is not sure which that is.

    >>> amended("The budget is about 150 euros per night", "make it 180, since it's a holiday", "en")
    'The budget is about 180 euros per night'
    >>> amended("The deadline is Friday", "Monday", "en"), amended("Toplantı saat 3'te", "4'te olsun", "tr")
    ('The deadline is Monday', "Toplantı saat 4'te")
    >>> amended("From Monday to Friday", "Sunday", "en") is amended("I like tea", "the blue one", "en") is None
    True
    """
    grammar = _grammar(language)
    new = _core(fragment, grammar)
    value = _only(_told(new, grammar))
    if value is None:
        return None
    about = _words(new[: value.start] + " " + new[value.end :]) - grammar.filler
    if not about <= _words(said):
        return None
    place = _place(said, value.kind, about, grammar)
    return None if place is None else said[: place.start] + _put(new, value, said, place) + said[place.end :]


def alike(text: str, fragment: str, language: str) -> frozenset[str]:
    """The values of a text that are of the kind of the fragment's: what else a correction could mean.

    >>> sorted(alike("Shall we meet on Monday at 3 pm?", "make it Friday", "en"))
    ['monday']
    """
    grammar = _grammar(language)
    value = _only(_told(_core(fragment, grammar), grammar))
    kind = None if value is None else value.kind
    return frozenset(flat(text[one.start : one.end]) for one in _all(text, grammar) if one.kind == kind)


def _core(fragment: str, grammar: _Grammar) -> str:
    """The value and what it is a value of, without what leads to it and what follows."""
    core = fragment.strip(_EDGES)
    folded = flat(core)
    lead = grammar.lead.match(folded)
    tail = grammar.tail.search(folded)
    return core[lead.end() if lead else 0 : tail.start() if tail else len(core)].strip(_EDGES)


def _told(fragment: str, grammar: _Grammar) -> list[_Value]:
    """The values of a fragment; what is written like a name is one where it has no other."""
    if not 0 < len(fragment) <= LONGEST:
        return []
    return list(_values(fragment, grammar)) or [
        _Value(NAME, *one.span()) for one in _NAMES.finditer(fragment)
    ]


def _all(said: str, grammar: _Grammar) -> list[_Value]:
    """The values of a statement; an ordinary first word says nothing by its capital."""
    found = list(_values(said, grammar))
    taken = {place for one in found for place in range(one.start, one.end)}
    names = (one.span() for one in _NAMES.finditer(said) if one.start() or flat(one[0]) not in STOP_WORDS)
    return found + [_Value(NAME, *span) for span in names if taken.isdisjoint(range(*span))]


def _values(text: str, grammar: _Grammar) -> Iterator[_Value]:
    """Days, hours and numbers, each letter of the text in one of them at most."""
    folded, taken = flat(text), set[int]()
    for kind, form in grammar.values:
        for match in form.finditer(folded):
            if taken.isdisjoint(range(*match.span())):
                taken.update(range(*match.span()))
                yield _Value(kind, *match.span())


def _only(found: Iterable[_Value]) -> _Value | None:
    values = list(found)
    return values[0] if len(values) == 1 else None


def _place(said: str, kind: str, about: set[str], grammar: _Grammar) -> _Value | None:
    """Where the value of that kind stands, if there is just one that it can be."""
    found = _all(said, grammar)
    same = [one for one in found if one.kind == kind]
    if about and kind == NUMBER:
        same = [one for one in same if about & _words(said[one.end :].partition(",")[0])] or same
    if not same and kind in CLOCK:
        same = [one for one in found if one.kind in CLOCK]
    return _only(same)


def _put(new: str, value: _Value, said: str, place: _Value) -> str:
    """The new value as it is written; a bare number takes only the place of the number."""
    text, before = new[value.start : value.end], said[place.start : place.end]
    if value.kind != NUMBER or not text[0].isdigit() or len(_DIGITS.findall(before)) != 1:
        return text
    return (_ENDED if "'" in text else _DIGITS).sub(text, before)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(flat(text)))


@cache
def _grammar(language: str) -> _Grammar:
    table, calendar = tables("corrections")[language]["fragment"], tables("periods")[language]
    names = {
        "weekday": either(word for words in calendar["weekdays"] for word in words),
        "month": either(word for words in calendar["months"] for word in words),
    }

    def form(templates: Iterable[str]) -> re.Pattern[str]:
        each = [_PLACE.sub(lambda place: names[place[1]], template) for template in templates]
        return pattern(rf"(?<!\w)(?:{'|'.join(each)}){_SUFFIX}(?!\w)")

    number = rf"[$€£₺]?\d+(?:[.,]\d+)*[km%]?|{either(number_words())}"
    return _Grammar(
        pattern(table["lead"]),
        pattern(table["tail"]),
        frozenset(table["filler"]),
        ((DAY, form(table["day"])), (HOUR, form(table["hour"])), (NUMBER, form([number]))),
    )
