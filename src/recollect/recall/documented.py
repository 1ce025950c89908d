"""Signals that only the documents' formulas weigh."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from recollect.formulas.recency import half_life, recency_boost
from recollect.recall.evidence import Column, Evidence, age_days, idle_days, similarity

FACT_HALF_LIFE_DAYS = 30.0


def episodic(evidence: Evidence) -> Column:
    """Similarity, of what was said."""
    return similarity(evidence) * evidence.members["episodic"]


def procedural(evidence: Evidence) -> Column:
    """Similarity, of procedures and strategies."""
    return similarity(evidence) * evidence.members["procedural"]


def entities(evidence: Evidence) -> Column:
    """Similarity, of what is known about a person or a thing."""
    return similarity(evidence) * evidence.members["entities"]


def facts(evidence: Evidence) -> Column:
    """Similarity, of every other memory."""
    said, procedures, entities = (evidence.members[name] for name in ("episodic", "procedural", "entities"))
    return similarity(evidence) * np.clip(1.0 - said - procedures - entities, 0.0, 1.0)


def slow_recency(evidence: Evidence) -> Column:
    """e^(−.01 · days), as the probabilistic design has it."""
    return np.exp(-0.01 * age_days(evidence))


def trusted_similarity(evidence: Evidence) -> Column:
    """Similarity · recency boost · decayed confidence, as the graph design has it: a product, cut to 1."""
    uses = evidence.accesses.counts
    trust = (
        evidence.columns.confidence
        * half_life(age_days(evidence), FACT_HALF_LIFE_DAYS)
        * (1.0 + 0.1 * np.log1p(uses))
    )
    boost = recency_boost(idle_days(evidence) * 24) / 1.5
    return similarity(evidence) * boost * np.minimum(trust, 1.0)


def reward(evidence: Evidence) -> Column:
    """What is left of its reward: 1 until a failure takes from it."""
    return evidence.outcomes["reward"]


def usage_success(evidence: Evidence) -> Column:
    """How often it went well when it was gone by, as a Beta posterior: a half where nobody did."""
    return evidence.outcomes["usage_success"]


def causal_uplift(evidence: Evidence) -> Column:
    """By how much the episodes that went by it did better than episodes usually do, −1 to 1."""
    return evidence.outcomes["causal_uplift"]


def latency(evidence: Evidence) -> Column:
    """How long the episodes that went by it took, 0 to 1: a half for a minute; 0 where nobody did."""
    return evidence.outcomes["latency"]


def not_asked(evidence: Evidence) -> Column:
    """0: a question names no task and lies in no region, a situation does (`decide`); the weight stands as written."""
    return np.zeros(len(evidence.columns.contents))


DOCUMENTED: Mapping[str, Callable[[Evidence], Column]] = MappingProxyType(
    {
        "episodic": episodic,
        "facts": facts,
        "entities": entities,
        "procedural": procedural,
        "slow_recency": slow_recency,
        "trusted_similarity": trusted_similarity,
        "reward": reward,
        "usage_success": usage_success,
        "same_region": not_asked,
        "same_task": not_asked,
        "causal_uplift": causal_uplift,
        "latency": latency,
    }
)
