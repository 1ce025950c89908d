"""How good an episode was, read from what came after it: nothing of it is stored, so that it is never out of date."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import numpy as np

from recollect.formulas.quality import Quality, quality
from recollect.learn.trajectories import EPISODES
from recollect.learn.values import OUTCOME, Episode
from recollect.model import Counters, Memory, Record
from recollect.ports import Store

RELATED: Final = 0.6
"""Goals whose vectors are so alike are about the same."""
RIGHT_AFTER: Final = timedelta(minutes=30)
"""A try at the same goal that begins so soon after the end of one says that it was not what was wanted."""
LOOKED_AT: Final = 500
"""So many episodes that came after it."""


def quality_of(store: Store, user: str, episode: Episode) -> Quality | None:
    """None where it is still open."""
    outcome = store.record(user, OUTCOME, episode.id)
    own = store.get(user, episode.id)
    if outcome is None or own is None:
        return None
    where = replace(EPISODES, channels=(episode.channel,))
    later = store.find(user, where, limit=LOOKED_AT, after=episode.id)
    related = _related(store, user, own, later)
    retries = [one for one in related if _retries(one, own, outcome)]
    others = [one for one in related if one not in retries]
    return quality(
        success=bool(outcome.value["success"]),
        approved=store.counters(user, [own.id]).get(own.id, Counters()).wins > 0,
        retried=bool(retries),
        followed_by_success=any(_succeeded(store, user, one) for one in others),
    )


def _retries(later: Memory, own: Memory, outcome: Record) -> bool:
    return later.origin.session == own.origin.session and later.valid_from - outcome.updated_at <= RIGHT_AFTER


def _succeeded(store: Store, user: str, episode: Memory) -> bool:
    outcome = store.record(user, OUTCOME, episode.id)
    return outcome is not None and bool(outcome.value["success"])


def _related(store: Store, user: str, own: Memory, later: Sequence[Memory]) -> list[Memory]:
    contents = np.array([own.content, *(one.content for one in later)], np.int64)
    numbers, found = store.vectors(user, np.sort(contents))
    vectors = dict(zip(numbers.tolist(), found.astype(np.float32), strict=True))
    goal = vectors.get(own.content)
    if goal is None:
        return []
    return [one for one in later if one.content in vectors and float(vectors[one.content] @ goal) >= RELATED]
