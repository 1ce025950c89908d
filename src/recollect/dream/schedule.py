"""What is done when: the jobs, their steps and intervals, and how two workers agree on who does them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from recollect.errors import Conflict
from recollect.model import Record, microseconds, moment
from recollect.ports import Changes, RecordChange, Store

JOB: Final = "job"
"""The kind of record that says when a job is due and how it went."""
LEASE: Final = ("worker", "lease")
"""The record of who works for a user, and until when nobody else does."""
LEASED: Final = timedelta(minutes=10)
"""After so long without a word of it, a worker is taken for dead."""
AUDIT: Final = "audit"
JOBS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "consolidate": ("emotional_consolidation", "synaptic_replay", "episode_replay"),
        "promote": ("promotion", "global_promotion"),
        "patterns": (
            "clustering",
            "consolidation",
            "deep_abstraction",
            "category_summaries",
            "compression",
            "link_discovery",
        ),
        "decay": ("tier_decay", "utility_decay", "rehearsal"),
        "cleanup": (
            "foresight_expiry",
            "strategic_forgetting",
            "redundancy",
            "embedding_backfill",
            "contradictions",
            "fact_verification",
            "relation_pruning",
            "tag_cleanup",
            "archive",
            "weak_pruning",
        ),
        AUDIT: (),
    }
)
"""By job, the names of its steps: each is done by one job, a dream does all. The audit's is none of memories."""


@dataclass(frozen=True, slots=True)
class Went:
    """How a job went: when it began, for how long, how much it changed, and what stopped it."""

    at: datetime
    seconds: float
    changed: int = 0
    error: str | None = None


def due(store: Store, user: str, intervals: Mapping[str, timedelta], now: datetime) -> list[str]:
    """The jobs whose time has come, in their order; one that never ran is due at once."""
    return overdue(store.records(user, JOB), intervals, now)


def overdue(known: Iterable[Record], intervals: Mapping[str, timedelta], now: datetime) -> list[str]:
    """The same, from how the jobs went last."""
    last = {one.key: one for one in known}
    return [name for name in JOBS if name not in last or _next(last[name], intervals[name]) <= now]


def claimed(store: Store, user: str, worker: str, now: datetime) -> bool:
    """Whether the work for a user is this worker's alone from now on."""
    known = store.record(user, *LEASE)
    held = known is not None and known.value["worker"] != worker and known.value["until"] > microseconds(now)
    if held:
        return False
    value = {"worker": worker, "until": microseconds(now + LEASED)}
    change = RecordChange(*LEASE, value, 0 if known is None else known.revision)
    try:
        store.write(user, Changes("lease", now, records=(change,)))
    except Conflict:
        return False
    return True


def released(store: Store, user: str, worker: str, now: datetime) -> None:
    """Lets others work for a user, unless they do already."""
    known = store.record(user, *LEASE)
    if known is not None and known.value["worker"] == worker:
        try:
            store.write(user, Changes("lease", now, records=(RecordChange(*LEASE, None, known.revision),)))
        except Conflict:
            return  # somebody took this worker for dead


def went(name: str, how: Went, known: Record | None) -> RecordChange:
    """The record of a job after it went so; an error leaves when it last went well as it was."""
    before: dict[str, Any] = {"runs": 0, "failures": 0} if known is None else known.value
    failed = how.error is not None
    value = before | {
        "at": microseconds(how.at),
        "seconds": round(how.seconds, 3),
        "changed": how.changed,
        "error": how.error,
        "runs": before["runs"] + 1,
        "failures": before["failures"] + failed,
    }
    return RecordChange(JOB, name, value, 0 if known is None else known.revision)


def status(store: Store, user: str, intervals: Mapping[str, timedelta], now: datetime) -> dict[str, Any]:
    """By job, how it last went and by how many seconds it is late."""
    found = {}
    for name in JOBS:
        known = store.record(user, JOB, name)
        told = None if known is None else known.value | {"at": moment(known.value["at"]).isoformat()}
        late = 0.0 if known is None else max((now - _next(known, intervals[name])).total_seconds(), 0.0)
        found[name] = None if told is None else told | {"lag_seconds": round(late, 3)}
    return found


def _next(known: Record, interval: timedelta) -> datetime:
    return moment(known.value["at"]) + interval
