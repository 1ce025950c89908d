"""What the data files say about dates in statements: further ways to write one, how to write it out, and tenses."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.calendar_spans import Span
from recollect.language.lexicon import tables
from recollect.language.period_grammar import Point
from recollect.language.phrases import either, flat, pattern
from recollect.language.verbs import verbs

_REACH: Final = 40
_WORD: Final = re.compile(r"[a-z]+")
_PLACE: Final = re.compile(r"\{([a-z]+)\}")


class Tense(NamedTuple):
    """How a language tells what is ahead from what is over."""

    future: re.Pattern[str]
    past: re.Pattern[str]
    plans: re.Pattern[str]
    lasting: re.Pattern[str]
    standing: re.Pattern[str]
    until: tuple[re.Pattern[str], re.Pattern[str]]
    reached: tuple[re.Pattern[str], re.Pattern[str]]
    since: tuple[re.Pattern[str], re.Pattern[str]]
    repeated: re.Pattern[str]
    past_words: frozenset[str]

    def speaks_of_past(self, sentence: str) -> bool:
        """Whether a folded sentence has a verb of the past."""
        return self.past.search(sentence) is not None or not self.past_words.isdisjoint(
            _WORD.findall(sentence)
        )


@cache
def tense(language: str) -> Tense:
    """The tenses of a language."""
    table = tables("dates")[language]["tense"]

    def sides(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
        return pattern(table[name]["before"]), pattern(table[name]["after"])

    return Tense(
        future=pattern(table["future"]),
        past=pattern(table["past"]),
        plans=pattern(table["plans"]),
        lasting=pattern(table["lasting"]),
        standing=pattern(table["standing"]),
        until=sides("until"),
        reached=sides("reached"),
        since=sides("since"),
        repeated=pattern(table["repeated"]),
        past_words=verbs(language).past,
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
