"""Memories that belong together: dense groups by meaning, and all of one kind."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from recollect.dream.night import Night, Places
from recollect.formulas.clusters import ALONE, clusters

THEME, PATTERN, SUMMARY, HISTORY = "theme", "pattern", "summary", "history"
DREAMT: Final = frozenset({THEME, PATTERN, SUMMARY, HISTORY})
"""The kinds of memory that dreams make: they are not gathered themselves."""


@dataclass(frozen=True, slots=True)
class Group:
    """Memories of one channel that belong together, the most telling first."""

    channel: str
    places: tuple[int, ...]
    entities: tuple[str, ...] = ()
    """Which ones most of them name."""


def groups(night: Night) -> list[Group]:
    """The clusters of each channel's newest memories by meaning, the largest first."""
    found = [group for channel in _channels(night) for group in _clustered(night, channel)]
    return sorted(found, key=lambda group: (-len(group.places), night.survey.ids[group.places[0]]))


def kinds(night: Night, least: int) -> list[tuple[str, Group]]:
    """The kinds of which a channel has so many memories, with these, the most important first."""
    seen = night.survey
    found = []
    for channel in _channels(night):
        places = _gathered(night, channel)
        for kind, count in sorted(Counter(seen.kinds[places].tolist()).items()):
            if count >= least:
                mine = places[seen.kinds[places] == kind]
                order = np.lexsort((-seen.contents[mine], -seen.utility[mine], -seen.importance[mine]))
                found.append((kind, Group(channel, tuple(mine[order].tolist()), _named(night, mine))))
    return found


def _channels(night: Night) -> list[str]:
    return sorted(set(night.survey.channels[night.current].tolist()))


def _gathered(night: Night, channel: str) -> Places:
    """What a channel's memories are gathered from: not what one session alone sees."""
    seen = night.survey
    made = np.isin(seen.kinds.astype(str), list(DREAMT))
    shared = np.fromiter((session is None for session in seen.sessions), np.bool_, len(seen))
    return np.flatnonzero(night.current & (seen.channels == channel) & shared & ~made)


def _clustered(night: Night, channel: str) -> list[Group]:
    seen = night.survey
    places = _gathered(night, channel)
    places = places[np.argsort(seen.contents[places])][-night.params.clustered :]
    contents, vectors = night.store.vectors(night.user, seen.contents[places])
    places = places[np.isin(seen.contents[places], contents)]
    if not len(places):
        return []
    rows = vectors.astype(np.float64)
    labels = clusters(rows, night.params.cluster)
    found = []
    for label in range(int(labels.max()) + 1 if labels.max() > ALONE else 0):
        mine = labels == label
        centre = rows[mine].mean(axis=0)
        central = np.argsort(-(rows[mine] @ centre), kind="stable")
        found.append(Group(channel, tuple(places[mine][central].tolist()), _named(night, places[mine])))
    return found


def _named(night: Night, places: Places) -> tuple[str, ...]:
    """The entities that at least half of the memories at these places name, the most common first."""
    named = Counter(entity for place in places.tolist() for entity in set(night.survey.entities[place]))
    return tuple(entity for entity, count in named.most_common(3) if 2 * count >= len(places))
