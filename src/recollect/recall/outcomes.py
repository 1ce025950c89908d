"""What outcomes taught about each candidate: asked of the store only for the signals that the profile weighs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.causal import causal_uplift, slowness
from recollect.formulas.posterior import usage_success
from recollect.model import Counters, Edge, Filter, State
from recollect.recall.evidence import Column
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

REWARD, USAGE, UPLIFT, LATENCY = "reward", "usage_success", "causal_uplift", "latency"
COUNTED, CAUSAL = frozenset({REWARD, USAGE}), frozenset({UPLIFT, LATENCY})
"""Those that counters tell, and those that edges tell."""
SUCCESS, FAILURE = "caused_success", "caused_failure"
"""From what was gone by to the episode that ended so."""


def outcomes(work: Work, sources: Sources, contents: NDArray[np.int64]) -> dict[str, Column]:
    """A column for each of these signals that is weighed; each query is for all candidates at once."""
    weighed = (COUNTED | CAUSAL) & work.profile.weights.keys()
    if not weighed or not len(contents):
        return {name: np.zeros(len(contents)) for name in weighed}
    ids = [memory.id for memory in shown(work, sources, contents.tolist())]
    found: dict[str, Column] = {}
    if weighed & COUNTED:
        known = sources.store.counters(sources.user, ids)
        counters = [known.get(one, Counters()) for one in ids]
        wins = np.array([one.wins for one in counters])
        found[REWARD] = np.array([one.reward for one in counters])
        found[USAGE] = usage_success(wins, wins + [one.losses for one in counters])
    if weighed & CAUSAL:
        gone_by = _gone_by(work, sources, ids)
        wins, uses = (_counted(ids, gone_by, kinds) for kinds in ((SUCCESS,), (SUCCESS, FAILURE)))
        found[UPLIFT] = causal_uplift(wins, uses, sources.usual_success)
        if LATENCY in weighed:
            found[LATENCY] = _latency(sources, ids, gone_by)
    return {name: found[name] for name in weighed}


def _gone_by(work: Work, sources: Sources, ids: Sequence[str]) -> dict[str, list[Edge]]:
    """The episodes that each was gone by in, as far as they had ended at the moment that is asked about."""
    then, found = work.query.as_of, defaultdict(list)
    for edge in sources.store.edges(sources.user, ids, (SUCCESS, FAILURE), ends=("source",)):
        if then is None or edge.recorded_at is None or edge.recorded_at <= then:
            found[edge.source].append(edge)
    return found


def _counted(ids: Sequence[str], gone_by: Mapping[str, Sequence[Edge]], kinds: Sequence[str]) -> Column:
    return np.array([sum(edge.type in kinds for edge in gone_by.get(one, ())) for one in ids], np.float64)


def _latency(sources: Sources, ids: Sequence[str], gone_by: Mapping[str, Sequence[Edge]]) -> Column:
    """How long those episodes took, on average: from their start to the edge, which was written with their end."""
    episodes = tuple({edge.target for edges in gone_by.values() for edge in edges})
    where = Filter(ids=episodes, states=(State.ACTIVE, State.DORMANT), any_session=True)
    begun = {one.id: one.valid_from for one in sources.store.find(sources.user, where)} if episodes else {}
    took = [
        [
            slowness(max((edge.recorded_at - begun[edge.target]).total_seconds(), 0.0))
            for edge in gone_by.get(one, ())
            if edge.recorded_at is not None and edge.target in begun
        ]
        for one in ids
    ]
    return np.array([sum(some) / len(some) if some else 0.0 for some in took])
