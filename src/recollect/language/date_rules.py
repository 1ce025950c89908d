"""What the data files say about dates in statements: further ways to write one, how to write it out, and tenses."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.calendar_spans import Span
from recollect.language.lexicon import tables
from recollect.language.period_grammar import Point
from recollect.language.phrases import either, flat, pattern
from recollect.language.verbs import THIRD, verbs

_REACH: Final = 40
_WORD: Final = re.compile(r"[a-z]+")
_PLACE: Final = re.compile(r"\{([a-z]+)\}")
_NOWHERE: Final = "(?!)"


class Beside(NamedTuple):
    """Words beside a date, or its own, that say how it is meant; any of them is enough."""

    before: re.Pattern[str]
    after: re.Pattern[str]
    said: re.Pattern[str]


class Tense(NamedTuple):
    """How a language tells what is ahead from what is over."""

    language: str
    verb_last: bool
    future: re.Pattern[str]
    arranged: re.Pattern[str]
    open: re.Pattern[str]
    shifted: re.Pattern[str]
    present: re.Pattern[str]
    past: re.Pattern[str]
    not_past: re.Pattern[str]
    past_or_not: re.Pattern[str]
    done_by: re.Pattern[str]
    plans: re.Pattern[str]
    lasting: re.Pattern[str]
    standing: re.Pattern[str]
    joints: re.Pattern[str]
    subject: re.Pattern[str]
    bare: re.Pattern[str]
    range: re.Pattern[str]
    same: re.Pattern[str]
    within: re.Pattern[str]
    until: Beside
    reached: Beside
    since: Beside
    back: Beside
    meant: Beside
    toward: Beside
    of_a_thing: Beside
    past_words: frozenset[str]
    present_words: frozenset[str]

    def speaks_of_past(self, sentence: str) -> bool:
        """Whether a folded sentence has a verb of the past."""
        return next(self.pasts(sentence), None) is not None

    def pasts(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a folded text has verbs of the past; "a bit" and "to set" are none."""
        words = (match for match in _WORD.finditer(text) if match.group() in self.past_words)
        for match in (*self.past.finditer(text), *words):
            if not self.not_past.search(text, max(0, match.start() - _REACH), match.start()):
                yield match.span()


@cache
def tense(language: str) -> Tense:
    """The tenses of a language."""
    table = tables("dates")[language]["tense"]
    known = verbs(language)
    patterns: dict[str, Any] = {n: pattern(said) for n, said in table.items() if isinstance(said, str | list)}
    sides: dict[str, Any] = {n: _beside(said) for n, said in table.items() if isinstance(said, dict)}
    return Tense(
        language=language,
        verb_last=table["verb_last"],
        **patterns,
        **sides,
        past_words=known.past,
        present_words=frozenset(
            word for word, kinds in known.forms.items() if kinds == {THIRD} and word not in known.ambiguous
        ),
    )


def _beside(table: Mapping[str, str]) -> Beside:
    return Beside(*(pattern(table.get(side, _NOWHERE)) for side in Beside._fields))


def beside(sides: Beside, point: Point, folded: str) -> bool:
    """Whether such words stand beside a date or in it."""
    return (
        sides.before.search(folded[max(0, point.start - _REACH) : point.start]) is not None
        or sides.after.match(folded, point.end) is not None
        or sides.said.search(folded[point.start : point.end]) is not None
    )


class _Kept(NamedTuple):
    part: str | None
    lacks: str | None
    recurs: bool
    before: re.Pattern[str]
    after: re.Pattern[str]
    said: re.Pattern[str]
    clause: re.Pattern[str]


def is_kept(point: Point, folded: str, clause: str, language: str) -> bool:
    """Whether a date stays as it is said: it comes again and again, or is counted from something else than now."""
    before, said = folded[max(0, point.start - _REACH) : point.start], folded[point.start : point.end]
    return any(
        (rule.part is None or rule.part in point.parts)
        and rule.lacks not in point.parts
        and (not rule.recurs or (point.recurs and not point.is_picked))
        and rule.before.search(before) is not None
        and rule.after.match(folded, point.end) is not None
        and rule.said.search(said) is not None
        and rule.clause.search(clause) is not None
        for rule in _kept(language)
    )


@cache
def _kept(language: str) -> tuple[_Kept, ...]:
    return tuple(
        _Kept(
            rule.get("part"),
            rule.get("lacks"),
            rule.get("recurs", False),
            *(_pattern(rule.get(side, "")) for side in _Kept._fields[3:]),
        )
        for rule in tables("dates")[language]["kept"]
    )


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    fixed: Mapping[str, Any]


def extra_points(folded: str, text: str, language: str) -> Iterator[Point]:
    """Dates that are written in statements and not in questions.

    >>> [point.parts["number"] for point in extra_points("in three days", "in three days", "en")]
    [(3, 3)]
    """
    words = _words(language)
    for rule in _rules(language):
        for match in rule.pattern.finditer(folded):
            if not rule.fixed.get("cased") or text[match.start()].isupper():
                said = {name: value for name, value in match.groupdict().items() if value is not None}
                yield Point(
                    *match.span(), {**rule.fixed, **{n: _value(words[n], v) for n, v in said.items()}}
                )


def _value(known: Mapping[str, Any], said: str) -> Any:
    return known[said] if said in known else (int(said), int(said))


@cache
def _words(language: str) -> dict[str, dict[str, Any]]:
    table = tables("periods")[language]
    counted = table["numbers"].items()
    return {
        "number": {word: tuple(n) if isinstance(n, list) else (n, n) for word, n in counted},
        "unit": {word: name for name, words in table["units"].items() for word in words},
        "weekday": {word: n for n, words in enumerate(table["weekdays"]) for word in words},
    }


@cache
def _rules(language: str) -> tuple[_Rule, ...]:
    words = _words(language)
    places = {name: f"(?P<{name}>{either(known)})" for name, known in words.items()}
    places["number"] = rf"(?P<number>\d{{1,3}}|{either(words['number'])})"
    return tuple(
        _Rule(
            pattern(rf"\b{_PLACE.sub(lambda place: places[place[1]], template)}(?!\w)"),
            {name: value for name, value in rule.items() if name != "match"},
        )
        for rule in tables("dates")[language]["rule"]
        for template in rule["match"]
    )


def written(point: Point, span: Span, text: str, folded: str, language: str) -> tuple[str, int]:
    """The date as it is written out, and where what it replaces ends."""
    said, end = text[point.start : point.end], point.end
    grain = _grain(point)
    if grain is None:
        return said, end
    before = folded[max(0, point.start - _REACH) : point.start]
    for rule in tables("dates")[language]["write"]:
        after = _pattern(rule.get("after", "")).match(folded, end)
        fits = _pattern(rule.get("before", "")).search(before) and _pattern(rule.get("said", "")).search(
            flat(said)
        )
        if rule["grain"] == grain and after and fits:
            put = rule["put"].format(
                date=f"{span[0]:%Y-%m-%d}", month=f"{span[0]:%Y-%m}", year=span[0].year, said=said
            )
            put += _part_of_day(flat(said), language)
            first = not before.strip() or before.rstrip()[-1] in ".!?"
            capital = first and said[:1].isupper() and grain != "season"
            return (put[:1].upper() + put[1:] if capital else put), after.end() if rule.get("take") else end
    return said, end


def _grain(point: Point) -> str | None:
    """What is written out: one day, week, weekend, month, year or season; None for what stays as it is said."""
    parts = point.parts
    if parts.get("stretch") or parts.get("rolling") or "last_day" in parts:
        return None
    low, high = parts.get("number", (1, 1))
    if "unit" in parts:
        return parts["unit"] if low == high and parts["unit"] != "quarter" else None
    if "season" in parts:
        return "season"
    if "weekday" in parts or "day" in parts:
        return "day"
    return "month" if "month" in parts else None


def _part_of_day(said: str, language: str) -> str:
    for word, put in tables("dates")[language]["part_of_day"].items():
        if re.search(rf"\b{word}\w{{0,2}}$", said):
            return f" {put}"
    return ""


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return pattern(expression) if expression else re.compile("")
