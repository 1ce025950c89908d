"""What came since the last dream beside the few memories that are closest to it."""

from collections import Counter
from typing import Final

import numpy as np

from recollect.dream.likeness import Likeness, Pair
from recollect.dream.night import Flags, Night, Places
from recollect.model import Memory, microseconds

NEIGHBOURS: Final = 5
"""So many of the closest ones each is compared with."""


def fresh(night: Night) -> Flags:
    """What came since the last dream; in the first one, the newest that a night can compare."""
    seen = night.survey
    if night.since is not None:
        return seen.began_at > microseconds(night.since)
    newest = np.zeros(len(seen), np.bool_)
    newest[np.argsort(-seen.contents)[: night.params.compared]] = True
    return newest


def newest(night: Night) -> Places:
    """The places of what is fresh and current, as many of the newest as a night can compare."""
    places = np.flatnonzero(night.current & fresh(night))
    order = np.argsort(-night.survey.contents[places])[: night.params.compared]
    return np.sort(places[order])


def close(night: Night) -> list[Pair]:
    """Each of the newest with those that are closest to it, the most similar pairs first.

    Worked out again only where an earlier step changed what is current, so that it is the same for a dream that
    was interrupted in between.
    """
    places = newest(night)
    key = f"close to {len(places)} of {int(night.current.sum())}"
    if key not in night.known:
        night.known[key] = _closest(night, places)
    found: list[Pair] = night.known[key]
    return found


def _closest(night: Night, places: Places) -> list[Pair]:
    found: list[Pair] = []
    for pairs in Likeness(night).of(places, night.params.close):
        # Of those read so far the closest are kept, so that a store of near duplicates does not fill the memory.
        found = _nearest(night, [*found, *pairs])
    return found


def _nearest(night: Night, pairs: list[Pair]) -> list[Pair]:
    kept: list[Pair] = []
    count: Counter[int] = Counter()
    contents = night.survey.contents
    for one in sorted(pairs, key=lambda pair: (-pair[2], int(contents[pair[0]]), int(contents[pair[1]]))):
        if count[one[0]] < NEIGHBOURS:
            kept.append(one)
            count[one[0]] += 1
    return kept


def by_age(night: Night, pair: Pair) -> tuple[Memory, Memory] | None:
    """The older and the newer of two as they are now; None where one sleeps or was replaced."""
    if not all(map(night.is_current, pair[:2])):
        return None
    one, other = (night.store.get(night.user, night.survey.ids[place]) for place in pair[:2])
    if one is None or other is None:
        return None
    older, newer = sorted((one, other), key=lambda memory: (memory.valid_from, memory.id))
    return older, newer
