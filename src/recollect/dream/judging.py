"""What somebody's judgement of a memory teaches: it helped, or it did not."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.errors import Conflict, NotFound
from recollect.formulas.strength import stored
from recollect.formulas.utility import used
from recollect.guarding import guarded
from recollect.model import Counters, Memory
from recollect.ports import Change, Changes, Store

CONFIRMED, DOUBTED = 0.05, 0.1
"""By how much confidence rises with a memory that helped, and falls with one that did not."""
ATTEMPTS: Final = 16


def judge(store: Store, user: str, judged: Mapping[str, bool], at: datetime) -> None:
    """Writes what the judgements teach, all of them or none; others who learn meanwhile lose nothing (G10, C11)."""
    for _ in range(ATTEMPTS):
        guard = guarded(store, user)
        known = store.counters(user, list(judged))
        changes = Changes(
            "feedback",
            at,
            tuple(
                change
                for one, helpful in judged.items()
                for change in _revised(store, user, one, helpful, at)
            ),
            records=(guard,),
            counters={one: _taught(known.get(one, Counters()), helpful) for one, helpful in judged.items()},
            detail={"helpful": sum(judged.values()), "unhelpful": len(judged) - sum(judged.values())},
        )
        try:
            store.write(user, changes)
        except Conflict:
            continue
        return
    raise Conflict("the memories keep being changed by others; try again")


def _taught(known: Counters, helpful: bool) -> dict[str, float]:
    taught = {"utility": float(used(known.utility, float(helpful)))}
    if helpful:
        return taught | {"strength": float(stored(known.strength, 1)), "wins": known.wins + 1.0}
    return taught | {"losses": known.losses + 1.0}


def _revised(store: Store, user: str, memory_id: str, helpful: bool, at: datetime) -> list[Change]:
    """The memory as it is believed after the judgement; none where that changes nothing, or nobody may."""
    memory = store.get(user, memory_id)
    if memory is None:
        raise NotFound(f"{memory_id} was purged")
    confidence = believed(memory, helpful=helpful)
    if memory.immutable or confidence == memory.confidence:
        return []
    after = replace(
        memory, confidence=confidence, version=memory.version + 1, recorded_at=at, retired_at=None
    )
    return [Change(after)]


def believed(memory: Memory, *, helpful: bool) -> float:
    """How far a memory is believed after it helped, or did not.

    >>> from recollect.model import EPOCH
    >>> one = Memory("1", "Tea", EPOCH, EPOCH, confidence=0.98)
    >>> believed(one, helpful=True), round(believed(one, helpful=False), 2)
    (1.0, 0.88)
    """
    changed = memory.confidence + (CONFIRMED if helpful else -DOUBTED)
    return round(min(max(changed, 0.0), 1.0), 6)
