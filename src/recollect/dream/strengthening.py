"""What use does to memories: it strengthens them, what lies beside them, and what came to mind with them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, Final

from recollect.errors import Conflict, NotFound
from recollect.formulas.retention import retention
from recollect.formulas.strength import spread, stabilised, stored
from recollect.guarding import guarded
from recollect.model import Counters, Filter, Record, State, microseconds
from recollect.ports import Changes, RecordChange, Store

TOGETHER: Final = "together"
"""The kind of record that counts how often two memories came to mind together."""
COMPANY: Final = 5
"""So many of the best hits of a recall came to mind together; the others were only near."""
NEIGHBOURS: Final = 20
"""So many of a memory's neighbours, by weight, gain from its use."""
NEIGHBOURLY: Final = ("elaborates", "same_entity", "related_to", "causes", "recalled_with")
ATTEMPTS: Final = 16
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Use:
    """The memories that one recall brought back, best first."""

    ids: tuple[str, ...]
    at: datetime


def strengthen(store: Store, user: str, uses: Sequence[Use]) -> None:
    """Counts the uses and writes what they teach, in one transaction; others who learn meanwhile lose nothing."""
    for _ in range(ATTEMPTS):
        with store.reading():  # one view, and on a server one transaction, for many small questions
            changes = _learnt(store, user, uses)
        try:
            if changes is not None:
                store.write(user, changes)
        except (Conflict, NotFound):
            continue  # somebody learnt, or purged, in between
        return
    raise Conflict("what use teaches keeps being changed by others; try again")


def pair(one: str, other: str) -> str:
    """The key of two memories' record, the same for both orders.

    >>> pair("b", "a")
    'a/b'
    """
    return "/".join(sorted((one, other)))


def _learnt(store: Store, user: str, uses: Sequence[Use]) -> Changes | None:
    guard = guarded(store, user)
    wanted = tuple(dict.fromkeys(memory_id for use in uses for memory_id in use.ids))
    known = store.counters(user, wanted)
    idle = _idle_days(store, user, uses, known)
    if not idle:
        return None
    times = Counter(memory_id for use in uses for memory_id in use.ids if memory_id in idle)
    company = [_company(use, idle) for use in uses]
    gains = _beside(store, user, times) + Counter(one for ids in company for one in ids)
    known |= store.counters(user, [one for one in gains if one not in known])
    learnt = {
        memory_id: _counters(known.get(memory_id, Counters()), memory_id, idle, times, gains)
        for memory_id in {**times, **gains}
    }
    latest = max(use.at for use in uses)
    last = {memory_id: use.at for use in sorted(uses, key=lambda use: use.at) for memory_id in use.ids}
    accesses = {memory_id: (count, last[memory_id]) for memory_id, count in times.items()}
    pairs = Counter(pair(*two) for ids in company for two in combinations(ids, 2))
    before = store.records_named(user, TOGETHER, list(pairs))
    records = (guard, *(_counted(before.get(key), key, count, latest) for key, count in pairs.items()))
    return Changes("use", latest, counters=learnt, accesses=accesses, records=records, hurried=True)


def _counters(
    known: Counters,
    memory_id: str,
    idle: Mapping[str, float],
    times: Mapping[str, int],
    gains: Mapping[str, int],
) -> dict[str, float]:
    stability, learnt = known.stability, {}
    if memory_id in idle:
        stability = float(stabilised(stability, retention(idle[memory_id], stability)))
        learnt["strength"] = float(stored(known.strength, times[memory_id]))
    return learnt | {"stability": float(spread(stability, gains.get(memory_id, 0)))}


def _idle_days(
    store: Store, user: str, uses: Sequence[Use], known: Mapping[str, Counters]
) -> dict[str, float]:
    """How long each had not been used when it first was; what is purged by now is left out."""
    last = {memory_id: counters.last_accessed_at for memory_id, counters in known.items()}
    unused = {one for use in uses for one in use.ids if last.get(one) is None}
    anyone = Filter(ids=tuple(sorted(unused)), states=tuple(State), any_session=True)
    last |= {memory.id: memory.recorded_at for memory in store.find(user, anyone)} if unused else {}
    found: dict[str, float] = {}
    for use in uses:
        for memory_id in use.ids:
            at = last.get(memory_id)
            if at is not None:
                found.setdefault(memory_id, (use.at - at) / DAY)
    return found


def _company(use: Use, idle: Mapping[str, Any]) -> tuple[str, ...]:
    """Those that came to mind together: more than one, each once."""
    ids = tuple(dict.fromkeys(one for one in use.ids[:COMPANY] if one in idle))
    return ids if len(ids) > 1 else ()


def _beside(store: Store, user: str, used: Iterable[str]) -> Counter[str]:
    """How many of the used memories each of their neighbours lies beside."""
    mine = set(used)
    beside: dict[str, list[tuple[float, str]]] = {one: [] for one in mine}
    for edge in store.edges(user, sorted(mine), NEIGHBOURLY):
        for end, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if end in mine:
                beside[end].append((edge.weight, other))
    return Counter(
        other
        for found in beside.values()
        for other in {one for _, one in sorted(found, reverse=True)[:NEIGHBOURS]}
    )


def _counted(known: Record | None, key: str, count: int, at: datetime) -> RecordChange:
    before = {"count": 0} if known is None else known.value
    value = before | {"count": before["count"] + count, "at": microseconds(at)}
    return RecordChange(TOGETHER, key, value, 0 if known is None else known.revision)
