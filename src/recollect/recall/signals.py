"""The signals: each a named column over the candidates, computed once, whatever the profile."""

from collections.abc import Callable
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.activation import activation
from recollect.formulas.fusion import ranks, reciprocal_rank
from recollect.formulas.ordered import distinct
from recollect.formulas.recency import half_life, recency_boost
from recollect.recall.documented import DOCUMENTED
from recollect.recall.evidence import Column, Evidence, age_days, idle_days, similarity

RECENCY_HALF_LIFE_DAYS = 30.0
SESSIONS_TO_TELL_APART = 20
FEW_CANDIDATES = 20


def _part_of_best(column: Column) -> Column:
    best = column.max(initial=0.0)
    return column / best if best > 0 else np.zeros_like(column)


def stretched(column: Column, said: NDArray[np.bool_]) -> Column:
    """From 0, the least of the candidates, to 1, the best.

    Of few candidates the least may be nearly as good as the best, so that 0 is then nothing at all. Memories have no
    neighbours, which makes less of them: beside turns, 0 is the least of the turns.
    """
    if not len(column):
        return column
    least, best = (column[said] if said.any() else column).min(), column.max()
    if len(column) < FEW_CANDIDATES:
        least = min(least, 0.0)
    return np.maximum(column - least, 0.0) / (best - least) if best > least else np.zeros_like(column)


def meaning(evidence: Evidence) -> Column:
    """Mean-centred cosine, from the least of the candidates to the best: what it alone is about."""
    known = np.isfinite(evidence.centred)
    least = evidence.centred[known].min() if known.any() else 0.0
    return stretched(np.where(known, evidence.centred, least), evidence.said)


def words(evidence: Evidence) -> Column:
    """BM25 as a part of the best one, so that a memory without a matching word has 0."""
    return _part_of_best(evidence.text)


def words_nearby(evidence: Evidence) -> Column:
    """BM25 with the neighbouring turns' words, from the least of the candidates to the best."""
    return stretched(evidence.text_nearby, evidence.said)


def session_words(evidence: Evidence) -> Column:
    """How well its whole session answers; the more sessions there are to tell apart, the more it counts."""
    sessions = len(distinct(evidence.session_text[evidence.session_text > 0]))
    return stretched(evidence.session_text, evidence.said) * min(
        1.0, max(sessions - 1, 0) / SESSIONS_TO_TELL_APART
    )


def matched_words(evidence: Evidence) -> Column:
    """How much of the question its own words cover, matched one by one by their vectors."""
    return stretched(evidence.covered, evidence.said)


def matched_nearby(evidence: Evidence) -> Column:
    """The same, where a word may also be matched in a neighbouring turn."""
    return stretched(evidence.covered_nearby, evidence.said)


def own_words(evidence: Evidence) -> Column:
    """1 where the asker, of whom the question speaks, said it or had it remembered."""
    return evidence.own


def linked(evidence: Evidence) -> Column:
    """The score of a hit that names it by its title."""
    return evidence.linked


def shared_names(evidence: Evidence) -> Column:
    """How much a hit leads there by a name that few texts have, and how much more of the question it covers."""
    return evidence.shared


def _spread_by(signal: str) -> Callable[[Evidence], Column]:
    def reached(evidence: Evidence) -> Column:
        return evidence.spread.get(signal, np.zeros(len(evidence.columns.contents)))

    return reached


def period(evidence: Evidence) -> Column:
    """1 where it is of the time that the question names."""
    return evidence.in_period


def lately(evidence: Evidence) -> Column:
    """How few days came after it, where the question goes on with a conversation."""
    return evidence.lately


def fused_rank(evidence: Evidence) -> Column:
    """Reciprocal rank fusion of the two searches (K = 60), scaled so that first in both is 1."""
    fused = np.zeros(len(evidence.text))
    for column in (evidence.similarity, evidence.text):
        found = np.isfinite(column) & (column > 0)
        fused[found] += reciprocal_rank(ranks(column[found]))
    return fused / (2 * float(reciprocal_rank(0)))


def base_activation(evidence: Evidence) -> Column:
    """ACT-R: used often and lately."""
    return activation(evidence.accesses.counts, idle_days(evidence) * 86_400)


def recency(evidence: Evidence) -> Column:
    """Half after thirty days."""
    return half_life(age_days(evidence), RECENCY_HALF_LIFE_DAYS)


def freshness(evidence: Evidence) -> Column:
    """How lately it was used: 0 to 1, gone in days."""
    return (recency_boost(idle_days(evidence) * 24) - 1.0) / 0.5


def importance(evidence: Evidence) -> Column:
    """As judged when it was written."""
    return evidence.columns.importance


def confidence(evidence: Evidence) -> Column:
    """How far its source is trusted."""
    return evidence.columns.confidence


def doubt(evidence: Evidence) -> Column:
    """1 where the source is trusted less than 0.3: such memories stand behind (C25)."""
    return (evidence.columns.confidence < 0.3).astype(np.float64)


def same_session(evidence: Evidence) -> Column:
    """1 where it was said in the session that asks."""
    return evidence.members["same_session"]


def in_season(evidence: Evidence) -> Column:
    """1 where it is of the season that the asker names."""
    return evidence.members["in_season"]


def category(evidence: Evidence) -> Column:
    """1 where it is of a category that the question is after."""
    return evidence.members["category"]


SIGNALS: MappingProxyType[str, Callable[[Evidence], Column]] = MappingProxyType(
    {
        "similarity": similarity,
        "meaning": meaning,
        "words": words,
        "words_nearby": words_nearby,
        "session_words": session_words,
        "matched_words": matched_words,
        "matched_nearby": matched_nearby,
        "own_words": own_words,
        "linked": linked,
        "shared_names": shared_names,
        "cascade": _spread_by("cascade"),
        "pagerank": _spread_by("pagerank"),
        "hub": _spread_by("hub"),
        "edge_boost": _spread_by("edge_boost"),
        "level": _spread_by("level"),
        "hierarchy": _spread_by("hierarchy"),
        "period": period,
        "lately": lately,
        "fused_rank": fused_rank,
        "activation": base_activation,
        "recency": recency,
        "freshness": freshness,
        "importance": importance,
        "confidence": confidence,
        "doubt": doubt,
        "same_session": same_session,
        "in_season": in_season,
        "category": category,
        **DOCUMENTED,
    }
)
ACCESSED = frozenset({"activation", "freshness", "trusted_similarity"})
"""Those that ask how often and when last something was recalled."""
