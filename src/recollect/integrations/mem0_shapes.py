"""Memories as mem0 shows them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.integrations.mem0_filters import Scope
from recollect.model import Lane, Memory, State
from recollect.recall.hits import Hit

PLACE: Final = "mem0"
"""Where a memory's metadata keeps what mem0's callers say about it, apart from what the write path finds out."""
IDENTITY: Final = frozenset({"user_id", "agent_id", "run_id", "actor_id"})
EXPIRES: Final = "expiration_date"


def payload(
    metadata: Mapping[str, Any] | None,
    *,
    role: str | None = None,
    actor_id: str | None = None,
    expires: str | None = None,
) -> dict[str, Any]:
    """What a memory keeps of a call; ids are said by arguments and not by metadata."""
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidInput(f"metadata is a mapping, not {type(metadata).__name__}")
    own = {name: value for name, value in (metadata or {}).items() if name not in IDENTITY}
    told = {"metadata": own, "role": role, "actor_id": actor_id, EXPIRES: expires}
    said = {name: value for name, value in told.items() if value}
    return {PLACE: said} if said else {}


def item(memory: Memory, owner: str, created: datetime, score: float | None = None) -> dict[str, Any]:
    """One memory, as `get` and `search` show it."""
    kept = memory.metadata.get(PLACE, {})
    promoted = {
        **told_ids(memory, owner),
        "actor_id": kept.get("actor_id") or memory.origin.speaker,
        "role": kept.get("role") or (memory.origin.role if memory.lane is Lane.LOG else None),
        "attributed_to": _attributed(memory),
        EXPIRES: kept.get(EXPIRES),
    }
    return {
        "id": memory.id,
        "memory": memory.text,
        "hash": hashlib.md5(memory.text.encode(), usedforsecurity=False).hexdigest(),
        "metadata": dict(kept.get("metadata", {})) or None,
        "score": score,
        "created_at": created.isoformat(),
        "updated_at": memory.recorded_at.isoformat(),
        **{name: value for name, value in promoted.items() if value is not None},
    }


def told_ids(memory: Memory, owner: str) -> dict[str, str]:
    """The ids of its scope; the owner of what has no user is named after its agent or run."""
    user = None if " " in owner else owner
    return Scope(user, memory.origin.actor, memory.origin.run).told()


def fields(shown: Mapping[str, Any]) -> dict[str, Any]:
    """What a condition is asked of: the metadata and the memory's own fields side by side."""
    return {
        **(shown["metadata"] or {}),
        **{name: value for name, value in shown.items() if name != "metadata"},
    }


def updated(memory: Memory, metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a memory keeps after an update: more metadata, or metadata that is different."""
    kept = dict(memory.metadata.get(PLACE, {}))
    new = payload(metadata).get(PLACE, {}).get("metadata", {})
    return kept | ({"metadata": {**kept.get("metadata", {}), **new}} if new else {})


def score_details(hit: Hit, best: float, threshold: float) -> dict[str, Any]:
    """mem0's explanation, and ours: what each signal gave."""
    return {
        "semantic_score": hit.similarity,
        "bm25_score": hit.signals.get("words", 0.0),
        "entity_boost": 0.0,
        "raw_score": hit.score,
        "max_possible_score": best,
        "final_score": max(0.0, hit.score / best),
        "threshold": threshold,
        "signals": dict(hit.signals),
    }


def history(versions: Sequence[Memory], successor: str | None) -> Iterator[dict[str, Any]]:
    """The changes of one memory that mem0 knows: added, updated, deleted; `successor` is what replaced it."""
    first = versions[0]
    yield _event(first, first, None, first.text, "ADD")
    for before, after in pairwise(versions):
        if after.state is not before.state:
            if after.state is State.ACTIVE:
                yield _event(first, after, None, after.text, "ADD")
            else:
                yield _event(first, after, before.text, None, "DELETE")
        elif after.superseded_by != before.superseded_by:
            yield _event(first, after, before.text, successor, "UPDATE")
        elif (after.text, after.metadata.get(PLACE)) != (before.text, before.metadata.get(PLACE)):
            yield _event(first, after, before.text, after.text, "UPDATE")


def _event(first: Memory, at: Memory, old: str | None, new: str | None, event: str) -> dict[str, Any]:
    kept = at.metadata.get(PLACE, {})
    return {
        "id": f"{at.id}-{at.version}",
        "memory_id": at.id,
        "old_memory": old,
        "new_memory": new,
        "event": event,
        "created_at": first.recorded_at.isoformat(),
        "updated_at": at.recorded_at.isoformat(),
        "is_deleted": event == "DELETE",
        "actor_id": kept.get("actor_id") or at.origin.speaker,
        "role": kept.get("role") or at.origin.role,
    }


def expiry(value: Any) -> str | None:
    """The day after which it is not shown any more, as mem0 writes it.

    >>> expiry(date(2026, 3, 1)), expiry("2026-03-01"), expiry(None)
    ('2026-03-01', '2026-03-01', None)
    """
    if value is None:
        return None
    if isinstance(value, date):
        return (value.date() if isinstance(value, datetime) else value).isoformat()
    try:
        return date.fromisoformat(value).isoformat()
    except (TypeError, ValueError):
        raise InvalidInput(f"expiration_date is a day such as 2026-03-01, not {value!r}") from None


def end_of(day: str) -> datetime:
    """The moment at which that day is over.

    >>> end_of("2026-03-01").isoformat()
    '2026-03-02T00:00:00+00:00'
    """
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC) + timedelta(days=1)


def _attributed(memory: Memory) -> str | None:
    """Who said what it was formed from."""
    if memory.lane is Lane.LOG or not memory.origin.sources:
        return None
    return memory.origin.data_source.removesuffix("_message")
