"""Five rules, in their order, that keep what is awake free of what is contradicted, over, useless or too much."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from recollect.dream.closeness import newest
from recollect.dream.night import Night
from recollect.dream.proposal import Doubt, Proposal, Sleep
from recollect.dream.steps.contradictions import REVIEW
from recollect.dream.steps.foresight_expiry import expired
from recollect.dream.steps.redundancy import repeated
from recollect.model import Memory


def strategic_forgetting(night: Night) -> Iterator[Proposal]:
    """Each rule sees what the ones before it have left (C35)."""
    for rule in RULES:
        yield from rule(night)


def contradiction_cleanup(night: Night) -> Iterator[Proposal]:
    """Of two that contradict each other the older one sleeps, unless somebody has to decide."""
    asleep: dict[str, Sleep] = {}
    doubts = []
    for edge in night.store.all_edges(night.user):
        if edge.type != "contradicts" or {edge.source, edge.target} & asleep.keys():
            continue
        older, newer = _by_age(night, edge.source, edge.target)
        if older is None or newer is None:
            continue
        place = night.place(older.id)
        if REVIEW in (*older.tags, *newer.tags) or (place is not None and night.protected[place]):
            doubts.append(Doubt("contradiction", (older.id, newer.id)))
        else:
            asleep[older.id] = Sleep("contradiction cleanup", newer.id)
    yield from _in_batches(night, asleep)
    if doubts:
        yield Proposal(doubts=tuple(doubts))


def passed_foresight(night: Night) -> Iterator[Proposal]:
    """What is past its time and was not put to sleep for that yet."""
    for places in night.batches(expired(night)):
        yield night.sleeping(places, "foresight expiry")


def utility_floor(night: Night) -> Iterator[Proposal]:
    """What did not help, was not used for a month, and is older than its kind is kept for."""
    seen, params = night.survey, night.params
    useless = (seen.utility < params.utility_floor) & (night.idle_days >= params.floor_days)
    for places in night.batches(useless & night.past_its_keep & night.little_used & ~night.protected):
        yield night.sleeping(places, "utility floor")


def repetition(night: Night) -> Iterator[Proposal]:
    """What came since the last dream and says what is known, or the other way round."""
    yield from repeated(night, newest(night))


def capacity_trim(night: Night) -> Iterator[Proposal]:
    """Where there are too many, the least useful go, until a tenth is free."""
    seen, params = night.survey, night.params
    count = int((night.current & ~night.keyed).sum())
    if count <= params.capacity:
        return
    able = night.current & night.past_its_keep & night.little_used & ~night.protected
    places = np.flatnonzero(able)
    recalled = night.retention(night.idle_days)[places]
    order = np.lexsort((seen.contents[places], seen.importance[places], recalled, seen.utility[places]))
    chosen = np.zeros(len(seen), np.bool_)
    chosen[places[order[: count - int(params.trimmed_to * params.capacity)]]] = True
    for batch in night.batches(chosen):
        yield night.sleeping(batch, "capacity trim")


RULES: Final[tuple[Callable[[Night], Iterator[Proposal]], ...]] = (
    contradiction_cleanup,
    passed_foresight,
    utility_floor,
    repetition,
    capacity_trim,
)


def _by_age(night: Night, one: str, other: str) -> tuple[Memory | None, Memory | None]:
    """The older and the newer of two; None for one that is not current."""
    found = []
    for memory_id in (one, other):
        place = night.place(memory_id)
        current = place is not None and night.is_current(place)
        found.append(night.store.get(night.user, memory_id) if current else None)
    first, second = found
    if first is None or second is None:
        return None, None
    older, newer = sorted((first, second), key=lambda memory: (memory.valid_from, memory.id))
    return older, newer


def _in_batches(night: Night, asleep: dict[str, Sleep]) -> Iterator[Proposal]:
    items = list(asleep.items())
    for start in range(0, len(items), night.params.batch):
        yield Proposal(asleep=dict(items[start : start + night.params.batch]))
