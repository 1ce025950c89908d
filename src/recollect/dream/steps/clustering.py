"""Memories that lie close together in meaning belong to one cluster; its node is the theme that tells it."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from recollect.dream.gathering import THEME, Group, groups
from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.model import Edge

IN_CLUSTER = "in_cluster"


def clustering(night: Night) -> Iterator[Proposal]:
    """Puts what is new to a cluster into it, and lets themes go whose memories sleep (G2)."""
    if not night.params.themes:
        return
    edges = [
        Edge(member, theme, IN_CLUSTER)
        for group in clustered(night)
        if (theme := theme_of(night, group)) is not None
        for member in ids(night, group)
        if theme not in _themes(night).get(member, ())
    ]
    for start in range(0, len(edges), night.params.batch):
        yield Proposal(edges=tuple(edges[start : start + night.params.batch]))
    yield from _dissolved(night)


def _dissolved(night: Night) -> Iterator[Proposal]:
    """A theme of which too few memories are awake tells nothing any more."""
    members = Counter(
        theme
        for member, themes in _themes(night).items()
        if (place := night.place(member)) is not None and night.is_current(place)
        for theme in themes
    )
    every = {theme for themes in _themes(night).values() for theme in themes}
    places = [night.place(theme) for theme in every if members[theme] < night.params.cluster]
    gone = np.zeros(len(night.survey), np.bool_)
    gone[[place for place in places if place is not None]] = True
    for batch in night.batches(gone & ~night.protected):
        yield night.sleeping(batch, "dissolved")


def clustered(night: Night) -> list[Group]:
    """The clusters of this night, worked out once."""
    if "groups" not in night.known:
        night.known["groups"] = groups(night)
    found: list[Group] = night.known["groups"]
    return found


def theme_of(night: Night, group: Group) -> str | None:
    """The theme that most of a cluster's memories are in already."""
    known = Counter(theme for member in ids(night, group) for theme in _themes(night).get(member, ()))
    best = known.most_common(1)
    return best[0][0] if best and 2 * best[0][1] >= len(group.places) else None


def ids(night: Night, group: Group) -> list[str]:
    return [night.survey.ids[place] for place in group.places]


def _themes(night: Night) -> dict[str, list[str]]:
    """By memory, the current themes that it is in."""
    if "themes" not in night.known:
        found: dict[str, list[str]] = {}
        for edge in night.store.all_edges(night.user):
            place = night.place(edge.target) if edge.type == IN_CLUSTER else None
            if place is not None and night.is_current(place) and night.survey.kinds[place] == THEME:
                found.setdefault(edge.source, []).append(edge.target)
        night.known["themes"] = found
    themes: dict[str, list[str]] = night.known["themes"]
    return themes
