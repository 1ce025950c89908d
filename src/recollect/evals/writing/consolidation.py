"""Facts in order: what a later one replaces is superseded, nothing else is, and neither is told as if it held."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from recollect.engine import Recollect
from recollect.evals.measuring import Watch
from recollect.evals.sets import consolidation
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import KEPT, MEMORIES, share, trial
from recollect.ports import Embedder

TOLD_AT_ONCE: Final = 50
ASKED: Final = 200
"""So many replacements of each telling are asked about."""


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Of the facts that a later one replaces, the share that is superseded; and of the others; and what is answered.

    Asked is for what both facts begin with. Who asks must see the newer one first, and of the turn that told the older
    one, where it is among the hits, that it was replaced.
    """
    counts = np.zeros(8, np.int64)
    for telling in consolidation.read(path):
        facts = telling.facts[:limit]
        with watch(f"telling {telling.name}") as heard:
            formed, ours, answered = _superseded(facts, embedder, heard)
        gone = consolidation.replaced(facts)
        counts += (len(facts), formed, len(gone), len(gone & ours), len(ours - gone), *answered)
    facts_told, formed, replaced, right, wrong, asked, first, stale = counts.tolist()
    return {
        "consolidation_facts": facts_told,
        "consolidation_formed": share(formed, facts_told),
        "consolidation_replaced": replaced,
        "consolidation_replaced_superseded": share(right, replaced),
        "consolidation_kept_superseded": share(wrong, facts_told - replaced),
        "consolidation_asked": asked,
        "consolidation_newer_first": share(first, asked),
        "consolidation_stale_untold": share(stale, asked),
    }


class Answered(NamedTuple):
    """How many replacements were asked about, of how many the newer came first, and of how many the older as if it held."""

    asked: int
    newer_first: int
    stale_untold: int


def _superseded(facts: Sequence[str], embedder: Embedder, heard: Any) -> tuple[int, set[int], Answered]:
    """How many facts became memories, which were superseded when all were told, and what is answered then."""
    clock, ids, turns = Moving(), dict[int, list[str]](), dict[int, str]()
    with trial(embedder, clock) as memory:
        for start in range(0, len(facts), TOLD_AT_ONCE):
            told = [
                {"role": "user", "content": fact, "timestamp": clock.follow(None)}
                for fact in facts[start : start + TOLD_AT_ONCE]
            ]
            for place, turn in enumerate(memory.observe(told), start):
                ids[place] = [one.id for one in turn.formed if one.id and one.action in KEPT]
                turns[place] = turn.id or ""
            if heard is not None:
                heard(len(ids), len(facts))
        ended = {m.id for m in memory.list(MEMORIES, limit=None) if m.superseded_by is not None}
        answered = _answered(memory, facts, ids, turns)
    formed = {place for place, own in ids.items() if own}
    return len(formed), {place for place in formed if ended.issuperset(ids[place])}, answered


def _answered(
    memory: Recollect, facts: Sequence[str], ids: Mapping[int, Sequence[str]], turns: Mapping[int, str]
) -> Answered:
    """What comes back, and in which order, when it is asked what both facts are about."""
    asked = consolidation.replacements(facts)
    asked = asked[:: max(len(asked) // ASKED, 1)][:ASKED]
    first = stale = 0
    for one in asked:
        hits = {hit.id: hit for hit in memory.recall(one.about, learn=False)}
        standing = [*hits]
        older, newer = (
            min((standing.index(each) for each in (turns[at], *ids[at]) if each in hits), default=len(hits))
            for at in (one.older, one.newer)
        )
        first += newer < older
        stale += turns[one.older] in hits and hits[turns[one.older]].replaced_by is None
    return Answered(len(asked), first, stale)
