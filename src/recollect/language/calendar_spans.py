"""Calendar arithmetic: the days, weeks, months, seasons and years around a moment, as half-open spans."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

Span = tuple[datetime, datetime]

_FIXED: Final = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "weekend": timedelta(weeks=1),
}
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
# Northern seasons by their first month; a winter belongs to the year in which it begins.
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
# Far enough back for 29 February.
_YEARS_AROUND: Final = range(-8, 9)


def unit_span(unit: str, moment: datetime, offset: int) -> Span:
    """The calendar unit that lies `offset` units from the one around a moment.

    >>> [day.date().isoformat() for day in unit_span("week", datetime(2026, 3, 12), -1)]
    ['2026-03-02', '2026-03-09']
    """
    first = _start(unit, moment)
    if unit in _MONTHS:
        step = _MONTHS[unit]
        return _months_on(first, step * offset), _months_on(first, step * (offset + 1))
    start = first + _FIXED[unit] * offset
    return start, start + (timedelta(days=2) if unit == "weekend" else _FIXED[unit])


def back(unit: str, moment: datetime, count: int) -> datetime:
    """The day that lies so many units before a moment (for units shorter than a day: the moment itself).

    >>> back("month", datetime(2026, 3, 31, 9), 1).isoformat()
    '2026-02-28T00:00:00'
    """
    if unit in {"minute", "hour"}:
        return moment - _FIXED[unit] * count
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit in _FIXED:
        return day - _FIXED[unit] * count
    first = _months_on(day.replace(day=1), -_MONTHS[unit] * count)
    last = _months_on(first, 1) - timedelta(days=1)
    return first.replace(day=min(day.day, last.day))


def day_span(now: datetime, year: int, month: int, day: int) -> Span:
    """One day, in the zone of `now`."""
    return unit_span("day", _first_of(now, year, month).replace(day=day), 0)


def month_span(now: datetime, year: int, month: int) -> Span:
    """One month, in the zone of `now`."""
    first = _first_of(now, year, month)
    return first, _months_on(first, 1)


def season_span(now: datetime, year: int, season: str) -> Span:
    """One northern season, in the zone of `now`.

    >>> [day.date().isoformat() for day in season_span(datetime(2026, 1, 1), 2025, "winter")]
    ['2025-12-01', '2026-03-01']
    """
    first = _first_of(now, year, _SEASONS[season])
    return first, _months_on(first, 3)


def weekdays_around(now: datetime, weekday: int) -> list[Span]:
    """That weekday in the week of `now` and in the weeks around it."""
    monday = _start("week", now)
    return [unit_span("day", monday + timedelta(days=weekday), 7 * week) for week in (-1, 0, 1)]


def years_around(now: datetime, in_year: Callable[[int], Span]) -> list[Span]:
    """What recurs each year, in the years around `now`; a year that lacks it is left out."""
    found = []
    for year in _YEARS_AROUND:
        try:
            found.append(in_year(now.year + year))
        except ValueError:
            continue
    return found


def chosen(which: str, spans: list[Span], now: datetime) -> Span:
    """The latest that has begun, the last that has ended, this one (nearest to now), or the next to come.

    >>> spans = [(datetime(year, 6, 1), datetime(year, 9, 1)) for year in (2024, 2025, 2026)]
    >>> [chosen(which, spans, datetime(2025, 7, 1))[0].year for which in ("latest", "last", "this", "next")]
    [2025, 2024, 2025, 2026]
    """
    if which == "last":
        return [span for span in spans if span[1] <= now][-1]
    if which == "next":
        return next(span for span in spans if span[0] > now)
    if which == "this":
        return min(spans, key=lambda span: max(span[0] - now, now - span[1], timedelta(0)))
    return [span for span in spans if span[0] <= now][-1]


def _start(unit: str, moment: datetime) -> datetime:
    if unit == "minute":
        return moment.replace(second=0, microsecond=0)
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "weekend":
        return day + timedelta(days=5 - day.weekday())
    if unit in _MONTHS:
        return day.replace(day=1, month=day.month - (day.month - 1) % _MONTHS[unit])
    return day


def _months_on(first: datetime, count: int) -> datetime:
    year, month = divmod(first.year * 12 + first.month - 1 + count, 12)
    return first.replace(year=year, month=month + 1)


def _first_of(now: datetime, year: int, month: int) -> datetime:
    return now.replace(year=year, month=month, day=1, hour=0, minute=0, second=0, microsecond=0)
