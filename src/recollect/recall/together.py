"""What came to mind with a better hit again and again comes with it again (C29)."""

from typing import Final

import numpy as np

from recollect.recall.showing import shown
from recollect.recall.tiering import AMONG, DESIGNED_WITH
from recollect.recall.work import Sources, Work

BOOST: Final = 0.05
"""What a score gains beside a better hit that it was recalled with three times or more."""


def together(work: Work, sources: Sources) -> dict[str, object]:
    """The best hits that are related by `recalled_with` to a better one gain a little."""
    if work.profile.name != DESIGNED_WITH and "co_recall" not in work.layers:
        return {}
    places = work.order[: AMONG * work.query.k]
    contents = work.confirmed.contents[places].tolist()
    at = {memory.id: place for place, memory in enumerate(shown(work, sources, contents))}
    then = work.query.as_of
    pairs = {
        (min(at[edge.source], at[edge.target]), max(at[edge.source], at[edge.target]))
        for edge in sources.store.edges(sources.user, sorted(at), ["recalled_with"])
        if edge.source in at
        and edge.target in at
        and (then is None or edge.recorded_at is None or edge.recorded_at <= then)
    }
    lower = sorted({behind for _, behind in pairs})
    lifted = np.zeros(len(work.scores))
    lifted[places[lower]] = BOOST
    work.values = {**work.values, "co_recall": lifted}
    work.profile = work.profile.weighing(co_recall=1.0)
    work.scores = work.scores + lifted
    best = np.lexsort((-work.confirmed.contents[places], -work.scores[places]))
    work.order = np.concatenate([places[best], work.order[len(places) :]])
    return {"lifted": len(lower)}
