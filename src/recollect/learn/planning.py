"""From a situation to the way that led to success from there: the region MDP, followed step by step."""

from collections.abc import Sequence

import numpy as np

from recollect.learn.counts import Counts, chances, transitions
from recollect.learn.experience import Experience
from recollect.learn.marks import mark
from recollect.learn.params import LearningParams
from recollect.learn.values import LOST, WON, Stage

LONGEST = 50


def strategy(
    experience: Experience,
    regions: Sequence[str | None],
    counts: Sequence[Counts],
    task_type: str | None,
    params: LearningParams,
) -> tuple[Stage, ...]:
    """The action with the best chance in each region, from the first to the success, each region once.

    Only what successes needed is proposed. It ends where nothing is known, or where every way leads back.
    """
    stages: list[Stage] = []
    here, visited = regions[0], set[str]()
    while here is not None and here != WON and len(stages) < LONGEST:
        visited.add(here)
        ways = [
            (chance, action, following)
            for action, chance in _actions(experience, here, counts, task_type, params)
            for following in [_onward(counts, here, action, visited)]
            if following is not None
        ]
        if not ways:
            break
        chance, action, following = max(ways, key=lambda way: (way[0], way[2] == WON))
        told = experience.told([experience.example(action, here)])
        if not told:
            break
        stages.append(Stage(next(iter(told.values())).action, here, chance, following))
        here = following
    return tuple(stages)


def _actions(
    experience: Experience,
    region: str,
    counts: Sequence[Counts],
    task_type: str | None,
    params: LearningParams,
) -> list[tuple[int, float]]:
    """The actions that successes needed in a region, with the chance of each."""
    rows = experience.rows_in(region)
    if task_type is not None:
        rows = rows[experience.tasks[rows] == mark(task_type)]
    if not len(rows):
        return []
    coarse = experience.region_of(int(rows[0]))
    known = np.unique(experience.actions[rows]).tolist()
    # Its type says nothing new of an action that was needed here.
    expected = chances(counts, (region, coarse), [(one, one) for one in known], params.pseudo_counts).expected
    return list(zip(known, expected.tolist(), strict=True))


def _onward(counts: Sequence[Counts], region: str, action: int, visited: set[str]) -> str | None:
    """Where an action most often leads that is new, or the success."""
    led = transitions(counts, region, action)
    return next((following for following in led if following != LOST and following not in visited), None)
