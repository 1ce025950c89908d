"""What waits for somebody to say which of two contradicting memories holds, and what becomes of it."""

from dataclasses import dataclass, replace
from typing import Final

from recollect.errors import Conflict, InvalidInput, NotFound, Refused
from recollect.model import Edge, Filter, Lane, Memory, State
from recollect.ports import Change, Store
from recollect.write.gating import REVIEW
from recollect.write.writer import ATTEMPTS, Place, Writer, following

KEEPS: Final = ("new", "old", "both")
"""Which of the two is believed from now on."""
CONTRADICTS: Final = "contradicts"


@dataclass(frozen=True, slots=True)
class Review:
    """A memory that waits, and what it contradicts."""

    memory: Memory
    against: tuple[Memory, ...]
    reason: str | None = None


def waiting(
    store: Store,
    user: str,
    channels: tuple[str, ...] | None = None,
    *,
    limit: int | None = None,
    after: str | None = None,
) -> list[Review]:
    """What waits, the oldest first."""
    where = Filter(channels=channels, lanes=(Lane.MEMORY,), tags=(REVIEW,), any_session=True)
    return [_review(store, user, memory) for memory in store.find(user, where, limit=limit, after=after)]


def resolve(writer: Writer, place: Place, memory_id: str, keep: str) -> Review:
    """Ends a review in one transaction; answers it as it stands afterwards."""
    if keep not in KEEPS:
        raise InvalidInput(f"keep one of {', '.join(KEEPS)}, not {keep!r}")
    for _ in range(ATTEMPTS):
        found = _waiting(writer.store, place.user, memory_id)
        now = writer.clock.now()
        changes, edges = _resolved(found, keep)
        written = [Change(following(memory, now)) for memory in changes]
        try:
            writer.write(place, "resolve", now, written, edges, {"kept": keep})
        except Conflict:
            continue
        return _review(writer.store, place.user, _known(writer.store, place.user, memory_id))
    raise Conflict(f"{memory_id} keeps being changed by others; try again")


def _resolved(found: Review, keep: str) -> tuple[list[Memory], list[Edge]]:
    """The next versions, and the edges between them."""
    new = replace(found.memory, tags=tuple(tag for tag in found.memory.tags if tag != REVIEW))
    if keep == "both":
        return [new], []
    if keep == "old":
        return [replace(new, state=State.DORMANT)], []
    fixed = next((old.id for old in found.against if old.immutable), None)
    if fixed is not None:
        raise Refused(
            f"{fixed} is immutable and cannot be replaced: keep the old one, or lift that first"
            f" (`recollect pin {fixed} --mutable`)"
        )
    ended = [
        replace(old, valid_until=max(new.valid_from, old.valid_from), superseded_by=new.id)
        for old in found.against
        if old.superseded_by is None
    ]
    first = ended[0].id if ended else None
    edges = [Edge(new.id, old.id, "supersedes", reason=found.reason) for old in ended]
    return [replace(new, supersedes=first), *ended], edges


def _review(store: Store, user: str, memory: Memory) -> Review:
    edges = store.edges(user, [memory.id], [CONTRADICTS])
    ends = [edge.target if edge.source == memory.id else edge.source for edge in edges]
    against = tuple(old for end in sorted(ends) if (old := store.get(user, end)) is not None)
    return Review(memory, against, next((edge.reason for edge in edges if edge.reason), None))


def _waiting(store: Store, user: str, memory_id: str) -> Review:
    memory = _known(store, user, memory_id)
    if REVIEW not in memory.tags or memory.state is not State.ACTIVE:
        raise InvalidInput(f"{memory_id} does not wait for a review: `recollect review` lists what does")
    return _review(store, user, memory)


def _known(store: Store, user: str, memory_id: str) -> Memory:
    memory = store.get(user, memory_id)
    if memory is None:
        raise NotFound(f"no memory {memory_id}")
    return memory
