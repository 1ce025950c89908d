"""Situation → advice: what was done in similar situations that went well, and what each action promises here."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.evidence import evidence_weight
from recollect.formulas.optimism import hopeful
from recollect.formulas.posterior import usage_success
from recollect.language.parts import parts_of
from recollect.learn.counts import Counted, chances, tried_here
from recollect.learn.experience import Experience
from recollect.learn.marks import mark
from recollect.learn.params import LearningParams
from recollect.learn.regions import LEVELS
from recollect.learn.repeats import MOST, patience
from recollect.learn.situations import Situation, situation_mark
from recollect.learn.values import Advice, Choice, Precedent
from recollect.model import EPOCH, NO_MAPPING

BACK_OFF = 0.15
"""What the precedents of other actions of the same type count for an action."""
FLOOR = 0.01
"""What an action without any evidence has, of the best one's."""
LEAST_ALIKE = 0.6
"""The cosine from which a situation says something that shares neither region nor kind of task: any two begin alike."""
WHOLE = 3
"""The parts of a whole state. One that is told in fewer can be no more like it than the root of their share."""


class Scene(NamedTuple):
    """Which channels a decision looks into, of which episode it is, and how often what was tried there already."""

    channels: tuple[str, ...]
    task_type: str | None = None
    episode: str | None = None
    tried: Mapping[str, int] = NO_MAPPING
    at: datetime = EPOCH


class Found(NamedTuple):
    """The rows of the experience that are nearest, with what each counts."""

    rows: NDArray[np.intp]
    similarity: NDArray[np.float32]
    weight: NDArray[np.float64]


class Prospects(NamedTuple):
    """What some actions may bring."""

    chance: NDArray[np.float64]
    """P(success | region, action)."""
    promise: NDArray[np.float64]
    """What it multiplies the evidence with: hopeful where little is known, over what all of them promise."""
    counted: Counted
    """The tries and wins in the coarsest region."""


def found(
    experience: Experience,
    here: Situation,
    regions: Sequence[str | None],
    scene: Scene,
    k: int,
    params: LearningParams,
) -> Found:
    """The steps of successes that say most: by their likeness, and by whether task and region are the same."""
    shared = experience.shared_levels(regions)
    same_task = experience.tasks[: experience.size] == mark(scene.task_type or "")
    prior = params.task_match * same_task + params.region_match * shared
    bonus = (params.temperature * prior).astype(np.float32)
    rows, similarity = experience.near(here.vector, k, scene.channels, bonus)
    is_kin = (shared[rows] > 0) | (same_task[rows] & (scene.task_type is not None))
    least = LEAST_ALIKE * sqrt(min(len(parts_of(here.text)) / WHOLE, 1.0))
    if not (is_kin | (similarity >= least)).any():
        rows, similarity = rows[:0], similarity[:0]
    weight = evidence_weight(similarity, params.temperature)
    weight = weight * np.exp(prior[rows] - params.task_match - LEVELS * params.region_match)
    if params.value:
        weight = weight * experience.value[rows]
    if params.decay != "off":
        weight = weight * experience.reward[rows]
    if params.usefulness:
        wins, uses = experience.wins[rows], experience.uses[rows]
        weight = weight * 2.0 * usage_success(wins, uses)
    if params.weights and len(rows):
        task = mark(scene.task_type or "")
        signals = experience.signals(rows, similarity, shared[rows], task, scene.at)
        weight = weight * np.exp(signals @ experience.weighing.gained)
    return Found(rows, similarity, weight)


def precedents(experience: Experience, near: Found) -> tuple[Precedent, ...]:
    """The same with what they say."""
    contents = experience.contents[near.rows].tolist()
    told = experience.told(contents)
    columns = zip(
        contents,
        near.similarity.tolist(),
        experience.value[near.rows].tolist(),
        experience.reward[near.rows].tolist(),
        near.weight.tolist(),
        strict=True,
    )
    return tuple(
        Precedent(said.id, content, said.episode, said.state, said.action, *numbers)
        for content, *numbers in columns
        if (said := told.get(content)) is not None
    )


def action_prospects(
    experience: Experience,
    regions: Sequence[str | None],
    scene: Scene,
    actions: Sequence[tuple[str, str]],
    params: LearningParams,
    here: Counted | None = None,
) -> Prospects:
    """P(success | region, action) for actions and their types, and what each promises.

    With what was counted in the very same situation, that is the finest of the regions.
    """
    marks = [(mark(action), mark(kind)) for action, kind in actions]
    counts = experience.counts_of(scene.channels)
    chance, counted = chances(counts, regions, marks, params.pseudo_counts, here)
    promise = hopeful(chance, counted[0], optimism=params.optimism, pseudo_counts=params.pseudo_counts)
    if params.patience and scene.tried:
        earlier = [min(scene.tried.get(action, 0), MOST) for action, _ in actions]
        again = patience([one.repeats for one in counts], marks, earlier, params.pseudo_counts)
        chance, promise = chance * again, promise * again
    mean = float(promise.mean()) if len(actions) else 1.0
    return Prospects(chance, (promise / mean) ** params.sharpness, counted)


def advice(
    experience: Experience,
    here: Situation,
    scene: Scene,
    possible: Sequence[tuple[str, str]] | None,
    k: int,
    params: LearningParams,
) -> Advice:
    """Everything that memory says about a situation; without possible actions, of those that precedents took."""
    regions = experience.regions_of(here.levels, params.likeness)
    known = precedents(experience, found(experience, here, regions, scene, k, params))
    by_action: dict[str, float] = {}
    for one in known:
        by_action[one.action] = by_action.get(one.action, 0.0) + one.weight
    options = list(possible) if possible is not None else [(a, action_type(a)) for a in by_action]
    counts, doing = experience.counts_of(scene.channels), [mark(action) for action, _ in options]
    same = tried_here(counts, situation_mark(here.text), doing)
    prospects = action_prospects(experience, regions, scene, options, params, same)
    choices = _choices(options, by_action, prospects, same, params)
    return Advice(scene.episode, here.text, next((r for r in regions if r is not None), None), known, choices)


def action_type(action: str) -> str:
    """What sort of action it is where nobody says: its first word.

    >>> action_type("grep -n mutex")
    'grep'
    """
    return action.split(maxsplit=1)[0] if action.strip() else action


def _choices(
    options: Sequence[tuple[str, str]],
    by_action: dict[str, float],
    prospects: Prospects,
    same: Counted,
    params: LearningParams,
) -> tuple[Choice, ...]:
    total = sum(by_action.values())
    if not options or (total <= 0.0 and not params.chances):
        return ()
    evidence = np.array([by_action.get(action, 0.0) for action, _ in options]) / (total or 1.0)
    alike = _of_its_type(options, by_action) / (total or 1.0)
    share = evidence + BACK_OFF * alike
    is_hopeless = np.zeros(len(options), bool)
    if params.chances:
        tries, wins = same
        is_hopeless = (tries >= params.pseudo_counts) & (wins == 0.0)
        # What went well in the very same situation says more than what did in similar ones.
        share = (wins + params.pseudo_counts * share) / (wins.sum() + params.pseudo_counts)
    score = share + FLOOR * max(float(share.max()), FLOOR)
    if params.chances:
        score = score * prospects.promise
        if not is_hopeless.all():
            score[is_hopeless] = np.minimum(score[is_hopeless], score[~is_hopeless].min())
    order = np.lexsort((np.arange(len(options)), is_hopeless, -score))
    tried, won = prospects.counted
    return tuple(
        Choice(
            options[place][0],
            float(evidence[place]),
            float(prospects.chance[place]),
            float(score[place]),
            bool(share[place] >= FLOOR or won[place] > 0.0),
            bool(tried[place] > 0.0),
        )
        for place in order
    )


def _of_its_type(options: Sequence[tuple[str, str]], by_action: Mapping[str, float]) -> NDArray[np.float64]:
    """What the precedents of other actions of the same type weigh for each action, shared among all of its type."""
    kinds = dict(options)
    of_type: dict[str, float] = defaultdict(float)
    for action, weight in by_action.items():
        of_type[kinds.get(action, action_type(action))] += weight
    members = Counter(kind for _, kind in options)
    return np.array(
        [(of_type[kind] - by_action.get(action, 0.0)) / members[kind] for action, kind in options]
    )
