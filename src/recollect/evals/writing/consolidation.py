"""Facts in order: what a later one replaces is superseded, and nothing else is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from recollect.evals.measuring import Watch
from recollect.evals.sets import consolidation
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import KEPT, MEMORIES, share, trial
from recollect.ports import Embedder

TOLD_AT_ONCE: Final = 50


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Of the facts that a later one replaces, the share that is superseded; and of the others."""
    counts = np.zeros(5, np.int64)
    for telling in consolidation.read(path):
        facts = telling.facts[:limit]
        with watch(f"telling {telling.name}") as heard:
            formed, ours = _superseded(facts, embedder, heard)
        gone = consolidation.replaced(facts)
        counts += (len(facts), formed, len(gone), len(gone & ours), len(ours - gone))
    facts_told, formed, replaced, right, wrong = counts.tolist()
    return {
        "consolidation_facts": facts_told,
        "consolidation_formed": share(formed, facts_told),
        "consolidation_replaced": replaced,
        "consolidation_replaced_superseded": share(right, replaced),
        "consolidation_kept_superseded": share(wrong, facts_told - replaced),
    }


def _superseded(facts: Sequence[str], embedder: Embedder, heard: Any) -> tuple[int, set[int]]:
    """How many facts became memories, and which were superseded when all were told."""
    clock, ids = Moving(), dict[int, list[str]]()
    with trial(embedder, clock) as memory:
        for start in range(0, len(facts), TOLD_AT_ONCE):
            told = [
                {"role": "user", "content": fact, "timestamp": clock.follow(None)}
                for fact in facts[start : start + TOLD_AT_ONCE]
            ]
            for place, turn in enumerate(memory.observe(told), start):
                ids[place] = [one.id for one in turn.formed if one.id and one.action in KEPT]
            if heard is not None:
                heard(len(ids), len(facts))
        ended = {m.id for m in memory.list(MEMORIES, limit=None) if m.superseded_by is not None}
    formed = {place for place, own in ids.items() if own}
    return len(formed), {place for place in formed if ended.issuperset(ids[place])}
