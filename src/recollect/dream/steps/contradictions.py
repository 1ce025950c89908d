"""Two memories that cannot both hold, wherever in the store they are: the newer one replaces, or somebody decides."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from recollect.dream.closeness import close, loaded
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
    revised: dict[str, Revision] = {}
    edges: list[Edge] = []
    doubts: list[Doubt] = []
    reading = cache(claims)
    for older, newer, _ in loaded(night, close(night)):
        if {older.id, newer.id} & revised.keys() or REVIEW in (*older.tags, *newer.tags):
            continue
        found = conflict(newer.text, older.text, reading)
        if found is None:
            continue
        if _clear(night, older, newer, found):
            revised |= _replaced(older, newer)
            edges.append(Edge(newer.id, older.id, "supersedes", reason=found.reason))
        else:
            revised |= _waiting(night, newer, older)
            first, second = sorted((older.id, newer.id))
            edges.append(Edge(first, second, "contradicts", reason=found.reason))
            doubts.append(Doubt(RULE, (older.id, newer.id)))
        if len(revised) >= night.params.batch:
            yield Proposal(revised=revised, edges=tuple(edges), doubts=tuple(doubts))
            revised, edges, doubts = {}, [], []
    if revised:
        yield Proposal(revised=revised, edges=tuple(edges), doubts=tuple(doubts))


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
