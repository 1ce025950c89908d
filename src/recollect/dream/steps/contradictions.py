"""Two memories that cannot both hold, wherever in the store they are: the newer one replaces, or somebody decides."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from recollect.dream.closeness import by_age, close
from recollect.dream.night import Night
from recollect.dream.proposal import Doubt, Proposal, Revision
from recollect.language.claims import claims
from recollect.language.contradiction import Contradiction, conflict
from recollect.model import Edge, Memory

REVIEW: Final = "review"
"""The tag of what waits for somebody to say which of two holds."""
RULE: Final = "contradiction"
CONFIDENT: Final = 0.2
"""By so much less confident the newer one may be, and still replaces."""


def contradictions(night: Night) -> Iterator[Proposal]:
    """Another value of the same thing replaces the older; what only denies it waits for a review (G15)."""
    reading = cache(claims)
    batch = Batch()
    for pair in close(night):
        found = by_age(night, pair)
        if found is not None and {one.id for one in found} & batch.revised.keys():
            # Each pair is judged as the ones before it left both, whether or not a dream is interrupted.
            yield batch.proposal
            batch, found = Batch(), by_age(night, pair)
        if found is None or any(REVIEW in one.tags for one in found):
            continue
        older, newer = found
        reason = conflict(newer.text, older.text, reading)
        if reason is not None:
            batch.add(night, older, newer, reason)
        if len(batch.revised) >= night.params.batch - 1:
            yield batch.proposal
            batch = Batch()
    if batch.revised or batch.doubts:
        yield batch.proposal


@dataclass(slots=True)
class Batch:
    """What was decided and is not written yet."""

    revised: dict[str, Revision] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    @property
    def proposal(self) -> Proposal:
        return Proposal(revised=self.revised, edges=tuple(self.edges), doubts=tuple(self.doubts))

    def add(self, night: Night, older: Memory, newer: Memory, found: Contradiction) -> None:
        if _clear(night, older, newer, found):
            self.revised |= _replaced(older, newer)
            self.edges.append(Edge(newer.id, older.id, "supersedes", reason=found.reason))
            return
        self.revised |= _waiting(night, newer, older)
        first, second = sorted((older.id, newer.id))
        self.edges.append(Edge(first, second, "contradicts", reason=found.reason))
        self.doubts.append(Doubt(RULE, (older.id, newer.id)))


def _clear(night: Night, older: Memory, newer: Memory, found: Contradiction) -> bool:
    """Whether nobody has to be asked."""
    place = night.place(older.id)
    return (
        found.kind == "value"
        and newer.valid_from > older.valid_from
        and newer.confidence >= older.confidence - CONFIDENT
        and place is not None
        and not night.protected[place]
    )


def _waiting(night: Night, *memories: Memory) -> dict[str, Revision]:
    """The tag of a review, on the first of them that may be changed."""
    places = ((memory, night.place(memory.id)) for memory in memories)
    able = [memory for memory, place in places if place is not None and not night.protected[place]]
    return {one.id: Revision("for review", {"tags": (*one.tags, REVIEW)}, one.version) for one in able[:1]}


def _replaced(older: Memory, newer: Memory) -> dict[str, Revision]:
    ended: dict[str, Any] = {"valid_until": newer.valid_from, "superseded_by": newer.id}
    changes = {older.id: Revision(RULE, ended, older.version)}
    if newer.supersedes is None:
        changes[newer.id] = Revision("replaces", {"supersedes": older.id}, newer.version)
    return changes
