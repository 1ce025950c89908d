"""Taking a dream back: everything that it changed is as it was before, unless somebody changed it since."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Final

from recollect.dream.journal import Ends, entries
from recollect.dream.runs import DONE, RUNNING, SINCE, UNDOING, UNDONE, Run, run
from recollect.errors import Conflict, NotFound, Refused
from recollect.guarding import guarded
from recollect.model import Counters, Edge, Memory, State, microseconds, moment
from recollect.ports import Change, Changes, Clock, RecordChange, Store

BATCH: Final = 500
ATTEMPTS: Final = 8
BOOKKEEPING: Final = frozenset({"version", "recorded_at", "retired_at"})
"""What differs between two versions that say the same."""


@dataclass(slots=True)
class Changed:
    """What each thing was before a dream first changed it, and after it last did."""

    versions: dict[str, list[int]] = field(default_factory=dict)
    counters: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    weights: dict[Ends, list[Any]] = field(default_factory=dict)
    records: dict[tuple[str, str], list[Any]] = field(default_factory=dict)


@dataclass(slots=True)
class Restored:
    """What goes back in one transaction, and what cannot."""

    memories: list[Change] = field(default_factory=list)
    counters: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    reweighed: list[Edge] = field(default_factory=list)
    unlinked: list[Edge] = field(default_factory=list)
    records: list[RecordChange] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is restored, and when."""

    store: Store
    user: str
    at: datetime


Item = tuple[Any, list[Any]]
Restore = Callable[[Place, Sequence[Item]], Restored]


def undo(store: Store, user: str, run_id: str, clock: Clock) -> Run:
    """Restores what a dream changed, a batch a transaction; if it is interrupted, call it again."""
    known = run(store, user, run_id)
    if known.state not in {DONE, RUNNING, UNDOING}:
        raise Refused(f"dream {known.id} was undone already")
    changed = _changed(store, user, known)
    kinds: tuple[tuple[Restore, dict[Any, list[Any]]], ...] = (
        (_versions, changed.versions),
        (_counters, changed.counters),
        (_weights, changed.weights),
        (_records, changed.records),
    )
    conflicts: list[str] = []
    for restore, items in kinds:
        todo = list(items.items())
        for start in range(0, len(todo), BATCH):
            batch = todo[start : start + BATCH]
            known, met = _written(store, user, replace(known, state=UNDOING), clock, restore, batch)
            conflicts += met
    undone = replace(known, state=UNDONE, conflicts=tuple(conflicts))
    return _written(store, user, undone, clock, _since, [(undone, [])])[0]


def _changed(store: Store, user: str, known: Run) -> Changed:
    """The entries of a dream folded into one: the first value before, the last one after."""
    found, told = Changed(), list(entries(store, user, known.id))
    if len(told) < known.batches:
        raise Refused(f"dream {known.id} is too long ago: what it changed is not kept any more")
    for entry in told:
        for memory_id, numbers in entry.versions.items():
            _fold(found.versions, memory_id, numbers)
        for memory_id, values in entry.counters.items():
            for name, two in values.items():
                _fold(found.counters, (memory_id, name), two)
        for source, target, kind, *told in entry.weights:
            _fold(found.weights, (source, target, kind), told)
        for kind, key, *two in entry.records:
            _fold(found.records, (kind, key), two)
    return found


def _fold(known: dict[Any, list[Any]], key: Any, told: list[Any]) -> None:
    if key in known:
        known[key][1] = told[1]
    else:
        known[key] = list(told)


def _written(
    store: Store, user: str, known: Run, clock: Clock, restore: Restore, batch: Sequence[Item]
) -> tuple[Run, list[str]]:
    for _ in range(ATTEMPTS):
        at, guard = clock.now(), guarded(store, user)
        parts = restore(Place(store, user, at), batch)
        changes = Changes(
            "dream undo",
            at,
            tuple(parts.memories),
            tuple(parts.edges),
            tuple(parts.reweighed),
            tuple(parts.unlinked),
            (guard, known.change, *parts.records),
            parts.counters,
            detail={"run": known.id, "state": known.state},
        )
        try:
            store.write(user, changes)
        except (Conflict, NotFound):
            now = run(store, user, known.id)
            if now.revision != known.revision:
                raise Conflict(f"dream {known.id} is being undone by another process") from None
            continue
        return replace(known, revision=run(store, user, known.id).revision), parts.conflicts
    raise Conflict("the memories keep being changed by others; try again")


def _versions(place: Place, batch: Sequence[Item]) -> Restored:
    parts = Restored()
    for memory_id, (first, last) in batch:
        history = {memory.version: memory for memory in place.store.versions(place.user, memory_id)}
        if not history:
            parts.conflicts.append(f"{memory_id} was purged")
            continue
        now, after = history[max(history)], history[last]
        # Before its first version there was nothing to be seen: asleep, it is not seen either.
        before = replace(after, state=State.DORMANT) if not first else history[first]
        if _same(now, before):
            continue
        if not _same(now, after):
            parts.conflicts.append(f"{memory_id} was changed since")
            continue
        parts.memories.append(
            Change(replace(before, version=now.version + 1, recorded_at=place.at, retired_at=None))
        )
    return parts


def _counters(place: Place, batch: Sequence[Item]) -> Restored:
    parts = Restored()
    known = place.store.counters(place.user, [memory_id for (memory_id, _), _ in batch])
    for (memory_id, name), (before, after) in batch:
        now = getattr(known.get(memory_id, Counters()), name)
        if now == after and before != after:
            parts.counters.setdefault(memory_id, {})[name] = before
        elif now not in (before, after):
            parts.conflicts.append(f"{memory_id}: its {name} was changed since")
    return parts


def _weights(place: Place, batch: Sequence[Item]) -> Restored:
    parts = Restored()
    known = place.store.edges(
        place.user, sorted({key[0] for key, _ in batch}), sorted({key[2] for key, _ in batch})
    )
    weights = {(edge.source, edge.target, edge.type): edge.weight for edge in known}
    for (source, target, kind), (before, after, stamp) in batch:
        now = weights.get((source, target, kind))
        edge = Edge(source, target, kind, before or 0.0, None if stamp is None else moment(stamp))
        if now == before:
            continue
        if now != after:
            parts.conflicts.append(f"the {kind} edge of {source} and {target} was changed since")
        elif before is None:
            parts.unlinked.append(edge)
        elif now is None:
            parts.edges.append(edge)
        else:
            parts.reweighed.append(edge)
    return parts


def _records(place: Place, batch: Sequence[Item]) -> Restored:
    """What a dream noted for itself; where that went on since, it is left."""
    parts = Restored()
    for (kind, key), (before, after) in batch:
        known = place.store.record(place.user, kind, key)
        if (None if known is None else known.value) == after != before:
            parts.records.append(RecordChange(kind, key, before, 0 if known is None else known.revision))
    return parts


def _since(place: Place, batch: Sequence[Item]) -> Restored:
    """Its steps were last done when they were done before it, unless they were done again since."""
    parts = Restored()
    known = place.store.record(place.user, *SINCE)
    if known is None:
        return parts  # it was interrupted before its end
    for undone, _ in batch:
        after = {
            name: at
            for name, at in known.value.items()
            if name not in undone.names or at != microseconds(undone.now)
        }
        before = {name: at for name, at in undone.since.items() if name not in after}
        parts.records.append(RecordChange(*SINCE, {**after, **before}, known.revision))
    return parts


def _same(one: Memory, other: Memory) -> bool:
    """Whether two versions say the same."""
    names = (each.name for each in fields(Memory) if each.name not in BOOKKEEPING)
    return all(getattr(one, name) == getattr(other, name) for name in names)
