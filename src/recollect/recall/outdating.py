"""A turn that states what has been replaced since must not answer as if it still held.

What was formed of a turn ends when something replaces it; the turn itself stays as it was said, and its words are what
a question is worded like. So the best turns are asked what was formed of them. A turn may state several things: the one
that counts is the one which is most like the question.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.model import Filter
from recollect.ports import Stated
from recollect.recall.folding import BEHIND, SPARE
from recollect.recall.lifting import lift
from recollect.recall.renewing import asks_of_then
from recollect.recall.work import Sources, Work


def outdated(work: Work, sources: Sources) -> dict[str, object]:
    """Which of the best turns state something that was replaced, and what stands in its place."""
    turns = _turns(work)
    if not len(turns):
        return {}
    stated = sources.store.stated(sources.user, turns, work.query.as_of)
    replaced = {one.turn: one for one in _asked(work, sources, stated) if one.newer is not None}
    if replaced:
        # As far as who asks may see it, whatever else is asked of a hit.
        seen = Filter(
            channels=work.where.channels,
            visible_session=work.where.visible_session,
            any_session=work.where.any_session,
            as_of=work.where.as_of,
        )
        wanted = sorted({one.newer for one in replaced.values() if one.newer is not None})
        newer = {memory.content: memory for memory in sources.store.shown(sources.user, wanted, seen)}
        work.outdated = {
            turn: newer[one.newer]
            for turn, one in replaced.items()
            if one.newer is not None and one.newer in newer
        }
    return {"turns": len(turns), "outdated": len(work.outdated)}


def replacing(work: Work, _: Sources) -> dict[str, object]:
    """What stands in the place of what a turn states is put above it, unless it is asked what held before."""
    if not work.outdated or "own_words" not in work.profile.weights or asks_of_then(work):
        return {}
    if work.where.unexpired_at is None:
        return {}
    contents = work.confirmed.contents
    place = {content: at for at, content in enumerate(contents.tolist())}
    best = work.order[: work.query.k + SPARE].tolist()
    pairs = [
        (at, place[newer.content])
        for at in best
        if (newer := work.outdated.get(int(contents[at]))) is not None and newer.content in place
    ]
    above = [(turn, upper) for turn, upper in pairs if work.scores[upper] < work.scores[turn] + BEHIND]
    if above:
        # What was formed will stand a little behind what was said.
        lift(work, above, "in_place", ahead=BEHIND if "fold" in work.layers and work.found.mixed else 0.0)
        if work.relevance is not None:
            for turn, upper in above:
                work.relevance[upper] = max(work.relevance[upper], work.relevance[turn])
    return {"in_place": len({upper for _, upper in above})}


def _turns(work: Work) -> NDArray[np.int64]:
    """The best hits that somebody said."""
    best = work.order[: work.query.k + SPARE]
    return work.confirmed.contents[best[work.said[best]]]


def _asked(work: Work, sources: Sources, stated: Sequence[Stated]) -> list[Stated]:
    """Of each turn, the statement that is most like the question; none where the turn tells what replaced it, too."""
    told: dict[int, list[Stated]] = {}
    for one in stated:
        told.setdefault(one.turn, []).append(one)
    some = {turn: each for turn, each in told.items() if any(one.newer is not None for one in each)}
    if not some:
        return []
    formed = np.array(sorted({one.formed for each in some.values() for one in each}), np.int64)
    alike = _alike(work, sources, formed)
    found = []
    for each in some.values():
        best = max(each, key=lambda one: alike.get(one.formed, 0.0))
        if best.newer not in {one.formed for one in each}:
            found.append(best)
    return found


def _alike(work: Work, sources: Sources, formed: NDArray[np.int64]) -> dict[int, float]:
    """How like the question statements are; nothing where it has no vector."""
    if work.asked.vector is None:
        return {}
    numbers, vectors = sources.index.vectors(formed)
    return (
        dict(zip(numbers.tolist(), (vectors @ work.asked.vector).tolist(), strict=True))
        if len(numbers)
        else {}
    )
