"""Episodes and their steps as memories, and back."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from recollect.errors import InvalidInput
from recollect.given import sound
from recollect.language.secrets import redact
from recollect.learn.values import EPISODE, STEP, Ending, Episode, Step
from recollect.model import GLOBAL_CHANNEL, Filter, Lane, Memory, Origin, Scope, State

EPISODES = Filter(lanes=(Lane.LOG,), kinds=(EPISODE,), states=(State.ACTIVE, State.DORMANT), any_session=True)
"""Every episode, which is dormant so that no ordinary recall brings it."""


@lru_cache(maxsize=16_384)
def redacted(text: str) -> str:
    """A text without its secrets; actions are the same again and again."""
    return redact(text).text


def episode_draft(
    goal: str, task_type: str | None, channel: str, session: str | None, at: datetime
) -> Memory:
    """An episode as it is kept: its goal, in the log, dormant, so that no ordinary recall brings it."""
    return _draft(
        goal,
        EPISODE,
        channel,
        at,
        Origin(session=session, event_type="episode.started"),
        {"task_type": task_type},
    )


def episode_of(memory: Memory, ending: Ending) -> Episode:
    """The inverse."""
    if memory.kind != EPISODE:
        raise InvalidInput(f"{memory.id} is a {memory.kind}, not an episode")
    return Episode(
        memory.id,
        memory.text,
        memory.metadata.get("task_type"),
        memory.channel,
        memory.origin.session,
        memory.valid_from,
        ending,
    )


def step_draft(episode: Episode, step: Step) -> Memory:
    """A step as it is kept: its state is the text, what was done the metadata."""
    metadata = {
        "place": step.place,
        "action": step.action,
        "action_type": step.action_type,
        "command": step.command,
        "observation": step.observation,
        "reward": step.reward,
        "possible": None if step.possible is None else sorted(step.possible),
        "touches": step.touches,
        "followed": list(step.followed),
        "ignored": list(step.ignored),
        "ok": step.ok,
        "latency_ms": step.latency_ms,
    }
    origin = Origin(session=episode.session, run=episode.id, event_type="episode.step")
    said = {name: value for name, value in metadata.items() if value not in (None, [])}
    return _draft(step.state, STEP, episode.channel, step.at, origin, said)


def step_of(memory: Memory) -> Step:
    """The inverse."""
    told = memory.metadata
    possible = told.get("possible")
    return Step(
        memory.id,
        memory.origin.run or "",
        told["place"],
        memory.text,
        told["action"],
        told["action_type"],
        told["command"],
        told.get("observation"),
        sound(told.get("reward")),
        None if possible is None else frozenset(possible),
        told.get("touches"),
        tuple(told.get("followed", ())),
        tuple(told.get("ignored", ())),
        memory.valid_from,
        told.get("ok"),
        told.get("latency_ms"),
    )


def without_secrets(step: Step) -> Step:
    """The step as it may be stored."""
    return replace(
        step,
        action=redacted(step.action),
        action_type=redacted(step.action_type),
        command=redacted(step.command),
        observation=None if step.observation is None else redact(step.observation).text,
        possible=None if step.possible is None else frozenset(map(redacted, step.possible)),
    )


def checked_actions(actions: Iterable[str]) -> list[str]:
    """Actions as texts, not empty."""
    # A text is iterable too, and its letters are no actions.
    if isinstance(actions, str) or not isinstance(actions, Iterable):
        raise InvalidInput(f"actions are a list of texts, not {actions!r}")
    given = list(actions)
    if not all(isinstance(action, str) and action.strip() for action in given):
        raise InvalidInput("an action is a text, not empty")
    return given


def _draft(
    text: str, kind: str, channel: str, at: datetime, origin: Origin, metadata: dict[str, object]
) -> Memory:
    return Memory(
        "",
        text,
        at,
        at,
        lane=Lane.LOG,
        kind=kind,
        channel=channel,
        scope=Scope.GLOBAL if channel == GLOBAL_CHANNEL else Scope.PROJECT,
        state=State.DORMANT,
        origin=replace(origin, write_source="episode", data_source="agent"),
        metadata=metadata,
    )
