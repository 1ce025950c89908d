"""Whether the past of one series helps to predict another: Granger's test between entities and tags.

What was found is a record of numbers: who is meant is a hash, told again only by memories that name them now, so that
a purge has nothing to look for here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import permutations
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput, MissingExtra, Refused
from recollect.formulas.discovery import discoveries
from recollect.learn.marks import mark
from recollect.model import EPOCH, Edge, Record
from recollect.ports import Store

INFLUENCE: Final = "influence"
"""The kind of record: one a channel."""
GRANGER: Final = "granger_causal"
PERIODS: Final = MappingProxyType(
    {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
)
SHORTEST: Final = 30
"""A series of fewer periods says nothing."""
FEWEST: Final = 5
"""In so many periods something must be named, or whatever follows is chance."""
LONGEST: Final = 2_000
"""Only so many of the last periods are looked at."""
MOST_LAGS: Final = 30
Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Influence:
    """That one's past helps to predict another, beyond what the other's own past does."""

    cause: str
    effect: str
    p_value: float
    """How likely so much help is by chance alone."""
    f: float
    lags: int
    """How many periods back it looks."""
    period: str
    periods: int
    """How long the series are."""

    @property
    def weight(self) -> float:
        return 1.0 - self.p_value

    def edge(self, at: datetime | None = None) -> Edge:
        """The same as an edge of the graph."""
        reason = f"p = {self.p_value:.2g}, {self.lags} lags of a {self.period}, {self.periods} of them"
        return Edge(self.cause, self.effect, GRANGER, self.weight, at, reason)


@dataclass(frozen=True, slots=True)
class Asked:
    """How series are made and compared."""

    period: str = "day"
    lags: int = 3

    def __post_init__(self) -> None:
        if self.period not in PERIODS:
            raise InvalidInput(f"a period is one of {', '.join(PERIODS)}, not {self.period!r}")
        if not 1 <= self.lags <= MOST_LAGS:
            raise InvalidInput(f"lags lie between 1 and {MOST_LAGS}, not {self.lags}")


def series(moments: Mapping[str, Sequence[datetime]], period: str) -> dict[str, Counts]:
    """How often each was named in each period, from the first in which any was to the last."""
    length = PERIODS[period]
    places = {node: [(at - EPOCH) // length for at in named] for node, named in moments.items()}
    every = [place for named in places.values() for place in named]
    if not every:
        return {}
    last = max(every)
    first = max(min(every), last - LONGEST + 1)
    counted = {}
    for node, named in places.items():
        within = [place - first for place in named if place >= first]
        counted[node] = np.bincount(within, minlength=last - first + 1).astype(np.float64)
    return counted


def refusal(counts: Counts, lags: int) -> str | None:
    """Why a series is no good for the test; None where it is."""
    wanted = max(SHORTEST, 5 * lags)
    if len(counts) < wanted:
        return f"there are {len(counts)} periods, and {wanted} are needed"
    named = int((counts > 0).sum())
    return None if named >= FEWEST else f"it is named in {named} periods, and {FEWEST} are needed"


def influence(cause: str, effect: str, counted: Mapping[str, Counts], asked: Asked) -> Influence:
    """The test of one pair; refused where a series is too short or never changes."""
    for node in (cause, effect):
        reason = refusal(counted[node], asked.lags)
        if reason is not None:
            raise Refused(f"too little is known of {node} to say what it influences: {reason}")
    found = _tested(counted[cause], counted[effect], asked.lags)
    if found is None:
        raise Refused(f"{cause} and {effect} change too little to say which comes first")
    return Influence(cause, effect, found[1], found[0], asked.lags, asked.period, len(counted[cause]))


def influences(
    counted: Mapping[str, Counts], asked: Asked, *, rate: float, limit: int
) -> tuple[list[Influence], int]:
    """All that is believed among the most named, the surest first, and how many pairs were tested."""
    if limit < 2:
        raise InvalidInput(f"at least two are compared, not {limit}")
    fit = [node for node, counts in counted.items() if refusal(counts, asked.lags) is None]
    chosen = sorted(fit, key=lambda node: (-counted[node].sum(), node))[:limit]
    tested = []
    for cause, effect in permutations(chosen, 2):
        found = _tested(counted[cause], counted[effect], asked.lags)
        if found is not None:
            one = Influence(cause, effect, found[1], found[0], asked.lags, asked.period, len(counted[cause]))
            tested.append(one)
    believed = discoveries([one.p_value for one in tested], rate)
    kept = [one for one, sure in zip(tested, believed, strict=True) if sure]
    return sorted(kept, key=lambda one: (one.p_value, one.cause, one.effect)), len(tested)


def stored(found: Iterable[Influence]) -> dict[str, Any]:
    """What was found, as its record holds it."""
    return {
        "found": [
            [mark(one.cause), mark(one.effect), one.p_value, one.f, one.lags, one.period, one.periods]
            for one in found
        ]
    }


def read(record: Record, nodes: Iterable[str]) -> list[Influence]:
    """The inverse, between those that are named now."""
    names = {mark(node): node for node in nodes}
    return [
        Influence(names[cause], names[effect], *rest)
        for cause, effect, *rest in record.value["found"]
        if cause in names and effect in names
    ]


def influence_edges(store: Store, user: str, nodes: Iterable[str]) -> list[Edge]:
    """What was found in every channel, as edges between those nodes."""
    records = store.records(user, INFLUENCE)
    known = list(nodes) if records else []
    return [one.edge(record.updated_at) for record in records for one in read(record, known)]


def _tested(cause: Counts, effect: Counts, lags: int) -> tuple[float, float] | None:
    """F and p of Granger's test; None where nothing can be told, such as of a series that never changes."""
    try:
        from statsmodels.tools.sm_exceptions import InfeasibleTestError  # noqa: PLC0415 - an extra
        from statsmodels.tsa.stattools import grangercausalitytests  # noqa: PLC0415
    except ImportError:
        raise MissingExtra(
            "Granger's test needs statsmodels: install it with `pip install 'recollect[granger]'`"
        ) from None
    # Counts spread with their size; their roots do not (Anscombe), which is what the test assumes.
    both = np.sqrt(np.column_stack([effect, cause]))
    try:
        results = grangercausalitytests(both, [lags])[lags][0]
    except InfeasibleTestError:
        return None
    f, p, *_ = results["ssr_ftest"]
    return (float(f), float(p)) if np.isfinite(f) and np.isfinite(p) else None
