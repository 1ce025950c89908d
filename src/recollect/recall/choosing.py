"""Which of the ranked candidates are shown: none that repeats a better one, not too many of one session."""

from collections import Counter

import numpy as np

from recollect.formulas.diversity import mmr
from recollect.formulas.fusion import min_max
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

POOL = 3
"""Of so many times as many as are asked for, the most diverse are chosen."""
LAMBDA = 0.7


def relevant(work: Work, _: Sources) -> dict[str, object]:
    """Whoever asks for a relevance gets what is likely about the question, and nothing else (C26)."""
    least = work.query.min_relevance
    if least is None or work.relevance is None:
        return {}
    kept = work.order[work.relevance[work.order] >= least]
    left_out = len(work.order) - len(kept)
    work.order = kept
    return {"left_out": left_out}


def diversity(work: Work, sources: Sources) -> dict[str, object]:
    """What repeats a better hit stands back: maximal marginal relevance (C15)."""
    pool = work.order[: POOL * work.query.k]
    if len(pool) < 3:
        return {}
    contents = work.confirmed.contents[pool]
    numbers, vectors = sources.store.vectors(sources.user, np.sort(contents))
    if not len(numbers):
        return {}
    # What has no vector is like nothing.
    at = np.searchsorted(numbers, contents)
    at[at == len(numbers)] = 0
    own = np.where((numbers[at] == contents)[:, None], vectors[at].astype(np.float32), 0.0)
    alike = np.clip(own @ own.T, 0.0, 1.0)
    chosen = mmr(min_max(work.scores[pool]), alike, len(pool), LAMBDA)
    seen = min(work.query.k, len(pool))
    work.order = np.concatenate([pool[chosen], work.order[len(pool) :]])
    return {"brought_in": len(set(chosen[:seen].tolist()) - set(range(seen)))}


def cap(work: Work, sources: Sources) -> dict[str, object]:
    """At most so many hits of one session; what belongs to none is not counted."""
    most = work.query.per_session
    if most is None:
        return {}
    contents = work.confirmed.contents[work.order].tolist()
    taken: Counter[str] = Counter()
    kept = []
    for place, memory in zip(work.order.tolist(), shown(work, sources, contents), strict=True):
        name = memory.origin.session
        if name is not None:
            taken[name] += 1
        if name is None or taken[name] <= most:
            kept.append(place)
    passed = len(work.order) - len(kept)
    work.order = np.array(kept, np.intp)
    return {"per_session": most, "passed_over": passed}
