"""How dates and stretches of time are written: each language's rules, found in a text and resolved.

A rule's fixed parts and the placeholders of its pattern together make a `Point`:
`unit` with `offset` or `number` (and `sign`), `rolling` (the last n units until now), `anchored` (counted from
the date that follows), `which` occurrence of a month, weekday or season, or a date by its numbers; `within` has
the parts of the week or year that it lies in.
`context` keeps words that only make sure out of the phrase, `second` marks what can only end a range, and
`cased` asks for a capital letter.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.calendar_spans import (
    Span,
    back,
    chosen,
    day_span,
    month_span,
    season_span,
    unit_span,
    weekdays_around,
    years_around,
)
from recollect.language.lexicon import tables

_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY: Final = r"(?P<{name}>3[01]|[12]\d|0?[1-9])"
_NUMERIC: Final = (
    r"(?P<year>(?:19|20)\d\d)(?P<sign>[-/.])(?P<month>1[0-2]|0?[1-9])(?P=sign)(?P<day>3[01]|[12]\d|0?[1-9])",
    r"(?P<day>3[01]|[12]\d|0?[1-9])\.(?P<month>1[0-2]|0?[1-9])\.(?P<year>(?:19|20)\d\d)",
    # With strokes the order is a country's habit: only where one reading is possible.
    r"(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|2\d|1[3-9])/(?P<year>(?:19|20)\d\d)",
    r"(?P<day>3[01]|2\d|1[3-9])/(?P<month>1[0-2]|0?[1-9])/(?P<year>(?:19|20)\d\d)",
)
_TICK: Final = timedelta(microseconds=1)
_PARTS: Final = ("number", "unit", "month", "weekday", "season", "year", "day", "last_day")


@dataclass(frozen=True, slots=True)
class Point:
    """A date or stretch as it is written, not yet resolved: `parts` by name, and where it stands."""

    start: int
    end: int
    parts: Mapping[str, Any]
    language: str = ""
    """Whose words it is in; empty for numbers only."""

    @property
    def is_picked(self) -> bool:
        """Whether a word of its own says which one is meant: last, next or this."""
        return self.parts.get("which") in {"last", "next", "this"}

    @property
    def recurs(self) -> bool:
        """Whether it is there again each year or week, so that which one is meant depends on what is beside it."""
        return not self.parts.keys() & {"unit", "year", "within"}

    def span(self, now: datetime) -> Span:
        """What it means at `now`.

        >>> [day.date().isoformat() for day in Point(0, 0, {"unit": "day", "offset": -1}).span(datetime(2026, 3, 1))]
        ['2026-02-28', '2026-03-01']
        """
        if "unit" in self.parts:
            return self._counted(now)
        if "within" in self.parts:
            return self._within(now)
        if "weekday" in self.parts:
            return chosen(self.parts["which"], weekdays_around(now, self.parts["weekday"]), now)
        if "year" in self.parts:
            return self._in_year(now, self.parts["year"])
        return chosen(
            self.parts.get("which", "latest"), years_around(now, lambda y: self._in_year(now, y)), now
        )

    def _within(self, now: datetime) -> Span:
        since, until = Point(0, 0, self.parts["within"]).span(now)
        alone = {name: value for name, value in self.parts.items() if name != "within"}
        return Point(0, 0, {**alone, "which": "latest"}).span(max(since, until - _TICK))

    def _counted(self, now: datetime) -> Span:
        unit = self.parts["unit"]
        low, high = self.parts.get("number", (1, 1))
        if self.parts.get("rolling"):
            return back(unit, now, high), unit_span(
                "minute" if unit in {"minute", "hour"} else "day", now, 0
            )[1]
        if "offset" in self.parts:
            low = high = self.parts["offset"]
            if self.parts.get("anchored") and unit != "weekend":
                return back(unit, now, 1), now
        else:
            low, high = sorted((low * self.parts["sign"], high * self.parts["sign"]))
        return unit_span(unit, now, low)[0], unit_span(unit, now, high)[1]

    def _in_year(self, now: datetime, year: int) -> Span:
        parts = self.parts
        if "season" in parts:
            return season_span(now, year, parts["season"])
        if "month" not in parts:
            return unit_span("year", month_span(now, year, 1)[0], 0)
        if "day" not in parts:
            return month_span(now, year, parts["month"])
        first = day_span(now, year, parts["month"], parts["day"])
        last = day_span(now, year, parts["month"], parts["last_day"]) if "last_day" in parts else first
        return first[0], last[1]


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    fixed: Mapping[str, Any]
    values: Mapping[str, Mapping[str, Any]]
    language: str


def points(folded: str, text: str) -> list[Point]:
    """Every date and stretch in a folded text, from left to right, the longest reading of each.

    >>> [(point.start, point.end) for point in points("from 3 may 2024 to last week", "From 3 May 2024 to last week")]
    [(5, 15), (19, 28)]
    """
    if not _cue().search(folded):
        return []
    found = sorted(_readings(folded, text), key=lambda point: (point.start, -point.end))
    kept: list[Point] = []
    for point in found:
        if not kept or point.start >= kept[-1].end:
            kept.append(point)
    return kept


def _readings(folded: str, text: str) -> Iterator[Point]:
    for rule in _rules():
        for match in rule.pattern.finditer(folded):
            named = {name: value for name, value in match.groupdict().items() if value and name in _PARTS}
            if (
                rule.fixed.get("cased")
                and not text[match.start("month") : match.start("month") + 1].isupper()
            ):
                continue
            parts = {**rule.fixed, **{name: _value(rule, name, value) for name, value in named.items()}}
            inside = rule.fixed.get("context") and named
            start = min(match.start(name) for name in named) if inside else match.start()
            yield Point(
                start, max(match.end(name) for name in named) if inside else match.end(), parts, rule.language
            )


def _value(rule: _Rule, name: str, written: str) -> Any:
    known = rule.values.get(name, {})
    if written in known:
        return known[written]
    return (int(written), int(written)) if name == "number" else int(written)


@cache
def _rules() -> tuple[_Rule, ...]:
    numeric = tuple(
        _Rule(re.compile(rf"(?<![\w.-]){pattern}(?![\d/-]|\.\d)"), {}, {}, "") for pattern in _NUMERIC
    )
    return numeric + tuple(
        rule for language, table in tables("periods").items() for rule in _rules_of(table, language)
    )


def _rules_of(table: Mapping[str, Any], language: str) -> Iterator[_Rule]:
    values = _values(table)
    places = {name: f"(?P<{name}>{_any(known)})" for name, known in values.items()}
    places["number"] = rf"(?P<number>\d{{1,3}}|{_any(values['number'])})"
    places["year"] = _YEAR
    places["day"] = _DAY.format(name="day") + table.get("ordinal", "")
    places["last_day"] = _DAY.format(name="last_day") + table.get("ordinal", "")
    places["any_month"] = f"(?:{_any(values['month'])})"
    for rule in table["rule"]:
        fixed = {name: value for name, value in rule.items() if name != "match"}
        for template in rule["match"]:
            pattern = re.sub(r"\{([a-z_]+)\}", lambda place: places[place[1]], template)
            yield _Rule(re.compile(rf"\b{pattern.replace(' ', SPACE)}(?!\w)"), fixed, values, language)


def _values(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    numbers = table["numbers"].items()
    return {
        "month": {word: n for n, words in enumerate(table["months"], 1) for word in words},
        "weekday": {word: n for n, words in enumerate(table["weekdays"]) for word in words},
        "season": {word: name for name, words in table["seasons"].items() for word in words},
        "unit": {word: name for name, words in table["units"].items() for word in words},
        "number": {word: tuple(n) if isinstance(n, list) else (n, n) for word, n in numbers},
    }


@cache
def _cue() -> re.Pattern[str]:
    """What no date is without: most questions are done after one search for it."""
    words = [r"\d"]
    for table in tables("periods").values():
        values = _values(table)
        named = "|".join(_any(values[name]) for name in ("month", "weekday", "season", "unit"))
        words += [*table["cues"], f"(?:{named}){table['ending']}"]
    return re.compile(rf"\b(?:{'|'.join(words)})")


def _any(words: Mapping[str, Any]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


SPACE: Final = r"(?:\s{1,4})"
