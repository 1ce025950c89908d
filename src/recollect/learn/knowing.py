"""What one user's episodes taught, as it can be asked: episodes, advice, the region MDP, ways, tools."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from recollect.errors import NotFound
from recollect.formulas.weighing import DOCUMENTED, SIGNALS
from recollect.given import count, text
from recollect.learn.counts import Counts, mean_reward, quality, transitions
from recollect.learn.deciding import Prospects, Scene, action_prospects, action_type, advice
from recollect.learn.experience import STEPS, Experience
from recollect.learn.marks import mark
from recollect.learn.params import LearningParams
from recollect.learn.planning import strategy
from recollect.learn.reasoning import ReasoningBank
from recollect.learn.situations import Situation, State, situation, state_text
from recollect.learn.teaching import told_outcome
from recollect.learn.tools import summed, tool
from recollect.learn.trajectories import (
    EPISODES,
    checked_actions,
    episode_of,
    redacted,
    step_of,
)
from recollect.learn.values import (
    LOST,
    OUTCOME,
    WON,
    Advice,
    Ending,
    Episode,
    Outcome,
    Stage,
    Step,
    Tool,
    Way,
)
from recollect.model import GLOBAL_CHANNEL, NO_MAPPING, Memory
from recollect.ports import Change, Clock, Embedder, Store

TASK: Final = "a kind of task is named by a text"


@dataclass(frozen=True, slots=True)
class Tools:
    """What learning needs from the rest of the engine."""

    store: Store
    embedder: Embedder
    clock: Clock
    new_id: Callable[[], str]
    prepared: Callable[[Memory], Change]
    """A memory with its id, without secrets, and with what is searched of it."""
    practised: Callable[[str, int], None]
    """Told after a success, and when one is undone: the channel, and the shape of what it needed."""


class Knowing:
    """What one user's episodes taught; `Learner` adds to it."""

    def __init__(self, tools: Tools, user: str) -> None:
        self._tools, self.user = tools, user
        self.experience = Experience(tools.store, user, tools.embedder.name, tools.embedder.dimension)
        self._bank = ReasoningBank(self.experience)
        self._last: Situation | None = None
        self._lock = threading.RLock()

    @contextmanager
    def learnt(self) -> Iterator[Experience]:
        """What was learnt up to now, by whichever process; for one thread at a time, since following changes it."""
        with self._lock:
            self.experience.follow()
            yield self.experience

    def episode(self, episode_id: str) -> Episode:
        """An episode as it stands now."""
        memory = self._tools.store.get(self.user, episode_id)
        if memory is None:
            raise NotFound(f"no episode {episode_id}")
        return episode_of(memory, self._ending(episode_id))

    def episodes(
        self,
        ending: Ending | None,
        limit: int | None,
        after: str | None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[Episode]:
        """Episodes, newest first; of one ending, or all; of those that began in a time."""
        where = replace(EPISODES, since=since, until=until)
        found: list[Episode] = []
        page = 256
        while limit is None or len(found) < limit:
            memories = self._tools.store.find(self.user, where, limit=page, after=after, newest_first=True)
            every = [episode_of(memory, self._ending(memory.id)) for memory in memories]
            found += [one for one in every if ending is None or one.ending is ending]
            if len(memories) < page:
                break
            after = memories[-1].id
        return found[:limit]

    def trajectory(self, episode_id: str) -> list[Step]:
        """The steps of an episode, in order."""
        return [step for step, _ in self._steps(episode_id)]

    def decide(
        self,
        state: State,
        *,
        channel: str,
        params: LearningParams,
        possible: Iterable[str] | Mapping[str, str] | None = None,
        k: int | None = None,
        task_type: str | None = None,
        episode: str | None = None,
        tried: Mapping[str, int] = NO_MAPPING,
    ) -> Advice:
        """What memory says about a situation; `tried` is how often an action was tried there already."""
        channels = tuple(dict.fromkeys((channel, GLOBAL_CHANNEL)))
        scene = Scene(channels, task_type, episode, tried, self._tools.clock.now())
        here = self.situate(state_text(state))
        given = None if possible is None else typed(possible)
        nearest = params.neighbours if k is None else count("k is a whole number from 1 on", k)
        if task_type is not None:
            text(TASK, task_type)
        with self.learnt() as experience:
            return advice(experience, here, scene, given, nearest, params)

    def prospects(
        self,
        state: State,
        actions: Iterable[str] | Mapping[str, str],
        *,
        channel: str,
        params: LearningParams,
        tried: Mapping[str, int] = NO_MAPPING,
    ) -> Prospects | None:
        """The chance of each action, and what it promises; None where the situation lies in no region."""
        scene = Scene(tuple(dict.fromkeys((channel, GLOBAL_CHANNEL))), tried=tried)
        given = typed(actions)
        here = self.situate(state_text(state))
        with self.learnt() as experience:
            regions = experience.regions_of(here.levels, params.likeness)
            if all(region is None for region in regions):
                return None
            return action_prospects(experience, regions, scene, given, params)

    def region_quality(self, state: State, *, channel: str, params: LearningParams) -> float | None:
        """The quality of the coarsest region of a situation."""
        with self._region(state, -1, channel, params) as (region, counts):
            return None if region is None else quality(counts, region, params.pseudo_counts)

    def transitions(
        self, state: State, action: str, *, channel: str, params: LearningParams
    ) -> dict[str, float]:
        """Where an action led from the finest region of a situation."""
        with self._region(state, 0, channel, params) as (region, counts):
            return {} if region is None else transitions(counts, region, mark(redacted(action)))

    def mean_reward(self, state: State, action: str, *, channel: str, params: LearningParams) -> float | None:
        """The mean of the rewards that steps told of an action, in the finest region of a situation that knows some."""
        here, doing = self.situate(state_text(state)), mark(redacted(action))
        with self.learnt() as experience:
            counts = experience.counts_of(tuple(dict.fromkeys((channel, GLOBAL_CHANNEL))))
            regions = experience.regions_of(here.levels, params.likeness)
            told = (mean_reward(counts, region, doing) for region in regions if region is not None)
            return next((reward for reward in told if reward is not None), None)

    def assigned_region(self, state: State, level: int, params: LearningParams) -> str | None:
        """The region of a situation at a level."""
        here = self.situate(state_text(state))
        with self.learnt() as experience:
            return experience.regions_of(here.levels, params.likeness)[level]

    def assignments(self, level: int) -> dict[str, list[str]]:
        """By region of a level, the steps that advise in it, the oldest first."""
        with self.learnt() as experience:
            return experience.assignments(level)

    def tools(self, task_type: str | None, *, channel: str) -> list[Tool]:
        """The types of actions in the episodes that ended, the most used first."""
        channels = tuple(dict.fromkeys((channel, GLOBAL_CHANNEL)))
        found = []
        with self.learnt() as experience:
            for calls in summed(experience.toolboxes_of(channels), task_type).values():
                # A step that was purged tells no name any more; another one of its type may.
                names = (experience.told([one]).get(one) for one in reversed(calls.contents))
                told = next((one for one in names if one is not None), None)
                if told is not None:
                    found.append(tool(told.action_type, calls))
        return sorted(found, key=lambda one: (-one.calls, one.name))

    def transition_probability(
        self, state: State, action: str, following: State, *, channel: str, params: LearningParams
    ) -> float:
        """P(next region | region, action); the next is `won`, `lost`, or the region of a state."""
        led = self.transitions(state, action, channel=channel, params=params)
        if following in (WON, LOST):
            return led.get(str(following), 0.0)
        with self._region(following, 0, channel, params) as (region, _):
            return 0.0 if region is None else led.get(region, 0.0)

    def strategy(
        self, state: State, task_type: str | None, *, channel: str, params: LearningParams
    ) -> tuple[Stage, ...]:
        """The way that led to success from a situation like this."""
        here = self.situate(state_text(state))
        with self.learnt() as experience:
            regions = experience.regions_of(here.levels, params.likeness)
            counts = experience.counts_of(tuple(dict.fromkeys((channel, GLOBAL_CHANNEL))))
            return strategy(experience, regions, counts, task_type, params)

    def ways(self, question: str, k: int, *, channel: str) -> list[Way]:
        """How similar things were done, one success of each group."""
        channels = tuple(dict.fromkeys((channel, GLOBAL_CHANNEL)))
        vector = self.situate(question).vector
        with self.learnt():
            ways = self._bank.ways(vector, channels, k)
        found = []
        for way in ways:
            actions = tuple(step.action for step in self.needed_steps(way.episode))
            found.append(replace(way, goal=self.episode(way.episode).goal, actions=actions))
        return found

    def weights(self) -> dict[str, float]:
        """What each signal of advice weighs: as documented, and what outcomes taught."""
        with self.learnt() as experience:
            both = np.array(DOCUMENTED) + experience.weighing.gained
        return dict(zip(SIGNALS, both.tolist(), strict=True))

    def usual_success(self, channels: Sequence[str] | None) -> float:
        """The share of the episodes of some channels, or of all, that succeeded."""
        with self.learnt() as experience:
            return experience.usual_success(channels)

    def outcome_of(self, episode_id: str) -> Outcome | None:
        """What an episode's end taught, as its record has it; None while it is open."""
        self.episode(episode_id)
        record = self._tools.store.record(self.user, OUTCOME, episode_id)
        return None if record is None else told_outcome(self._tools.store, self.user, record)

    def situate(self, text: str) -> Situation:
        """A state with its vectors; the last one is kept, since it is decided about and then weighed again."""
        last = self._last
        if last is None or last.text != text:
            last = self._last = situation(text, self._tools.embedder)
        return last

    def now(self) -> datetime:
        """The moment, as the engine's clock has it."""
        return self._tools.clock.now()

    def needed_steps(self, episode_id: str) -> list[Step]:
        """The steps that brought an episode's success about, as far as they were not purged."""
        outcome = self._tools.store.record(self.user, OUTCOME, episode_id)
        needed = set() if outcome is None else {row[0] for row in outcome.value["kept"]}
        return [step for step, content in self._steps(episode_id) if content in needed]

    @contextmanager
    def _region(
        self, state: State, level: int, channel: str, params: LearningParams
    ) -> Iterator[tuple[str | None, list[Counts]]]:
        """The region of a situation, and what was counted there, while nobody counts on."""
        here = self.situate(state_text(state))
        with self.learnt() as experience:
            region = experience.regions_of(here.levels, params.likeness)[level]
            yield region, experience.counts_of(tuple(dict.fromkeys((channel, GLOBAL_CHANNEL))))

    def _steps(self, episode_id: str) -> list[tuple[Step, int]]:
        memories = self._tools.store.find(self.user, replace(STEPS, run=episode_id))
        found = [(step_of(memory), memory.content) for memory in memories]
        return sorted(found, key=lambda one: one[0].place)

    def _ending(self, episode_id: str) -> Ending:
        outcome = self._tools.store.record(self.user, OUTCOME, episode_id)
        if outcome is None:
            return Ending.OPEN
        return Ending.WON if outcome.value["success"] else Ending.LOST


def typed(actions: Iterable[str] | Mapping[str, str]) -> list[tuple[str, str]]:
    """Actions with their types: as they are given, or by their first words."""
    if isinstance(actions, Mapping):
        checked_actions(actions)
        return [(redacted(action), redacted(kind)) for action, kind in actions.items()]
    return [(redacted(action), action_type(redacted(action))) for action in checked_actions(actions)]
