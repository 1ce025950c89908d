"""The bank of how things were done: successes in groups, and of each group the one that is most like a question."""

from math import ceil, sqrt

import numpy as np

from recollect.formulas.kmeans import Groups, grouped
from recollect.formulas.pooling import pooled
from recollect.learn.experience import Experience
from recollect.learn.regions import Vector
from recollect.learn.values import Way

SEED = 11
MOST_GROUPS = 64


class ReasoningBank:
    """The successes of some channels, grouped anew when there are more of them."""

    def __init__(self, experience: Experience) -> None:
        self._experience = experience
        self._known: tuple[tuple[str, ...], list[str], Vector, Groups] | None = None

    def ways(self, question: Vector, channels: tuple[str, ...], k: int) -> list[Way]:
        """From the groups that are most like the question, one success each, the most similar first."""
        trails = self._experience.trails(channels)
        if not trails:
            return []
        if self._known is None or self._known[:2] != (channels, list(trails)):
            vectors = np.stack([pooled(self._experience.states(rows)) for rows in trails.values()])
            count = min(MOST_GROUPS, ceil(sqrt(len(trails) / 2)))
            groups = grouped(vectors, count, np.random.default_rng(SEED))
            self._known = (channels, list(trails), vectors, groups)
        _, episodes, vectors, groups = self._known
        similarity = vectors @ question
        found = []
        for group in np.argsort(-(groups.centres @ question), kind="stable")[:k]:
            members = np.flatnonzero(groups.group == group)
            if len(members):
                best = int(members[similarity[members].argmax()])
                found.append(Way(episodes[best], len(members), float(similarity[best])))
        return sorted(found, key=lambda way: -way.similarity)
