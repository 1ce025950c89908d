"""Where things are drawn: numbers in, places in a picture out. Pictures are 1,000 units wide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate

WIDTH = 1_000.0
COLOURS = 12
"""How many colours the theme has for things that are told apart."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a stacked bar."""

    name: str
    value: float
    x: float
    width: float
    colour: int


@dataclass(frozen=True, slots=True)
class Share:
    """One of several counts, and how long its bar is beside the greatest."""

    name: str
    count: int
    width: float
    colour: int


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    label: str


def stacked(parts: Mapping[str, float], low: float, high: float, colours: Mapping[str, int]) -> list[Segment]:
    """The parts of a sum beside one another; what takes away lies to the left of zero.

    >>> [(one.name, one.x, one.width) for one in stacked({"a": 3.0, "b": -1.0}, -1.0, 3.0, {})]
    [('a', 250.0, 750.0), ('b', 0.0, 250.0)]
    """
    unit = WIDTH / (high - low) if high > low else 0.0
    right = left = -low * unit
    made = []
    for name, value in parts.items():
        width = abs(value) * unit
        if value < 0:
            left -= width
        made.append(Segment(name, value, right if value >= 0 else left, width, colours.get(name, 0)))
        if value >= 0:
            right += width
    return made


def reach(sums: Sequence[Mapping[str, float]]) -> tuple[float, float]:
    """The least and the greatest that several stacked bars reach.

    >>> reach([{"a": 3.0, "b": -1.0}, {"a": 2.0}])
    (-1.0, 3.0)
    """
    low = min((sum(min(v, 0.0) for v in parts.values()) for parts in sums), default=0.0)
    high = max((sum(max(v, 0.0) for v in parts.values()) for parts in sums), default=0.0)
    return low, high


def shares(counts: Mapping[str, int], most: int = 10) -> list[Share]:
    """Counts as bars, the greatest first; what does not fit is told together.

    >>> [(one.name, one.width) for one in shares({"note": 1, "fact": 4})]
    [('fact', 1000.0), ('note', 250.0)]
    """
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    rest = sum(count for _, count in ranked[most:])
    shown = ranked[:most] + ([("others", rest)] if rest else [])
    greatest = max((count for _, count in shown), default=0) or 1
    return [
        Share(name, count, WIDTH * count / greatest, place % COLOURS)
        for place, (name, count) in enumerate(shown)
    ]


def path(values: Sequence[float], height: float, top: float | None = None) -> str:
    """A line through values at equal distances, as SVG takes it.

    >>> path([0.0, 2.0, 1.0], height=100.0)
    'M0,100 L500,0 L1000,50'
    """
    if not values:
        return ""
    highest = (max(values) if top is None else top) or 1.0
    step = WIDTH / (len(values) - 1) if len(values) > 1 else 0.0
    points = [(place * step, height * (1 - value / highest)) for place, value in enumerate(values)]
    if len(points) == 1:
        points.append((WIDTH, points[0][1]))
    return " ".join(f"{'L' if place else 'M'}{x:.6g},{y:.6g}" for place, (x, y) in enumerate(points))


def area(line: str, height: float) -> str:
    """What lies under a line.

    >>> area("M0,100 L1000,0", 100.0)
    'M0,100 L1000,0 L1000,100 L0,100 Z'
    """
    return f"{line} L{WIDTH:.6g},{height:.6g} L0,{height:.6g} Z" if line else ""


def smoothed(outcomes: Sequence[bool], window: int = 10) -> list[float]:
    """The share of successes among the last so many, after each.

    >>> smoothed([False, True, True], window=2)
    [0.0, 0.5, 1.0]
    """
    wins = [0, *accumulate(int(one) for one in outcomes)]
    ends = range(1, len(wins))
    return [(wins[end] - wins[max(0, end - window)]) / min(window, end) for end in ends]


def place(moment: datetime, start: datetime, end: datetime) -> float:
    """Where a moment lies between two others; one that is outside lies at the edge.

    >>> from datetime import UTC
    >>> day = datetime(2026, 3, 1, tzinfo=UTC)
    >>> place(day + timedelta(days=1), day, day + timedelta(days=4))
    250.0
    """
    whole = (end - start).total_seconds()
    part = (moment - start).total_seconds() / whole if whole > 0 else 0.0
    return WIDTH * min(max(part, 0.0), 1.0)


def ticks(start: datetime, end: datetime, count: int = 6) -> list[Tick]:
    """Dates to read a time axis by; with the time of day where it is short.

    >>> from datetime import UTC
    >>> day = datetime(2026, 3, 1, tzinfo=UTC)
    >>> [one.label for one in ticks(day, day + timedelta(days=10), 2)]
    ['2026-03-01', '2026-03-11']
    """
    if end <= start:
        return []
    written = "%Y-%m-%d" if end - start > timedelta(days=count) else "%m-%d %H:%M"
    step = (end - start) / (count - 1)
    return [Tick(WIDTH * one / (count - 1), f"{start + one * step:{written}}") for one in range(count)]
