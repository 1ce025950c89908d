"""Dates in a text, each with the stretch that it means at a moment; those that mean no single one are left out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any, Final

from recollect.language.calendar_spans import Span
from recollect.language.date_direction import Direction, clause, direction
from recollect.language.date_rules import Tense, extra_points, is_kept
from recollect.language.lexicon import tables
from recollect.language.period_grammar import Point

_JOINT: Final = len(" through the ")
_KINDS: Final = frozenset({"weekday", "month", "season", "unit"})
_SHORT_UNITS: Final = frozenset({"minute", "hour"})
# What comes round each year and may lie on either side is the nearer one, if the other is much farther.
_NEAR: Final = timedelta(days=91)


def spans(
    found: list[Point],
    folded: str,
    text: str,
    now: datetime,
    rules: Tense,
    known: Mapping[str, Span] | None = None,
) -> Iterator[tuple[Point, Span, Span]]:
    """Each date with what it means, and the stretch that it is said for, which of a range is all of it."""
    following: Point | None
    points = _joined(_points(found, folded, text, rules.language), folded, rules)
    if known is not None:
        said = ((point, folded[point.start : point.end]) for point in points)
        yield from ((point, known[words], known[words]) for point, words in said if words in known)
        return
    ahead = iter([*pairwise(points), *((point, None) for point in points[-1:])])
    for point, following in ahead:
        try:
            if following is not None and _is_range(point, following, folded, rules):
                if ends := _range(point, following, folded, now, rules):
                    stretch = ends[0][0], ends[1][1]
                    yield from ((point, ends[0], stretch), (following, ends[1], stretch))
                next(ahead)
            elif (span := _span(point, folded, now, rules)) is not None:
                yield point, span, span
        except (ValueError, OverflowError, LookupError):
            # 31 June, or so many years that they lead out of the calendar.
            continue


def _points(found: list[Point], folded: str, text: str, language: str) -> Iterator[Point]:
    every = [*found, *extra_points(folded, text, language)]
    end = 0
    for point in sorted(every, key=lambda point: (point.start, -point.end)):
        counted_from_another = point.parts.get("anchored") or point.parts.get("unit") in _SHORT_UNITS
        if point.start < end or counted_from_another:
            continue
        # "from april to may", but "it is old and may break".
        follows = end and point.start - end <= _JOINT
        if not (point.parts.get("second") and text[point.start : point.end] in _verbs()) or follows:
            yield point
            end = point.end


def _joined(found: Iterable[Point], folded: str, rules: Tense) -> list[Point]:
    """The dates with "Friday, March 13", "Friday next week" and "next year in May" as one."""
    joined: list[Point] = []
    for point in found:
        parts = _together(joined[-1], point, folded, rules) if joined else None
        if parts is None:
            joined.append(point)
            continue
        closes = folded[joined[-1].end : point.start].endswith("(")
        joined[-1] = Point(joined[-1].start, point.end + closes, parts)
    return joined


def _together(before: Point, point: Point, folded: str, rules: Tense) -> Mapping[str, Any] | None:
    gap = before.end, point.start
    closed = not folded[slice(*gap)].endswith("(") or folded.startswith(")", point.end)
    if closed and rules.same.fullmatch(folded, *gap):
        for day, date in ((before, point), (point, before)):
            if "weekday" in day.parts and date.parts.keys() >= {"day", "month"}:
                return date.parts
    if rules.within.fullmatch(folded, *gap):
        inner, outer = (before, point) if before.recurs else (point, before)
        if _lies_in(inner, outer):
            return {**inner.parts, "within": outer.parts}
    return None


def _lies_in(inner: Point, outer: Point) -> bool:
    low, high = outer.parts.get("number", (1, 1))
    counted = low == high and not outer.parts.keys() & {"rolling", "stretch", "anchored"}
    unit = "week" if "weekday" in inner.parts else "year"
    return inner.recurs and not inner.is_picked and counted and outer.parts.get("unit") == unit


@cache
def _verbs() -> frozenset[str]:
    """Names of months that are verbs, too."""
    return frozenset(word for table in tables("periods").values() for word in table.get("verbs", ()))


def _span(point: Point, folded: str, now: datetime, rules: Tense) -> Span | None:
    if is_kept(point, folded, clause(point, folded, rules), rules.language):
        return None
    if point.parts.get("stretch") and "number" in point.parts:
        return now, _stretch_end(point, now)
    if not point.recurs or point.is_picked:
        return point.span(now)
    return _picked(point, now, lambda: direction(point, folded, rules))


def _picked(point: Point, now: datetime, which: Callable[[], Direction | None]) -> Span | None:
    """The one that is meant of what comes again and again; asked only where it is not going on now."""
    latest = _one(point, "latest", now)
    if latest[1] > now or (way := which()) == "back":
        return latest
    following = _one(point, "next", now)
    if way == "either" and "month" in point.parts:
        near = min((now - latest[1], latest), (following[0] - now, following))
        return near[1] if near[0] <= _NEAR else None
    return following if way == "ahead" else None


def _one(point: Point, which: str, now: datetime) -> Span:
    return Point(point.start, point.end, {**point.parts, "which": which}).span(now)


def _is_range(first: Point, last: Point, folded: str, rules: Tense) -> bool:
    alike = first.parts.keys() & _KINDS == last.parts.keys() & _KINDS
    open_end = (first.recurs or last.recurs) and not (last.is_picked and first.recurs)
    return alike and open_end and rules.range.fullmatch(folded, first.end, last.start) is not None


def _range(first: Point, last: Point, folded: str, now: datetime, rules: Tense) -> tuple[Span, Span] | None:
    """Both ends of a stretch: the beginning is the last one before the end, the end the next after the beginning."""
    whole = Point(first.start, last.end, {})
    beside_it = clause(whole, folded, rules)
    if is_kept(first, folded, beside_it, rules.language):
        return None
    end: Span | None
    if not last.recurs:
        end = last.span(now)
    elif not first.recurs or first.is_picked:
        end = _one(last, "next", first.span(now)[0])
    else:
        end = _end(first, last, direction(whole, folded, rules), beside_it, now, rules)
    if end is None:
        return None
    loose = first.recurs and not first.is_picked
    return _one(first, "latest", end[0]) if loose else first.span(now), end


def _end(
    first: Point, last: Point, way: Direction | None, beside_it: str, now: datetime, rules: Tense
) -> Span | None:
    weekly = "weekday" in last.parts and way == "ahead"
    # "I work from Monday to Friday": in the present that is every week.
    if way == "either" or (weekly and rules.future.search(beside_it) is None):
        return None
    end = _picked(last, now, lambda: way)
    # Said on a Wednesday, "from Monday" is no longer this week's.
    over = weekly and end is not None and _one(first, "latest", end[0])[1] <= now
    return _one(last, "next", end[0]) if over and end is not None else end


def _stretch_end(point: Point, now: datetime) -> datetime:
    """The end of the day after so many units: two weeks from a Wednesday end with a Wednesday."""
    unit, (_, most) = point.parts["unit"], point.parts["number"]
    counted = Point(0, 0, {"unit": unit, "offset": most}).span(now)[0]
    current = Point(0, 0, {"unit": unit, "offset": 0}).span(now)[0]
    last_day = now + (counted - current)
    return last_day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
