"""Dates in what is stated: "yesterday" written as the day it was, and until when it holds or is meant for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import takewhile
from typing import Final

from recollect.language.calendar_spans import Span
from recollect.language.date_rules import Tense, extra_points, tense, written
from recollect.language.lexicon import tables
from recollect.language.period_grammar import Point, points
from recollect.language.phrases import flat
from recollect.language.tongue import tongue

# What is planned without a date is looked at again after this.
DEFAULT_FORESIGHT: Final = timedelta(days=7)

_LONG: Final = 4096
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_REACH: Final = 40
_JOINT: Final = len(" through the ")
_SHORT_UNITS: Final = frozenset({"minute", "hour"})
_SENTENCE_ENDS: Final = ".!?;\n"
_CLAUSE_END: Final = re.compile(r"[.!?;\n]|,(?!\d)")


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text: where it stands, and the stretch [since, until) that it means."""

    start: int
    end: int
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with its dates written out, and what they say about when it holds."""

    text: str
    mentions: tuple[Mention, ...] = ()
    valid_until: datetime | None = None
    """When it stops being true, where the text says so."""
    intended: tuple[datetime, datetime] | None = None
    """The stretch [since, until) that something is planned for."""


def dated(text: str, said_at: datetime, language: str | None = None) -> Dated:
    """The text as it reads at any later time; `said_at` is when it was said.

    >>> dated("I moved to Lisbon yesterday", datetime(2026, 3, 2, 9)).text
    'I moved to Lisbon on 2026-03-01'
    >>> found = dated("I'm in Berlin until Friday", datetime(2026, 3, 2, 9))
    >>> found.text, found.valid_until.date().isoformat()
    ("I'm in Berlin until 2026-03-06", '2026-03-07')
    >>> dated("Dün Lizbon'a taşındım", datetime(2026, 3, 2, 9)).text
    "2026-03-01 tarihinde Lizbon'a taşındım"
    """
    now = said_at if said_at.tzinfo else said_at.replace(tzinfo=UTC)
    language = language or tongue(text)
    folded = flat(text[:_LONG])
    rules = tense(language)
    parts: list[str] = []
    mentions: list[Mention] = []
    at, until, intended = 0, None, None
    for point in _points(folded, text[:_LONG], language):
        span = _span(point, folded, now, rules)
        if span is None:
            continue
        mentions.append(Mention(point.start, point.end, *span))
        put, end = written(point, span, text, folded, language)
        parts += [text[at : point.start], put]
        at = end
        holds, meant = _foresight(point, span, folded, now, rules)
        until, intended = until or holds, intended or meant
    if until is None and intended is None and _planned(folded, rules):
        # At the end of the calendar there is nothing to look at again.
        until = now + DEFAULT_FORESIGHT if now < _LAST - DEFAULT_FORESIGHT else None
    return Dated("".join([*parts, text[at:]]), tuple(mentions), until, intended)


def _points(folded: str, text: str, language: str) -> Iterator[Point]:
    found = [*points(folded, text), *extra_points(folded, text, language)]
    end = 0
    for point in sorted(found, key=lambda point: (point.start, -point.end)):
        counted_from_another = point.parts.get("anchored") or point.parts.get("unit") in _SHORT_UNITS
        if point.start < end or counted_from_another:
            continue
        # "from april to may", but "it is old and may break".
        follows = end and point.start - end <= _JOINT
        if not (point.parts.get("second") and text[point.start : point.end] in _verbs()) or follows:
            yield point
            end = point.end


@cache
def _verbs() -> frozenset[str]:
    """Names of months that are verbs, too."""
    return frozenset(word for table in tables("periods").values() for word in table.get("verbs", ()))


def _span(point: Point, folded: str, now: datetime, rules: Tense) -> Span | None:
    before = folded[max(0, point.start - _REACH) : point.start]
    if rules.repeated.search(before):
        return None
    try:
        if point.parts.get("stretch") and "number" in point.parts:
            return now, _stretch_end(point, now)
        if not point.recurs or point.parts.get("which") in {"last", "next", "this"}:
            return point.span(now)
        latest = Point(point.start, point.end, {**point.parts, "which": "latest"}).span(now)
        if latest[1] > now or _looks_back(point, folded, rules):
            return latest
        return Point(point.start, point.end, {**point.parts, "which": "next"}).span(now)
    except (ValueError, OverflowError, LookupError):
        # 31 June, or so many years that they lead out of the calendar.
        return None


def _stretch_end(point: Point, now: datetime) -> datetime:
    """The end of the day after so many units: two weeks from a Wednesday end with a Wednesday."""
    unit, (_, most) = point.parts["unit"], point.parts["number"]
    counted = Point(0, 0, {"unit": unit, "offset": most}).span(now)[0]
    current = Point(0, 0, {"unit": unit, "offset": 0}).span(now)[0]
    last_day = now + (counted - current)
    return last_day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _sentence(folded: str, point: Point) -> str:
    start = max(folded.rfind(mark, 0, point.start) for mark in _SENTENCE_ENDS) + 1
    rest = "".join(takewhile(lambda letter: letter not in _SENTENCE_ENDS, folded[point.end :]))
    return folded[start : point.start] + rest


def _looks_back(point: Point, folded: str, rules: Tense) -> bool:
    """Whether a date that comes again and again is the last one rather than the next."""
    if _beside(rules.since, point, folded):
        return True
    if _beside(rules.until, point, folded):
        return False
    sentence = _sentence(folded, point)
    return rules.future.search(sentence) is None and rules.speaks_of_past(sentence)


def _beside(sides: tuple[re.Pattern[str], re.Pattern[str]], point: Point, folded: str) -> bool:
    before, after = sides
    found = before.search(folded[max(0, point.start - _REACH) : point.start]) or after.match(
        folded, point.end
    )
    return found is not None


def _foresight(
    point: Point, span: Span, folded: str, now: datetime, rules: Tense
) -> tuple[datetime | None, tuple[datetime, datetime] | None]:
    """Until when what is said of this date holds, and for when it is meant."""
    since, until = span
    if until <= now or _beside(rules.since, point, folded):
        return None, None
    reached = _is_reached(point, folded, rules)
    if not reached and (_beside(rules.until, point, folded) or point.parts.get("stretch")):
        return until, None
    sentence = _sentence(folded, point)
    planned = rules.future.search(sentence) is not None
    if since > now or planned:
        holds_on = reached or rules.standing.search(sentence) is not None or _is_told(point, folded, rules)
        return None if holds_on else until, (since, until)
    # "this week I'm in Berlin" holds for the week; "I moved this week" holds on.
    absolute = "year" in point.parts
    return (None if absolute or rules.speaks_of_past(sentence) else until), None


def _is_told(point: Point, folded: str, rules: Tense) -> bool:
    """Whether the clause with a whole date tells what somebody did, whatever the rest of the sentence plans."""
    clause = _CLAUSE_END.split(folded[: point.start])[-1]
    return "year" in point.parts and rules.future.search(clause) is None and rules.speaks_of_past(clause)


def _is_reached(point: Point, folded: str, rules: Tense) -> bool:
    """Whether the date is one by which something was done: "the draft had 4,700 words by May 13"."""
    if not _beside(rules.reached, point, folded):
        return False
    clause = _CLAUSE_END.split(folded[: point.start])[-1] + _CLAUSE_END.split(folded[point.end :])[0]
    return rules.future.search(clause) is None and rules.speaks_of_past(clause)


def _planned(folded: str, rules: Tense) -> bool:
    return rules.plans.search(folded) is not None and rules.lasting.search(folded) is None
