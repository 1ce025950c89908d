"""Several successes that went the same way → one skill."""

from collections.abc import Mapping
from dataclasses import replace
from statistics import mean
from typing import Any

from recollect.learn.knowing import Knowing
from recollect.learn.skills import generalised, told
from recollect.learn.values import Skill
from recollect.model import GLOBAL_CHANNEL, Memory, Origin, Scope

SKILL = "skill"
"""The kind of memory that tells a skill, and of the record that says which one it is."""
LEARNT = "episode.skill"
"""The event that one comes from that was learnt: whoever remembers something of that kind says what they like."""
AT_LEAST = 3
"""So many successes make a skill."""
SHORTEST = 2
"""One step is no sequence."""
TOLD = frozenset({"goal", "steps", "parameters", "episodes", "wins", "losses"})
"""What the metadata of a skill tells."""
EXAMPLES = 5
"""From how many of the latest it is generalised."""


def is_due(successes: int) -> bool:
    """Whether a sequence is looked at again: with the third success, and whenever their number has doubled.

    >>> [count for count in range(1, 25) if is_due(count)]
    [3, 6, 12, 24]
    """
    return successes >= AT_LEAST and successes % AT_LEAST == 0 and (successes // AT_LEAST).bit_count() == 1


def skill_of(learner: Knowing, channel: str, shape: int) -> Skill | None:
    """The skill that the successes of a shape teach; None where they are too few or too short."""
    with learner.learnt() as experience:
        episodes = list(experience.shapes.get((channel, shape), ()))
    if len(episodes) < AT_LEAST:
        return None
    latest = [(one, learner.needed_steps(one)) for one in episodes[-EXAMPLES:]]
    # What was purged meanwhile leaves an example incomplete.
    whole = max(len(steps) for _, steps in latest)
    kept = [(learner.episode(one), steps) for one, steps in latest if len(steps) == whole]
    if whole < SHORTEST or len(kept) < AT_LEAST:
        return None
    skill = generalised([(episode.goal, tuple(step.action for step in steps)) for episode, steps in kept])
    with learner.learnt() as experience:
        wins, losses = experience.standing(channel, shape)
    return replace(
        skill,
        episodes=tuple(episode.id for episode, _ in kept),
        wins=wins,
        losses=losses,
        sources=tuple(one for episode, steps in kept for one in (episode.id, *(step.id for step in steps))),
        seconds=mean((steps[-1].at - episode.started_at).total_seconds() for episode, steps in kept),
    )


def key_of(channel: str, shape: int) -> str:
    """The key of the record that says which memory tells the skill."""
    return f"{channel}/{shape}"


def key_parts(key: str) -> tuple[str, int]:
    """The inverse: the channel and the shape."""
    channel, _, shape = key.rpartition("/")
    return channel, int(shape)


def skill_draft(skill: Skill, channel: str, learner: Knowing) -> Memory:
    """The skill as a memory: found by what it is for."""
    now = learner.now()
    return Memory(
        "",
        told(skill),
        now,
        now,
        kind=SKILL,
        channel=channel,
        scope=Scope.GLOBAL if channel == GLOBAL_CHANNEL else Scope.PROJECT,
        origin=Origin(write_source="skill", data_source="agent", event_type=LEARNT),
        metadata=skill_metadata(skill),
    )


def skill_metadata(skill: Skill) -> dict[str, Any]:
    """What a memory tells of a skill besides its text."""
    return {
        "goal": skill.goal,
        "steps": list(skill.steps),
        "parameters": {name: list(values) for name, values in skill.parameters.items()},
        "episodes": list(skill.episodes),
        "wins": skill.wins,
        "losses": skill.losses,
        "seconds": skill.seconds,
    }


def skill_from(memory: Memory) -> Skill | None:
    """The inverse; None where the metadata was changed and tells no skill."""
    said: Mapping[str, Any] = memory.metadata
    if not said.keys() >= TOLD:
        return None
    return Skill(
        memory.id,
        said["goal"],
        tuple(said["steps"]),
        {name: tuple(values) for name, values in said["parameters"].items()},
        tuple(said["episodes"]),
        said["wins"],
        said["losses"],
        said.get("seconds"),
    )
