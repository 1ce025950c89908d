"""The stretch of time that a question asks about, from its own words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Final

from recollect.language.lexicon import fold, tables
from recollect.language.period_grammar import SPACE, Point, points

# How far before a date the word may stand that says which side of it is meant.
_REACH: Final = 40
# Beyond this it is a document with a question before or after it.
_LONG: Final = 4096
_TICK: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch [since, until); an end that is None is open. `phrase` is how the question says it."""

    since: datetime | None
    until: datetime | None
    phrase: str

    def __contains__(self, moment: datetime) -> bool:
        after = self.since is None or self.since <= moment
        return after and (self.until is None or moment < self.until)


def period(question: str, now: datetime) -> Period | None:
    """The first stretch of time that a question names, in the zone of `now` (UTC when it has none).

    A month, weekday or season without a year is the latest one that has begun. The stretch may lie
    ahead ("next week"). Where the words may mean something else ("may I", "march to the sea"): None.

    >>> now = datetime(2026, 3, 12, 9, tzinfo=UTC)
    >>> found = period("Where did we eat last week?", now)
    >>> found.since.date().isoformat(), found.until.date().isoformat(), found.phrase
    ('2026-03-02', '2026-03-09', 'last week')
    >>> period("Mart ayından beri ne değişti?", now).phrase
    'Mart ayından beri'
    >>> period("May I march with you?", now)
    """
    if len(question) > 2 * _LONG:
        return period(question[:_LONG], now) or period(question[-_LONG:], now)
    moment = now if now.tzinfo else now.replace(tzinfo=UTC)
    folded = fold(question)
    aligned = question if len(folded) == len(question) else folded
    found = points(folded, aligned)
    try:
        return _period(found, folded, question, moment)
    except (ValueError, OverflowError, LookupError):
        # 31 June, or a number of years that leads out of the calendar.
        return None


def _period(found: list[Point], folded: str, question: str, now: datetime) -> Period | None:
    for first, second in pairwise([*found, None]):
        if first is None or first.parts.get("second"):
            continue
        if first.parts.get("anchored"):
            if second is not None and folded[first.end : second.start].isspace():
                return _said(question, first.start, second.end, first.span(second.span(now)[0]))
            continue
        if second is not None and (reach := _range_reach(folded, first, second)):
            until = second.span(now)[1]
            since = first.span(until - _TICK if first.recurs else now)[0]
            return _said(question, *reach, (since, until)) if since < until else None
        return _one_sided(folded, question, first, now)
    return None


def _one_sided(folded: str, question: str, point: Point, now: datetime) -> Period:
    since, until = point.span(now)
    sides = {
        "since": (since, None),
        "from_the_end": (until, None),
        "to_the_start": (None, since),
        "to_the_end": (None, until),
        **({"both": (since, until)} if "last_day" in point.parts else {}),
    }
    for side, ends in sides.items():
        start, end = _before(folded, point, side), _after(folded, point, side)
        if start < point.start or end > point.end:
            return _said(question, start, end, ends)
    return _said(question, point.start, point.end, (since, until))


def _range_reach(folded: str, first: Point, second: Point) -> tuple[int, int] | None:
    """Where "between … and …" begins and ends, where the two dates are one range."""
    gap = folded[first.end : second.start]
    if len(gap) > _REACH or not any(join.fullmatch(gap) for join in _joins()["to"]):
        return None
    start, end = _before(folded, first, "both"), _after(folded, second, "both")
    return (start, end) if start < first.start or end > second.end else None


def _before(folded: str, point: Point, side: str) -> int:
    text = folded[max(point.start - _REACH, 0) : point.start]
    starts = (match.start() for word in _joins().get(f"before {side}", ()) if (match := word.search(text)))
    return point.start - len(text) + min(starts, default=len(text))


def _after(folded: str, point: Point, side: str) -> int:
    words = _joins().get(f"after {side}", ())
    return max((match.end() for word in words if (match := word.match(folded, point.end))), default=point.end)


@cache
def _joins() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    found: dict[str, tuple[re.Pattern[str], ...]] = {"to": ()}
    for table in tables("periods").values():
        found["to"] += (re.compile(rf"\s*{table['between']['to']}\s*".replace(" ", SPACE)),)
        for side, words in table["before"].items():
            pattern = re.compile(rf"\b{words}[ -]$".replace(" ", r"\s"))
            found[f"before {side}"] = (*found.get(f"before {side}", ()), pattern)
        for side, words in table["after"].items():
            pattern = re.compile(rf"{words}\b".replace(" ", SPACE))
            found[f"after {side}"] = (*found.get(f"after {side}", ()), pattern)
    return found


def _said(question: str, start: int, end: int, ends: tuple[datetime | None, datetime | None]) -> Period:
    return Period(*ends, phrase=_original(question, start, end))


def _original(question: str, start: int, end: int) -> str:
    """The same stretch of the question before folding, which may shorten or lengthen it."""
    if question.isascii():
        return question[start:end]
    length, kept = 0, []
    for letter in question:
        if start <= length < end:
            kept.append(letter)
        length += len(fold(letter))
    return "".join(kept)
