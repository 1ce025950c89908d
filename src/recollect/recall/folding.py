"""A turn and what was formed from it say the same: they take one place among the hits.

With memories formed from every message, recall@10 falls by two points on LoCoMo without it. A store of turns alone, or
of memories alone, is not touched.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from recollect.model import Lane, Memory
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

SPARE = 15
"""Among so many more than are asked for: twice as many find the same on LoCoMo and BEAM."""
LITTLE_MORE = 2.0
"""A turn that is up to so many times as long says little more than the memory above it."""
BEHIND = 0.1
"""What was formed stands so far behind what was said: a turn answers with everything around it."""


def fold(work: Work, sources: Sources) -> dict[str, object]:
    """Leaves out a memory below the turns that it comes from, and a short turn below its memory."""
    # A document's formula ranks as the document says.
    if not work.found.mixed or "own_words" not in work.profile.weights:
        return {}
    some, rest = np.split(work.order, [work.query.k + SPARE])
    contents = work.confirmed.contents[some].tolist()
    formed = np.zeros(len(work.scores))
    formed[some] = [_is_formed(memory) for memory in shown(work, sources, contents)]
    if not formed.any():
        return {"folded": 0}
    work.values = {**work.values, "formed": formed}
    work.profile = work.profile.weighing(formed=-BEHIND)
    work.scores = work.scores - BEHIND * formed
    # What was equal stays in its order.
    some = some[np.argsort(-np.round(work.scores[some], 12), kind="stable")]
    ranked = shown(work, sources, work.confirmed.contents[some].tolist())
    kept = np.fromiter(_kept(ranked), np.bool_, len(ranked))
    work.order = np.concatenate([some[kept], rest])
    return {"folded": int(np.count_nonzero(~kept))}


def _is_formed(memory: Memory) -> bool:
    return memory.lane is Lane.MEMORY and memory.origin.write_source == "observer"


def _kept(ranked: Sequence[Memory]) -> Iterator[bool]:
    """Of each, best first, whether it says something that none above it says."""
    turns: set[str] = set()
    longest: dict[str, int] = {}
    """By turn, the length of the longest memory of it so far."""
    for memory in ranked:
        if not _is_formed(memory):
            turns.add(memory.id)
            yield len(memory.text) > LITTLE_MORE * longest.get(memory.id, 0)
        else:
            yield not (memory.origin.sources and turns.issuperset(memory.origin.sources))
            for turn in memory.origin.sources:
                longest[turn] = max(longest.get(turn, 0), len(memory.text))
