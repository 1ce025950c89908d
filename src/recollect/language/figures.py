"""Figures by what they measure, so that one is compared with another of its kind: 45 sources with 52, $35 with $50."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple

from recollect.language.lexicon import tables
from recollect.language.numerals import number_words
from recollect.language.phrases import either, flat
from recollect.language.terms import STOP_WORDS, terms

LONGEST: Final = 600
COUNT, DAY = "count", "day"
_MEASURED: Final = ("money", "share", "hour")
_NUMBER: Final = r"\d+(?:[.,:]\d+)*"
_COUNTED_WORDS: Final = 3
"""What is counted is named so soon: 12 conditional probability problems."""
_FOLLOWING: Final = re.compile(rf"(?:[ -]?[^\W\d_]+){{1,{_COUNTED_WORDS}}}")


class Figure(NamedTuple):
    """A number, what kind of thing it measures, and of a count what is counted."""

    kind: str
    value: str
    of: frozenset[str] = frozenset()


def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text in order.

    >>> [(one.kind, one.value) for one in figures("$1,200 on April 5 at 3 PM, for 12 books")]
    [('money', '1,200'), ('day', '04-05'), ('hour', '3'), ('count', '12')]
    >>> [(one.kind, one.value) for one in figures("5 Nisan'da saat 15.30'da 1.200 lira, yüzde 12")]
    [('day', '04-05'), ('hour', '15.30'), ('money', '1.200'), ('share', '12')]
    """
    return tuple(_figures(flat(text[:LONGEST])))


def asked_for(question: str) -> frozenset[str]:
    """The kinds of figures that would answer a question; none where it asks for something else.

    >>> sorted(asked_for("How many books do I have?")), sorted(asked_for("When is the demo?")), asked_for("Who is Ada?")
    (['count'], ['day', 'hour'], frozenset())
    """
    folded = flat(question[:LONGEST])
    return frozenset(kind for kind, asks in _asked().items() if asks.search(folded))


def gives(text: str, kinds: frozenset[str], asked: frozenset[str]) -> frozenset[tuple[str, str]]:
    """The figures of a text that are of one of the kinds, each as its kind and its value.

    What is counted must be what is asked for, by the terms of the question; it may be named elsewhere in the text.

    >>> counts, sources = frozenset({COUNT}), frozenset({"sourc"})
    >>> [sorted(gives(text, counts, sources)) for text in ("45 sources", "my sources have grown to 52", "6 pens")]
    [[('count', '45')], [('count', '52')], []]
    """
    named = asked.intersection(terms(text[:LONGEST]))
    return frozenset(
        (one.kind, one.value)
        for one in figures(text)
        if one.kind in kinds and (one.kind != COUNT or one.of & asked or (named and not one.of))
    )


def another(before: frozenset[tuple[str, str]], after: frozenset[tuple[str, str]]) -> bool:
    """Whether of a kind that both have, the second gives a figure that the first does not.

    >>> another(frozenset({("money", "35")}), frozenset({("money", "50")}))
    True
    >>> another(frozenset({("money", "35")}), frozenset({("day", "04-05")}))
    False
    """
    kinds = {kind for kind, _ in before}
    return any(kind in kinds for kind, _ in after - before)


def _figures(folded: str) -> Iterator[Figure]:
    end = 0
    for match in _form().finditer(folded):
        if match.start() < end:
            continue
        end = match.end()
        kind = str(match.lastgroup)
        if kind == DAY:
            yield Figure(DAY, _day(match))
        elif kind == COUNT:
            number = number_words().get(match[COUNT], match[COUNT])
            yield Figure(COUNT, number, _counted(folded, match.end()))
        else:
            found = re.search(_NUMBER, match[0])
            yield Figure(kind, found[0] if found else match[0])


def _counted(folded: str, end: int) -> frozenset[str]:
    """The terms of the words right after a number, up to the first that joins others: 3 pens | for sources."""
    following = _FOLLOWING.match(folded, end)
    words = following[0].replace("-", " ").split() if following else []
    return frozenset(terms(" ".join(takewhile(lambda word: word not in STOP_WORDS, words))))


def _day(match: re.Match[str]) -> str:
    """Month and day, however they are written: the year is often left out."""
    written = match[DAY]
    if written[:4].isdigit():
        return written[5:]
    numbers = re.findall(r"\d{1,2}", written)
    month = next(number for name, number in _months().items() if re.search(rf"(?<![a-z]){name}", written))
    return "-".join([month, *(number.zfill(2) for number in numbers)])


@cache
def _months() -> dict[str, str]:
    named = (
        (name, f"{number:02}")
        for table in tables("periods").values()
        for number, names in enumerate(table["months"], 1)
        for name in names
    )
    # The longest first: "mart" before "mar".
    return dict(sorted(named, key=lambda one: -len(one[0])))


@cache
def _form() -> re.Pattern[str]:
    month = either(_months())
    days = [
        r"\d{4}-\d\d-\d\d",
        rf"{month}\.? \d{{1,2}}(?:-\d{{1,2}})?(?![\d:%])",
        rf"\d{{1,2}} {month}(?![a-z])",
    ]
    kinds = {
        "money": [rf"[$€£₺] ?{_NUMBER}", rf"{_NUMBER} ?[$€£₺]"],
        "share": [rf"{_NUMBER} ?%", rf"% ?{_NUMBER}"],
        "hour": [r"\d{1,2}:\d\d(?: ?[ap]m\b)?"],
    }
    leading = [*_months(), *number_words()]
    for table in tables("figures").values():
        for kind in _MEASURED:
            words = table[kind]
            leading += words["before"]
            kinds[kind] += [rf"(?:{one}) {_NUMBER}" for one in words["before"]]
            kinds[kind] += [rf"{_NUMBER} ?(?:{one})\b" for one in words["after"]]
    counts = rf"{_NUMBER}|{either(number_words())}\b"
    parts = [rf"(?P<{DAY}>{'|'.join(days)})"]
    parts += [rf"(?P<{kind}>{'|'.join(forms)})" for kind, forms in kinds.items()]
    # Most letters begin nothing of this: to look at the first alone takes a quarter of the time of trying all forms.
    initials = re.escape("".join(sorted({word[0] for word in leading})))
    begins = rf"(?=[\d$€£₺%]|\b[{initials}])"
    return re.compile(begins + "(?:" + "|".join([*parts, rf"(?P<{COUNT}>{counts})"]) + ")")


@cache
def _asked() -> dict[str, re.Pattern[str]]:
    found: dict[str, list[str]] = {}
    for table in tables("figures").values():
        for kind, asks in table["asked"].items():
            found.setdefault(kind, []).extend(asks)
    return {kind: re.compile(rf"\b(?:{'|'.join(asks)})(?!\w)") for kind, asks in found.items()}
