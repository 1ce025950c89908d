"""Memories that have proved themselves become knowledge; knowledge that is of no use to anybody sleeps."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from recollect.dream.night import Flags, Night
from recollect.dream.proposal import Proposal
from recollect.formulas.tiers import converging, demoted, long_useful, often_used

EPISODIC, SEMANTIC = "episodic", "semantic"


def promotion(night: Night) -> Iterator[Proposal]:
    """Promotes by use, by utility, by converging evidence; demotes what is idle and useless (C31)."""
    yield from _promoted(night)
    yield from _demoted(night)


def _promoted(night: Night) -> Iterator[Proposal]:
    seen, tiers = night.survey, night.params.tiers
    by_rule = {
        "access frequency": often_used(seen.access_count, tiers),
        "sustained utility": long_useful(seen.utility, night.age_days, tiers),
        "entity co-occurrence": converging(_sharing(night), tiers),
    }
    # Pinned and immutable ones stay where they are, by design.
    able = night.current & (seen.tiers == EPISODIC) & ~seen.pinned & ~seen.immutable
    for places in night.batches(able & np.logical_or.reduce([*by_rule.values()])):
        rules = [next(rule for rule, holds in by_rule.items() if holds[place]) for place in places.tolist()]
        yield night.counted(places, rules, tier=[SEMANTIC] * len(places))


def _demoted(night: Night) -> Iterator[Proposal]:
    seen = night.survey
    idle = demoted(night.idle_days, seen.utility, night.params.tiers)
    for places in night.batches(idle & (seen.tiers == SEMANTIC) & ~night.protected):
        yield night.sleeping(places, "demotion")


def _sharing(night: Night) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """For each memory, how many episodic ones of its channel name the entity that most of them share with it."""
    seen, params = night.survey, night.params
    episodic: Flags = night.current & (seen.tiers == EPISODIC)
    places = np.flatnonzero(episodic).tolist()
    named = Counter(
        (seen.channels[place], entity) for place in places for entity in set(seen.entities[place])
    )
    in_channel = Counter(seen.channels[place] for place in places)
    # What nearly every memory names, such as the user, is no evidence for anything.
    common = {
        (channel, entity)
        for (channel, entity), count in named.items()
        if in_channel[channel] > params.few_memories and count > params.common_entity * in_channel[channel]
    }
    sharing = np.zeros(len(seen), np.int64)
    for place in places:
        keys = [(seen.channels[place], entity) for entity in seen.entities[place]]
        sharing[place] = max((named[key] for key in keys if key not in common), default=0)
    return sharing
