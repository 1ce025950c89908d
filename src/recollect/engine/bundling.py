"""The verb that brings everything that helps with a question at once, part by part."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from recollect.engine.portraying import Portraying
from recollect.engine.pursuing import Pursuing
from recollect.model import GLOBAL_CHANNEL, Lane
from recollect.recall.hits import Hit

if TYPE_CHECKING:
    from recollect.working.goals import Goal
    from recollect.working.portrait import Portrait

PROFILE: Final = "agentx"
"""The weights of the document that asks for a bundle: turns .3, facts .25, entities .2, procedures .15, recency .1."""
STRATEGIES: Final = ("procedure", "skill", "strategy", "warning")
ELSEWHERE: Final = frozenset({*STRATEGIES, "goal", "intention"})
"""Kinds of memory that have a part of their own, or a verb."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that the hits name, and how much of their scores is about it."""

    id: str
    weight: float
    memories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """What helps with a question: what was said, what is known, how it is done, what it is for, and for whom."""

    query: str
    episodic: tuple[Hit, ...]
    facts: tuple[Hit, ...]
    strategies: tuple[Hit, ...]
    entities: tuple[Named, ...]
    goals: "tuple[Goal, ...]"
    portrait: "Portrait"


class Bundling(Portraying, Pursuing):
    """Bundle."""

    def bundle(
        self,
        question: str,
        k: int = 5,
        *,
        channel: str | None = None,
        session: str | None = None,
        learn: bool = True,
        profile: str = PROFILE,
    ) -> Bundle:
        """What helps with a question, in parts, at most `k` of each, and the user's portrait.

        Turns, facts, strategies, the entities that they name, and the goals that are open.
        """
        asked: dict[str, Any] = {"channel": channel, "session": session, "profile": profile, "learn": False}
        episodic = self.recall(question, k, lanes=(Lane.LOG,), **asked)
        known = self.recall(question, 3 * k, lanes=(Lane.MEMORY,), **asked)
        strategies = self.recall(question, k, lanes=(Lane.MEMORY,), kinds=STRATEGIES, **asked)
        facts = [hit for hit in known if hit.memory.kind not in ELSEWHERE][:k]
        brought = [*episodic, *facts, *strategies]
        if learn:
            self.used(hit.id for hit in brought)
        place = self._place(channel).channel
        open_goals = [one for one in self.goals() if one.is_open and one.channel in (place, GLOBAL_CHANNEL)]
        on = self.settings.memory.recalls
        return Bundle(
            question,
            tuple(episodic),
            tuple(facts),
            tuple(strategies),
            tuple(named(brought, k)),
            tuple(open_goals[:k] if on else ()),
            self.portrait(channel=channel),
        )


def named(hits: Iterable[Hit], most: int) -> list[Named]:
    """The entities that hits name, by the sum of the scores of those that name them."""
    weights: dict[str, float] = {}
    sources: dict[str, list[str]] = {}
    for hit in hits:
        for entity in dict.fromkeys(hit.memory.metadata.get("entities") or ()):
            weights[entity] = weights.get(entity, 0.0) + hit.score
            sources.setdefault(entity, []).append(hit.id)
    ranked = sorted(weights, key=lambda one: (-weights[one], one))[:most]
    return [Named(one, weights[one], tuple(sources[one])) for one in ranked]
