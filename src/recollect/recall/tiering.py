"""What the user said themselves, and rules, count for a little more than the rest (C33)."""

from typing import Final

import numpy as np

from recollect.language.sub_tiers import BOOSTS, sub_tier
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

AMONG: Final = 3
"""So many times as many as are asked for may change places."""
DESIGNED_WITH: Final = "cognitive"
"""The document's formula has it; elsewhere it is a layer."""


def tiers(work: Work, sources: Sources) -> dict[str, object]:
    """The best hits' scores times the boost of their sub-tiers, and their order by that."""
    if work.profile.name != DESIGNED_WITH and "sub_tiers" not in work.layers:
        return {}
    places = work.order[: AMONG * work.query.k]
    contents = work.confirmed.contents[places].tolist()
    boosts = np.array([BOOSTS[sub_tier(memory)] for memory in shown(work, sources, contents)])
    lifted = np.zeros(len(work.scores))
    lifted[places] = work.scores[places] * (boosts - 1.0)
    work.values = {**work.values, "sub_tier": lifted}
    work.profile = work.profile.weighing(sub_tier=1.0)
    work.scores = work.scores + lifted
    # Those further below were not looked at: they stay where they were.
    best = np.lexsort((-work.confirmed.contents[places], -work.scores[places]))
    work.order = np.concatenate([places[best], work.order[len(places) :]])
    return {"boosted": int(np.count_nonzero(boosts != 1.0))}
