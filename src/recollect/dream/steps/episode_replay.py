"""Episodes are lived through again: what their goals bring to mind is related to them."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.dream.steps.link_discovery import RELATED, known_pairs
from recollect.model import Edge, Filter, Lane, Memory, State

REPLAYED: Final = 50
"""So many episodes a night at most, the newest ones."""
LINKS: Final = 3
"""So many memories one episode is related to at most."""
EPISODES: Final = Filter(
    lanes=(Lane.LOG,), kinds=("episode",), states=(State.ACTIVE, State.DORMANT), any_session=True
)


def episode_replay(night: Night) -> Iterator[Proposal]:
    """Recalls by its goal what each episode since the last dream was about, and relates both (C44)."""
    if night.resumes:
        return  # all of it is one transaction
    found = night.store.find(night.user, EPISODES, limit=REPLAYED, newest_first=True)
    edges = [
        edge
        for episode in found
        if night.since is None or episode.recorded_at >= night.since
        for edge in _brought_to_mind(night, episode)
    ]
    known = known_pairs(night, [episode.id for episode in found]) if edges else set()
    new = tuple(edge for edge in edges if (edge.source, edge.target) not in known)
    if new:
        yield Proposal(edges=new)


def _brought_to_mind(night: Night, episode: Memory) -> Iterator[Edge]:
    """What the goal brings back and is really like it, the most like it first."""
    places = [place for one in night.recall(episode.text, episode) if (place := night.place(one)) is not None]
    contents = {int(night.survey.contents[place]): place for place in places if night.is_current(place)}
    numbers, vectors = night.store.vectors(
        night.user, np.array(sorted({episode.content, *contents}), np.int64)
    )
    rows = dict(zip(numbers.tolist(), vectors.astype(np.float32), strict=True))
    goal = rows.pop(episode.content, None)
    if goal is None:
        return
    alike = sorted(((float(row @ goal), content) for content, row in rows.items()), reverse=True)
    for similarity, content in alike[:LINKS]:
        if similarity >= night.params.replayed:
            ends = sorted((episode.id, night.survey.ids[contents[content]]))
            yield Edge(ends[0], ends[1], RELATED, round(min(similarity, 1.0), 4))
