"""Two memories that cannot both hold, wherever in the store they are: the newer one replaces, or somebody decides."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from recollect.dream.closeness import by_age, close
from recollect.dream.night import Night
from recollect.dream.proposal import Doubt, Proposal, Revision
from recollect.language.claims import Claim, claims
from recollect.language.contradiction import Contradiction, conflict
from recollect.language.enduring import beside, says_more, told
from recollect.model import Edge, Memory

REVIEW: Final = "review"
"""The tag of what waits for somebody to say which of two holds."""
RULE: Final = "contradiction"
Reading = Callable[[str], tuple[Claim, ...]]
CONFIDENT: Final = 0.2
"""By so much less confident the newer one may be, and still replaces."""


def contradictions(night: Night) -> Iterator[Proposal]:
    """Another value of the same thing replaces the older; what only denies it waits for a review (G15)."""
    if night.resumes:
        return  # all of it is one transaction: who is closest to whom changes with what was replaced
    reading, found = cache(claims), Found()
    for pair in close(night):
        if len(found.revised) >= max(night.params.batch - 1, 1):
            break
        two = by_age(night, pair)
        if two is None or found.settled & {one.id for one in two} or any(REVIEW in one.tags for one in two):
            continue
        older, newer = two
        reason = conflict(newer.text, older.text, reading)
        if reason is None or _endures(older, newer, reading):
            continue
        if _clear(night, older, newer, reason):
            found.replace(older, newer, reason)
        else:
            found.wait(night, older, newer, reason)
    if found.doubts or found.revised:
        yield Proposal(revised=found.revised, edges=tuple(found.edges), doubts=tuple(found.doubts))


@dataclass(slots=True)
class Found:
    """What cannot both hold, and what becomes of it."""

    revised: dict[str, Revision] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)
    """What was replaced or waits: it is compared no further."""

    def replace(self, older: Memory, newer: Memory, found: Contradiction) -> None:
        """The newer one holds from when it was said."""
        self._revise(older, RULE, valid_until=newer.valid_from, superseded_by=newer.id)
        known = self.revised.get(newer.id)
        if newer.supersedes is None and (known is None or "supersedes" not in known.values):
            self._revise(newer, "replaces", supersedes=older.id)
        self.edges.append(Edge(newer.id, older.id, "supersedes", reason=found.reason))
        self.settled.add(older.id)

    def wait(self, night: Night, older: Memory, newer: Memory, found: Contradiction) -> None:
        """Somebody has to decide: the tag goes to the first of the two that may be changed."""
        places = ((one, night.place(one.id)) for one in (newer, older))
        able = [one for one, place in places if place is not None and not night.protected[place]]
        for one in able[:1]:
            self._revise(one, "for review", tags=(*one.tags, REVIEW))
        first, second = sorted((older.id, newer.id))
        self.edges.append(Edge(first, second, "contradicts", reason=found.reason))
        self.doubts.append(Doubt(RULE, (older.id, newer.id)))
        self.settled |= {older.id, newer.id}

    def _revise(self, memory: Memory, rule: str, **values: Any) -> None:
        known = self.revised.get(memory.id)
        before = {} if known is None else known.values
        self.revised[memory.id] = Revision(rule, {**before, **values}, memory.version)


def _endures(older: Memory, newer: Memory, reading: Reading) -> bool:
    """Whether the older one holds beside what contradicts it, as a whole or for the most part."""
    old, new = told(older, reading(older.text)), told(newer, reading(newer.text))
    return beside(new, old) or says_more(old, new)


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
