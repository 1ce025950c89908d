"""What another memory says as well need not be awake twice."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from recollect.dream.closeness import fresh
from recollect.dream.likeness import Likeness
from recollect.dream.night import Night, Places
from recollect.dream.proposal import Proposal, Sleep
from recollect.formulas.gate import GateParams
from recollect.language.differences import adds, differing
from recollect.language.terms import terms
from recollect.model import Edge, Memory
from recollect.ports import RecordChange

RULE: Final = "redundancy"
BACKLOG: Final = ("dream", "compared")
"""The record of how far the memories that were there before the first dream have been compared."""
INSTRUCTIONS: Final = frozenset({"procedure", "warning"})
"""What should be done is no repetition of what is done."""
SAYS_THE_SAME: Final = GateParams().reinforce
"""From here on the words may be others; below, the one that stays must have them all."""


def redundancy(night: Night) -> Iterator[Proposal]:
    """Goes on comparing what was there before the first dream, some of it each night (C34)."""
    known = night.store.record(night.user, *BACKLOG)
    upto = 0 if known is None else known.value["upto"]
    waiting = np.flatnonzero(night.current & (night.survey.contents > upto) & ~fresh(night))
    if not len(waiting):
        return
    waiting = waiting[np.argsort(night.survey.contents[waiting])][: night.params.compared]
    reached = {"upto": int(night.survey.contents[waiting[-1]])}
    yield from repeated(night, waiting)
    yield Proposal(records=(RecordChange(*BACKLOG, reached, 0 if known is None else known.revision),))


def repeated(night: Night, places: Places) -> Iterator[Proposal]:
    """Of two that say the same, the less useful one sleeps, and the other takes its sources over."""
    for alike in Likeness(night).of(places, night.params.redundant):
        memories = _loaded(night, [place for one in alike for place in one[:2]])
        asleep: dict[str, Sleep] = {}
        edges: list[Edge] = []
        for one, other, similarity in alike:
            if any(_gone(night, place, asleep) or place not in memories for place in (one, other)):
                continue
            for place, rival in _by_worth(night, one, other):
                if _says_no_more(memories[place], memories[rival], similarity) and not night.protected[place]:
                    loser, keeper = memories[place], memories[rival]
                    asleep[loser.id] = Sleep(RULE, keeper.id)
                    edges += [
                        Edge(keeper.id, source, "derived_from")
                        for source in loser.origin.sources
                        if source not in keeper.origin.sources
                    ]
                    break
        if asleep:
            yield Proposal(asleep=asleep, edges=tuple(edges))


def _by_worth(night: Night, one: int, other: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Both as (the one that goes, the one that stays), the less useful, the less used, the newer first to go."""
    seen = night.survey

    def worth(place: int) -> tuple[float, int, float, int]:
        began = -int(seen.began_at[place])
        return float(seen.utility[place]), int(seen.access_count[place]), float(seen.importance[place]), began

    less, more = sorted((one, other), key=worth)
    return (less, more), (more, less)


def _says_no_more(loser: Memory, keeper: Memory, similarity: float) -> bool:
    """Whether nothing is lost where only the other one is awake."""
    if loser.kind != keeper.kind and {loser.kind, keeper.kind} & INSTRUCTIONS:
        return False
    if differing(loser.text, keeper.text) is not None or adds(loser.text, keeper.text):
        return False
    return similarity >= SAYS_THE_SAME or set(terms(loser.text)) <= set(terms(keeper.text))


def _gone(night: Night, place: int, asleep: dict[str, Sleep]) -> bool:
    return not night.awake[place] or night.survey.ids[place] in asleep


def _loaded(night: Night, places: list[int]) -> dict[int, Memory]:
    """The memories at these places, with their texts."""
    found = {place: night.store.get(night.user, night.survey.ids[place]) for place in dict.fromkeys(places)}
    return {place: memory for place, memory in found.items() if memory is not None}
