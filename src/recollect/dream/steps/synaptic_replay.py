"""Memories that came to mind together are replayed together: often enough, that is a relation."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.dream.strengthening import TOGETHER
from recollect.formulas.strength import spread
from recollect.model import Edge, Record, microseconds
from recollect.ports import RecordChange


def synaptic_replay(night: Night) -> Iterator[Proposal]:
    """Relates and strengthens pairs that came together three times; forgets those that did not in a week (C29)."""
    after: str | None = night.cursor or None
    while pairs := night.store.records(night.user, TOGETHER, after=after, limit=night.params.batch):
        after = pairs[-1].key
        yield _replayed(night, pairs, after)


def weight(count: int) -> float:
    """How close two are that came to mind together so often: each time goes half of the way to 1.

    >>> [weight(count) for count in (1, 2, 3)]
    [0.5, 0.75, 0.875]
    """
    return 1.0 - 0.5 ** min(count, 50)


def _replayed(night: Night, pairs: Sequence[Record], cursor: str) -> Proposal:
    params = night.params
    expiry = microseconds(night.now - timedelta(days=params.together_days))
    stability: dict[str, float] = {}
    edges, records = [], []
    for one in pairs:
        ends, count = one.key.split("/"), one.value["count"]
        if count < params.together:
            if one.value["at"] < expiry:
                records.append(RecordChange(TOGETHER, one.key, None, one.revision))
            continue
        places = [place for place in map(night.place, ends) if place is not None]
        if count > one.value.get("replayed", 0) and len(places) == len(ends):
            for end, place in zip(ends, places, strict=True):
                before = stability.get(end, float(night.survey.stability[place]))
                stability[end] = float(spread(before, 1, params.strength))
            edges.append(Edge(ends[0], ends[1], "recalled_with", weight(count)))
            value = one.value | {"replayed": count}
            records.append(RecordChange(TOGETHER, one.key, value, one.revision))
    counters = {end: {"stability": value} for end, value in stability.items()}
    rules = dict.fromkeys(counters, "came together")
    return Proposal(counters, rules=rules, edges=tuple(edges), records=tuple(records), cursor=cursor)
