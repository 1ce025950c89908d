"""Outcome → state: what an episode's end teaches, as one transaction's worth of changes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from recollect.formulas.credit import Move, causal_steps, steps_to_go_value, traceless
from recollect.formulas.decay import BLIND, context_decay
from recollect.language.parts import parts_of
from recollect.learn.counts import Tried, quality
from recollect.learn.experience import Experience
from recollect.learn.marks import mark
from recollect.learn.params import LearningParams
from recollect.learn.regions import LEVELS, Leaders
from recollect.learn.repeats import earlier_tries
from recollect.learn.situations import Situation, situation_mark
from recollect.learn.skills import shape_of
from recollect.learn.tools import told_calls
from recollect.learn.touching import touches
from recollect.learn.values import LOST, WON, Episode, Step
from recollect.model import microseconds


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one outcome teaches: the value of its record, and what else is written with it."""

    record: dict[str, Any]
    founded: dict[str, tuple[Situation, int, str]]
    """New regions by name: the leading situation, its level, and the step that it comes from."""
    kept: tuple[int, ...]
    """The places of the steps that advise from now on."""
    followed: frozenset[int]
    """The contents of all advice that was followed."""
    decayed: dict[int, float]
    worn: dict[str, float]
    """The same of memories that it went by, by their ids."""


def lesson(
    episode: Episode,
    steps: Sequence[tuple[Step, int]],
    success: bool,
    experience: Experience,
    situate: Callable[[str], Situation],
    name: Callable[[], str],
    params: LearningParams,
    at: datetime,
    used: Sequence[str] = (),
) -> Lesson:
    """What the steps, each with its content's number, teach with this outcome; `used` are no steps themselves."""
    regions, founded = _assigned([step for step, _ in steps], experience, situate, name, params)
    kept = _kept(episode, [step for step, _ in steps], success, experience, params)
    gamma = params.gamma if params.value else 1.0
    worth = dict(zip(kept, steps_to_go_value(len(kept), gamma).tolist(), strict=True))
    needed = set(kept) if success else set()
    followed = frozenset(content for step, _ in steps for content in step.followed)
    decayed = {} if success else _decayed(episode, [step for step, _ in steps], experience, params)
    worn = {} if success else _worn(episode, used, regions, experience, params)
    tried = _tried([step for step, _ in steps], regions, needed, success=success, params=params)
    record = {
        "success": success,
        "channel": episode.channel,
        "task": mark(episode.task_type or ""),
        "steps": len(steps),
        "episode": episode.id,
        "at": microseconds(at),
        "signals": _signals(episode, steps, regions, experience, situate, at) if params.weights else None,
        "shape": shape_of([steps[place][0].action_type for place in kept]) if success else None,
        "kept": [
            [steps[place][1], mark(steps[place][0].action), worth[place], regions[place]] for place in kept
        ],
        "tried": [[t.regions, t.action, t.action_type, t.tries, t.wins] for t in tried],
        "seen": _seen([step for step, _ in steps], needed, success=success, params=params),
        "moves": _moves([step for step, _ in steps], regions, success=success),
        "rewards": [
            [at, mark(step.action), step.reward]
            for (step, _), at in zip(steps, regions, strict=True)
            if step.reward is not None
        ],
        "repeats": _repeats([step for step, _ in steps], needed, success=success, params=params),
        "tools": told_calls(steps),
        "used": sorted(followed),
        "decayed": sorted(decayed.items()),
        "regions": sorted(founded),
    }
    return Lesson(record, founded, tuple(kept), followed, decayed, worn)


def _signals(
    episode: Episode,
    steps: Sequence[tuple[Step, int]],
    regions: Sequence[tuple[str, ...]],
    experience: Experience,
    situate: Callable[[str], Situation],
    at: datetime,
) -> list[float] | None:
    """The mean signals of the advice that was followed; None where none was."""
    found = []
    for (step, _), where in zip(steps, regions, strict=True):
        followed = [row for row in map(experience.row_of, step.followed) if row is not None]
        if followed:
            rows = np.array(followed, np.intp)
            similarity = experience.states(followed) @ situate(step.state).vector
            shared = experience.shared_levels(where)[rows]
            found.append(experience.signals(rows, similarity, shared, mark(episode.task_type or ""), at))
    return np.vstack(found).mean(axis=0).tolist() if found else None


def _assigned(
    steps: Sequence[Step],
    experience: Experience,
    situate: Callable[[str], Situation],
    name: Callable[[], str],
    params: LearningParams,
) -> tuple[list[tuple[str, ...]], dict[str, tuple[Situation, int, str]]]:
    """The regions of each step, and those that it takes new ones for."""
    own = tuple(Leaders(level.dimension) for level in experience.leaders)
    founded: dict[str, tuple[Situation, int, str]] = {}
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    assigned = []
    for step in steps:
        parts = parts_of(step.state)
        key = tuple(parts[:-1]) or tuple(parts)
        if key not in known:
            here = situate(step.state)
            places = []
            for level in range(LEVELS):
                vector = here.levels[level]
                best = max(
                    experience.leaders[level].best(vector), own[level].best(vector), key=lambda b: b[1]
                )
                region = best[0]
                if region is None or best[1] < params.likeness:
                    region = f"{level}.{name()}"
                    own[level].add(region, vector)
                    founded[region] = (here, level, step.id)
                places.append(region)
            known[key] = tuple(places)
        assigned.append(known[key])
    return assigned, founded


def _kept(
    episode: Episode, steps: Sequence[Step], success: bool, experience: Experience, params: LearningParams
) -> list[int]:
    """The places of the steps that advise from now on."""
    if not success and params.clean:
        return []
    if not success or not params.trim:
        return list(range(len(steps)))
    moves = [
        Move(
            step.command,
            step.possible,
            touches(step.command, episode.goal) if step.touches is None else step.touches,
        )
        for step in steps
    ]

    def needless(place: int) -> bool:
        """Whether it left no trace, and most successes at the same kind of task did without its like."""
        had = experience.had(mark(episode.task_type or ""), mark(steps[place].action_type))
        return had is not None and had < params.necessity and traceless(moves, place)

    return [place for place in causal_steps(moves) if not needless(place)]


def _tried(
    steps: Sequence[Step],
    regions: Sequence[tuple[str, ...]],
    needed: set[int],
    *,
    success: bool,
    params: LearningParams,
) -> list[Tried]:
    """Each action of each region once: a try that went well if any of its repetitions was needed."""
    tried: dict[tuple[tuple[str, ...], str], Tried] = {}
    for place, step in enumerate(steps):
        wins = 1.0 if place in needed else 0.0
        tries = 1.0 if wins or not success else params.wandering
        key = (regions[place], step.action)
        before = tried.get(key)
        if tries and (before is None or wins > before.wins):
            tried[key] = Tried(regions[place], mark(step.action), mark(step.action_type), tries, wins)
    return list(tried.values())


def _seen(
    steps: Sequence[Step], needed: set[int], *, success: bool, params: LearningParams
) -> list[list[float]]:
    """The same of each situation as it was: its number, the action, and whether that went well."""
    tried: dict[tuple[int, int], list[float]] = {}
    for place, step in enumerate(steps):
        wins = 1.0 if place in needed else 0.0
        tries = 1.0 if wins or not success else params.wandering
        key = (situation_mark(step.state), mark(step.action))
        if tries and (key not in tried or wins > tried[key][1]):
            tried[key] = [tries, wins]
    return [[*key, *tally] for key, tally in tried.items()]


def _repeats(
    steps: Sequence[Step], needed: set[int], *, success: bool, params: LearningParams
) -> list[list[float]]:
    """What each try brought, by how often the same was tried in the same place before."""
    tallies: dict[tuple[int, int, int], list[float]] = {}
    earlier = earlier_tries((step.state, step.action) for step in steps)
    for place, (step, count) in enumerate(zip(steps, earlier, strict=True)):
        wins = 1.0 if place in needed else 0.0
        tally = tallies.setdefault((mark(step.action), mark(step.action_type), count), [0.0, 0.0])
        tally[0] += 1.0 if wins or not success else params.wandering
        tally[1] += wins
    return [[*key, *tally] for key, tally in tallies.items() if tally[0]]


def _moves(
    steps: Sequence[Step], regions: Sequence[tuple[str, ...]], *, success: bool
) -> list[tuple[str, int, str]]:
    after: Iterable[str] = [*(at[0] for at in regions[1:]), WON if success else LOST][: len(steps)]
    return [
        (at[0], mark(step.action), following)
        for step, at, following in zip(steps, regions, after, strict=True)
    ]


def _decayed(
    episode: Episode, steps: Sequence[Step], experience: Experience, params: LearningParams
) -> dict[int, float]:
    """By content, what the reward of retrieved advice is multiplied with."""
    if params.decay == "off":
        return {}
    counts, task = experience.counts_of([episode.channel]), mark(episode.task_type or "")
    followed = {content for step in steps for content in step.followed}
    factors = {}
    for content in sorted(followed | {content for step in steps for content in step.ignored}):
        row = experience.row_of(content)
        if row is None:
            continue
        if params.decay == "blind":
            factor = BLIND
        else:
            factor = context_decay(
                quality(counts, experience.region_of(row), params.pseudo_counts),
                same_task=int(experience.tasks[row]) == task,
                followed=content in followed,
            )
        if factor < 1.0:
            factors[content] = factor
    return factors


def _worn(
    episode: Episode,
    used: Sequence[str],
    regions: Sequence[tuple[str, ...]],
    experience: Experience,
    params: LearningParams,
) -> dict[str, float]:
    """What the reward of memories is multiplied with that the episode went by.

    A memory is of a kind of task once it was gone by into a success at it, and its region is that of the episode.
    """
    if params.decay == "off":
        return {}
    if params.decay == "blind":
        return dict.fromkeys(used, BLIND)
    counts, task = experience.counts_of([episode.channel]), mark(episode.task_type or "")
    known = [quality(counts, region, params.pseudo_counts) for region in {at[-1] for at in regions}]
    whole = sum(known) / len(known) if known else quality([], "", params.pseudo_counts)
    proved = [one for one in used if experience.served(one, task)]
    return {one: context_decay(whole, same_task=True, followed=True) for one in proved}
