"""The verbs that learn from outcomes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from recollect.engine.reading import Reading
from recollect.errors import InvalidInput, Refused
from recollect.given import IDS, count, texts
from recollect.language.moments import moment_from
from recollect.model import Memory
from recollect.ports import Change
from recollect.recall.outcomes import UPLIFT
from recollect.recall.profiles import profile
from recollect.recall.query import Query
from recollect.write.text import clean

if TYPE_CHECKING:
    from recollect.learn.learner import Learner
    from recollect.learn.params import LearningParams
    from recollect.learn.run import Run
    from recollect.learn.searching import Continuation
    from recollect.learn.situations import State
    from recollect.learn.values import Advice, Episode, Outcome, Step


class Learning(Reading):
    """Episodes: decide, step, finish; and looking at what they taught."""

    _own_learner: "Learner | None" = None

    def episode(
        self,
        goal: str,
        *,
        task_type: str | None = None,
        channel: str | None = None,
        session: str | None = None,
    ) -> "Run":
        """Starts one try at a goal; use it as a context manager, or keep it and finish it later."""
        from recollect.learn.run import Run  # noqa: PLC0415 - only who learns pays for it

        learner = self._learner()
        started = learner.start(goal, task_type, self._place(channel).channel, session)
        params = self._learning_params()
        return Run(learner, started, params, self._clock.now, self._ended, warnings=self._warnings)

    def resume(self, episode_id: str) -> "Run":
        """Goes on with an episode that was left open, by this process or another."""
        from recollect.learn.run import Run  # noqa: PLC0415 - only who learns pays for it

        learner = self._learner()
        episode = learner.episode(self._id(episode_id))
        if episode.ending != "open":
            raise InvalidInput(
                f"episode {episode.id} was {episode.ending}: undo its outcome to go on with it"
            )
        steps = learner.trajectory(episode.id)
        params = self._learning_params()
        return Run(learner, episode, params, self._clock.now, self._ended, steps, self._warnings)

    def decide(
        self,
        state: "State",
        *,
        possible: Iterable[str] | Mapping[str, str] | None = None,
        task_type: str | None = None,
        channel: str | None = None,
        k: int | None = None,
    ) -> "Advice":
        """What memory says about a situation, outside of any episode."""
        return self._learner().decide(
            state,
            channel=self._place(channel).channel,
            params=self._learning_params(),
            possible=possible,
            k=k,
            task_type=task_type,
        )

    def outcome(self, episode_id: str, *, success: bool, used: str | Iterable[str] = ()) -> "Outcome":
        """Ends an episode that is open and learns from it: one transaction.

        How it ended also counts for the memories that it `used`.
        """
        own = tuple(dict.fromkeys(map(self._id, texts(IDS, used))))
        return self._learner().finish(self._id(episode_id), success, self._learning_params(), own)

    def outcome_of(self, episode_id: str) -> "Outcome | None":
        """What the end of an episode taught: which steps advise since, what lost reward; None while it is open."""
        return self._learner().outcome_of(self._id(episode_id))

    def undo(self, episode_id: str) -> "Episode":
        """Takes the outcome of an episode back: ranking, counts and edges are as if it had not been."""
        return self._learner().undo(self._id(episode_id))

    def episodes(
        self,
        *,
        ending: str | None = None,
        limit: int | None = 50,
        after: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> "list[Episode]":
        """Episodes, newest first; `ending` is open, won or lost; those that began from `since` on and before `until`."""
        from recollect.learn.values import Ending  # noqa: PLC0415 - only who learns pays for it

        if ending is not None and ending not in tuple(Ending):
            raise InvalidInput(f"an episode is {', '.join(Ending)}, not {ending!r}")
        times = [None if one is None else moment_from(one) for one in (since, until)]
        return self._learner().episodes(None if ending is None else Ending(ending), limit, after, *times)

    def episode_of(self, episode_id: str) -> "Episode":
        """One episode as it stands now."""
        return self._learner().episode(self._id(episode_id))

    def trajectory(self, episode_id: str) -> "list[Step]":
        """The steps of an episode, in order."""
        return self._learner().trajectory(self._id(episode_id))

    def causal_search(
        self,
        state: "State",
        k: int = 5,
        *,
        before: int = 1,
        after: int = 3,
        task_type: str | None = None,
        channel: str | None = None,
    ) -> "list[Continuation]":
        """Similar situations of earlier successes, with what was done before and after each."""
        from recollect.learn.searching import continuations  # noqa: PLC0415 - only who learns pays for it

        for around in (before, after):
            count("before and after are whole numbers from 0 on", around, low=0)
        advice = self.decide(state, k=k, task_type=task_type, channel=channel)
        return continuations(advice.precedents, self._learner().trajectory, before, after)

    def search_episodes(self, question: str, k: int = 10, *, channel: str | None = None) -> "list[Episode]":
        """Episodes whose goals are about it, best first."""
        kinds: dict[str, Any] = {"kinds": ("episode",), "include_dormant": True}
        hits = self.recall(question, k, channel=channel, learn=False, **kinds)
        return [self._learner().episode(hit.id) for hit in hits]

    def members(self, episode_id: str) -> dict[str, str]:
        """What belongs to an episode, with its role: its steps, and what was linked to it as `part_of`."""
        from recollect.learn.searching import members  # noqa: PLC0415 - only who learns pays for it

        return members(self.store, self.user, self._learner().episode(self._id(episode_id)).id)

    def k_hop_neighbors(self, memory_id: str, hops: int = 1) -> list[str]:
        """What shares an episode with a memory; with more hops, what shares one with those."""
        from recollect.learn.searching import neighbours  # noqa: PLC0415 - only who learns pays for it

        count("hops are a whole number from 1 on", hops)
        return neighbours(self.store, self.user, self._known(memory_id), hops)

    def region_quality(self, state: "State", *, channel: str | None = None) -> float | None:
        """The share of what was tried in the state's region that went well, shrunk; None where there is no region."""
        place = self._place(channel).channel
        return self._learner().region_quality(state, channel=place, params=self._learning_params())

    def transitions(self, state: "State", action: str, *, channel: str | None = None) -> dict[str, float]:
        """Where an action led from the state's region: the next regions, `won` or `lost`, each with its probability."""
        place = self._place(channel).channel
        return self._learner().transitions(state, action, channel=place, params=self._learning_params())

    def mean_reward(self, state: "State", action: str, *, channel: str | None = None) -> float | None:
        """What steps told as their `reward` for an action in the state's region, on average; None where none did."""
        place = self._place(channel).channel
        return self._learner().mean_reward(state, action, channel=place, params=self._learning_params())

    def assign_region(self, state: "State", *, level: int = 0) -> str | None:
        """The region that a state lies in: 0 is the finest level; None where nothing like it is known."""
        return self._learner().assigned_region(state, _level(level), self._learning_params())

    def region_assignments(self, *, level: int = 0) -> dict[str, list[str]]:
        """By region, the ids of the steps that advise in it, the oldest first."""
        return self._learner().assignments(_level(level))

    def _usual_success(self, query: Query) -> float:
        # Asked before the view of the store opens: whoever learns holds what was learnt while it reads.
        if UPLIFT not in profile(query.profile).weights:
            return super()._usual_success(query)
        return self._learner().usual_success(query.filter(self._clock.now()).channels)

    def _purging(self, ids: Sequence[str]) -> None:
        if self.store.records(self.user, "region", limit=1):
            self._learner().forget_leaders(ids)

    def _reembedded(self) -> None:
        with self._index_lock:
            self._own_learner = None
        if self.store.records(self.user, "region", limit=1):
            self._learner().relead()

    def _learner(self) -> "Learner":
        from recollect.learn.knowing import Tools  # noqa: PLC0415 - only who learns pays for it
        from recollect.learn.learner import Learner  # noqa: PLC0415

        self._check_model()
        with self._index_lock:
            if self._own_learner is None:
                tools = Tools(
                    self.store,
                    self._embedder,
                    self._clock,
                    self._writer.ids.new,
                    self._prepared,
                    self._practised,
                )
                self._own_learner = Learner(tools, self.user)
            return self._own_learner

    def _ended(self, episode_id: str, success: bool, used: str | Iterable[str]) -> "Outcome":
        return self.outcome(episode_id, success=success, used=used)

    def _warnings(self, _goal: str, _channel: str, /) -> tuple[str, ...]:
        """What was criticised in earlier tries at similar goals; see `Practising`."""
        return ()

    def _practised(self, _channel: str, _shape: int, /) -> None:
        """Told after a success and when one is undone, with the shape of what it needed; see `Practising`."""

    def _prepared(self, draft: Memory) -> Change:
        if not self.refreshed().memory.records:
            raise Refused(
                "recording is switched off (memory.enabled, memory.recording): no episode and no step is kept"
            )
        now = self._clock.now()
        memory = replace(draft, id=self._writer.ids.new(), text=clean(draft.text).text, recorded_at=now)
        return Change(memory, self._writer.searchable([memory])[0])

    def _learning_params(self) -> "LearningParams":
        from recollect.learn.params import LearningParams  # noqa: PLC0415 - only who learns pays for it

        return LearningParams(**asdict(self.refreshed().learning))


def _level(level: int) -> int:
    from recollect.learn.regions import LEVELS  # noqa: PLC0415 - only who learns pays for it

    if not 0 <= level < LEVELS:
        raise InvalidInput(f"regions have the levels 0 to {LEVELS - 1}, not {level}")
    return level
