"""One episode as its agent drives it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Self

from recollect import given
from recollect.errors import InvalidInput
from recollect.learn.deciding import Prospects
from recollect.learn.deciding import action_type as type_of
from recollect.learn.learner import Learner
from recollect.learn.params import LearningParams
from recollect.learn.repeats import place_of
from recollect.learn.situations import State, state_text
from recollect.learn.trajectories import checked_actions
from recollect.learn.values import Advice, Episode, Outcome, Step

HISTORY = 4
"""How many of the last actions are part of a situation that is told by what is seen alone."""


class Run:
    """Decide, step, finish. Left unfinished, the episode stays open and can be resumed."""

    def __init__(
        self,
        learner: Learner,
        episode: Episode,
        params: LearningParams,
        now: Callable[[], datetime],
        ended: Callable[[str, bool, str | Iterable[str]], Outcome],
        steps: Sequence[Step] = (),
        warnings: Callable[[str, str], tuple[str, ...]] = lambda _goal, _channel: (),
    ) -> None:
        self.episode = episode
        self.outcome: Outcome | None = None
        self._learner, self._params, self._now, self._ended = learner, params, now, ended
        self._done = [step.action for step in steps]
        self._tried: dict[str, Counter[str]] = defaultdict(Counter)
        for step in steps:
            self._tried[place_of(step.state)][step.action] += 1
        self._advice: Advice | None = None
        self._warned = warnings
        self._warnings: tuple[str, ...] | None = None

    @property
    def id(self) -> str:
        return self.episode.id

    def decide(
        self,
        state: State,
        *,
        possible: Iterable[str] | Mapping[str, str] | None = None,
        k: int | None = None,
    ) -> Advice:
        """What memory says about the situation: precedents, and what each (possible) action promises.

        A state is what is seen, as one text: goal and last actions are added to it. Or it is the situation in
        parts, from the general to the particular. Possible actions may come with their types.
        """
        here = self._situation(state)
        self._advice = self._learner.decide(
            here,
            channel=self.episode.channel,
            params=self._params,
            possible=possible,
            k=k,
            task_type=self.episode.task_type,
            episode=self.id,
            tried=self._tried[place_of(state_text(here))],
        )
        self._advice = replace(self._advice, warnings=self.warnings)
        return self._advice

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was criticised in earlier tries at similar goals, as it was known when the episode first asked."""
        if self._warnings is None:
            self._warnings = self._warned(self.episode.goal, self.episode.channel)
        return self._warnings

    def chances(self, state: State, actions: Iterable[str] | Mapping[str, str]) -> dict[str, float]:
        """P(success | region, action) of each action; empty where nothing like the situation is known."""
        given = _listed(actions)
        known = self._prospects(state, given)
        return {} if known is None else dict(zip(given, known.chance.tolist(), strict=True))

    def promises(self, state: State, actions: Iterable[str] | Mapping[str, str]) -> dict[str, float]:
        """What each action promises, over what all of them do: the factor on its evidence; empty likewise.

        It is the chance to the power of `learning.sharpness`, more hopeful for what was rarely tried.
        """
        given = _listed(actions)
        known = self._prospects(state, given) if self._params.chances else None
        return {} if known is None else dict(zip(given, known.promise.tolist(), strict=True))

    def step(
        self,
        action: str,
        *,
        state: State | None = None,
        action_type: str | None = None,
        command: str | None = None,
        observation: str | None = None,
        reward: float | None = None,
        possible: Iterable[str] | None = None,
        touches: bool | None = None,
        followed: str | Sequence[str] | None = None,
        ok: bool | None = None,
        latency_ms: float | None = None,
    ) -> Step:
        """Keeps what was done.

        `state` is where it was done, by default the one that was decided about; `command` the action in the
        environment's own words, which `possible` is told in; `touches` whether it acts on what the goal is about,
        by default whether it names a thing that the goal names. Advice counts as followed if it named the same
        action, or as `followed` says. `ok` tells whether it did what it was to do, such as a tool that was called.
        """
        checked_actions([action])
        _check_told((action_type, command, observation), (touches, ok))
        reward, latency_ms = _measured(reward, latency_ms)
        text = self._advised_state() if state is None else state_text(self._situation(state))
        advice = self._advice if self._advice is not None and self._advice.state == text else None
        same, other = _taken(advice, action, followed)
        step = self._learner.step(
            self.episode,
            Step(
                "",
                self.id,
                len(self._done),
                text,
                action,
                action_type or type_of(action),
                command or action,
                observation,
                reward,
                None if possible is None else frozenset(checked_actions(possible)),
                touches,
                same,
                other,
                self._now(),
                ok,
                latency_ms,
            ),
        )
        self._done.append(step.action)
        self._tried[place_of(text)][step.action] += 1
        self._advice = None
        return step

    def finish(self, success: bool, *, used: str | Iterable[str] = ()) -> Outcome:
        """Ends the episode and learns from it.

        `used` are the memories that were recalled and the published items that it went by: how it ended counts for
        them, too.
        """
        self.outcome = self._ended(self.id, success, used)
        return self.outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing: an episode without an outcome stays open, to be resumed or finished."""

    def _prospects(self, state: State, actions: Sequence[str] | Mapping[str, str]) -> Prospects | None:
        here = self._situation(state)
        return self._learner.prospects(
            here,
            actions,
            channel=self.episode.channel,
            params=self._params,
            tried=self._tried[place_of(state_text(here))],
        )

    def _situation(self, state: State) -> State:
        if not isinstance(state, str):
            return state
        return [self.episode.goal, "; ".join(self._done[-HISTORY:]) or "nothing", state]

    def _advised_state(self) -> str:
        if self._advice is None:
            raise InvalidInput("say in which state it was done, or decide first")
        return self._advice.state


def _listed(actions: Iterable[str] | Mapping[str, str]) -> list[str] | Mapping[str, str]:
    return actions if isinstance(actions, Mapping) else list(actions)


def _check_told(texts: Iterable[object], answers: Iterable[object]) -> None:
    """Refuses what learning could not read of a step."""
    for said in texts:
        if said is not None:
            given.text("the type of an action, its command and what was observed are texts", said)
    for told in answers:
        if told is not None:
            given.answer("whether it touches the goal and whether it was ok is True or False", told)


def _measured(reward: object, latency_ms: object) -> tuple[float | None, float | None]:
    """A step's numbers, which are counted with for as long as the store lasts."""
    rule = "a latency is a number of milliseconds from 0 on"
    return (
        None if reward is None else given.number("a reward is a finite number", reward),
        None if latency_ms is None else given.number(rule, latency_ms, low=0.0),
    )


def _taken(
    advice: Advice | None, action: str, followed: str | Sequence[str] | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The contents of the precedents that were followed, and of the others, the weightiest first."""
    if advice is None:
        return (), ()
    named = (
        None if followed is None else set(given.texts("what was followed are ids of precedents", followed))
    )
    ranked = sorted(advice.precedents, key=lambda one: -one.weight)
    taken = [one.action == action if named is None else one.id in named for one in ranked]
    same = tuple(one.content for one, was in zip(ranked, taken, strict=True) if was)
    return same, tuple(one.content for one, was in zip(ranked, taken, strict=True) if not was)
