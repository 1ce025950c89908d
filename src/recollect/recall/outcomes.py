"""What outcomes taught about each candidate: asked of the store only for the signals that the profile weighs."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.causal import causal_uplift
from recollect.formulas.posterior import usage_success
from recollect.model import Counters
from recollect.recall.evidence import Column
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

REWARD, USAGE, UPLIFT = "reward", "usage_success", "causal_uplift"
SUCCESS, FAILURE = "caused_success", "caused_failure"
"""From what was gone by to the episode that ended so."""


def outcomes(work: Work, sources: Sources, contents: NDArray[np.int64]) -> dict[str, Column]:
    """A column for each of these signals that is weighed: one query for all candidates, not one for each."""
    weighed = {REWARD, USAGE, UPLIFT} & work.profile.weights.keys()
    if not weighed or not len(contents):
        return {name: np.zeros(len(contents)) for name in weighed}
    ids = [memory.id for memory in shown(work, sources, contents.tolist())]
    found: dict[str, Column] = {}
    if weighed & {REWARD, USAGE}:
        known = sources.store.counters(sources.user, ids)
        counters = [known.get(one, Counters()) for one in ids]
        wins = np.array([one.wins for one in counters])
        found[REWARD] = np.array([one.reward for one in counters])
        found[USAGE] = usage_success(wins, wins + [one.losses for one in counters])
    if UPLIFT in weighed:
        found[UPLIFT] = _uplift(work, sources, ids)
    return {name: found[name] for name in weighed}


def _uplift(work: Work, sources: Sources, ids: Sequence[str]) -> Column:
    """By the episodes that each was gone by in, as far as they had ended at the moment that is asked about."""
    ended, then = Counter[tuple[str, str]](), work.query.as_of
    for edge in sources.store.edges(sources.user, ids, (SUCCESS, FAILURE), ends=("source",)):
        if then is None or edge.recorded_at is None or edge.recorded_at <= then:
            ended[edge.source, edge.type] += 1
    wins, losses = (np.array([ended[one, kind] for one in ids], np.float64) for kind in (SUCCESS, FAILURE))
    return causal_uplift(wins, wins + losses, sources.usual_success)
