"""What look-ups teach about the memories that they brought: gathered while they go on, written once in a while (G5)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from recollect.errors import Conflict
from recollect.language.terms import query_terms
from recollect.model import Memory
from recollect.ports import Change, Changes, Store

CONFIRMED: Final = 0.01
PASSED_OVER: Final = 0.02
"""By how much confidence rises each time that a memory helped, and falls each time that it was brought in vain."""
LEAST: Final = 0.3
"""Nothing is doubted (C25) because it was brought in vain: that takes a judgement."""
TOGETHER: Final = 2
"""So many that helped with one context have something in common."""
ATTEMPTS: Final = 8


@dataclass(slots=True)
class Served:
    """What is not written yet."""

    helped: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    tags: dict[str, str] = field(default_factory=dict)
    """By memory, a tag that it has in common with others that helped."""
    lookups: int = 0

    def note(self, context: str, helped: Sequence[Memory], passed_over: Sequence[Memory]) -> None:
        """One look-up: what it brought helped, or was brought in vain."""
        self.lookups += 1
        self.helped.update(memory.id for memory in helped)
        self.passed_over.update(memory.id for memory in passed_over)
        tag = common_tag(context, helped)
        if tag is not None:
            self.tags |= {memory.id: tag for memory in helped}


def common_tag(context: str, memories: Sequence[Memory]) -> str | None:
    """The word of the context that they all share, where none of them has a tag yet.

    >>> from recollect.model import EPOCH
    >>> known = [Memory(str(n), text, EPOCH, EPOCH) for n, text in enumerate(("Backups run at night", "The backup is on disk 2"))]
    >>> common_tag("Did the backups finish?", known)
    'backups'
    """
    if len(memories) < TOGETHER or any(memory.tags for memory in memories):
        return None
    shared = set.intersection(*(set(query_terms(memory.text)) for memory in memories))
    words = [word for word in context.split() if shared.intersection(query_terms(word))]
    return max((word.strip(".,;:!?\"'()").casefold() for word in words), key=len, default=None) or None


def learn_from(store: Store, user: str, served: Served, at: datetime, *, tags: bool) -> int:
    """Writes what look-ups taught, in one transaction; gives how many memories it changed."""
    for _ in range(ATTEMPTS):
        changes = tuple(_changes(store, user, served, at, served.tags if tags else {}))
        if not changes:
            return 0
        try:
            store.write(user, Changes("served", at, changes, detail={"lookups": served.lookups}))
        except Conflict:
            continue
        return len(changes)
    return 0


def _changes(
    store: Store, user: str, served: Served, at: datetime, tags: Mapping[str, str]
) -> Iterator[Change]:
    for memory_id in sorted({*served.helped, *served.passed_over, *tags}):
        memory = store.get(user, memory_id)
        if memory is None or memory.immutable:
            continue
        confidence = believed(memory.confidence, served.helped[memory_id], served.passed_over[memory_id])
        tag = tags.get(memory_id)
        named = (tag,) if tag is not None and not memory.tags else memory.tags
        if (confidence, named) != (memory.confidence, memory.tags):
            yield Change(
                replace(
                    memory,
                    confidence=confidence,
                    tags=named,
                    version=memory.version + 1,
                    recorded_at=at,
                    retired_at=None,
                )
            )


def believed(confidence: float, helped: int, passed_over: int) -> float:
    """How far something is believed after it helped so often, and was brought in vain so often.

    >>> believed(0.5, 2, 0), believed(0.31, 0, 3), believed(0.2, 0, 1)
    (0.52, 0.3, 0.2)
    """
    changed = confidence + CONFIRMED * helped - PASSED_OVER * passed_over
    return round(min(max(changed, min(LEAST, confidence)), 1.0), 6)
