"""How general something is: its depth, 0 for a goal or a theme, more for what is more particular."""

from collections import deque
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput

LEVELS: Final = MappingProxyType({"goals": 0, "strategies": 1, "steps": 2, "findings": 3})
"""What the levels are called, from the general to the particular, and their depths."""
DEEPEST: Final = max(LEVELS.values())
"""Whatever lies deeper counts as of this depth."""
UNKNOWN: Final = 0.75
"""How well something matches of which no depth is known: between what is of the level and what is one away."""
FLOORS: Final = MappingProxyType(
    {
        **dict.fromkeys(("goal", "episode", "theme", "pattern", "summary", "history"), 0),
        **dict.fromkeys(("strategy", "plan", "skill", "procedure"), 1),
        "step": 2,
        **dict.fromkeys(("finding", "fact", "observation", "claim"), 3),
    }
)
"""By kind of memory, the least depth that it has; other kinds say nothing of it."""


def depth_of(level: str | int) -> int:
    """The depth of a level, by its name, in the singular too, or by its number.

    >>> depth_of("strategies"), depth_of("finding"), depth_of("2"), depth_of(0)
    (1, 3, 2, 0)
    """
    told = str(level).strip().casefold()
    named = {name: depth for name, depth in LEVELS.items() if told in (name, _singular(name))}
    if named:
        return next(iter(named.values()))
    if isinstance(level, bool) or told not in map(str, range(DEEPEST + 1)):
        raise InvalidInput(f"no level {level!r}; there are: {', '.join(LEVELS)}, or 0 to {DEEPEST}")
    return int(told)


def name_of(depth: int) -> str:
    """What the level of a depth is called.

    >>> name_of(1)
    'strategies'
    """
    return next(name for name, own in LEVELS.items() if own == depth)


def depths(above: Mapping[str, Collection[str]], floors: Mapping[str, int]) -> dict[str, int]:
    """Of each thing, how many steps the longest way down to it has; never less than its floor.

    Equation: depth(x) = max(floor(x), 1 + the greatest depth(u) of all u above x), and what nothing is above begins
    at its floor, or at 0. What lies on a circle, or below one, has no depth.

    >>> depths({"step": ["plan"], "plan": ["goal"]}, {})
    {'goal': 0, 'plan': 1, 'step': 2}
    >>> depths({"call": ["run"]}, {"call": 2, "alone": 1})
    {'alone': 1, 'run': 0, 'call': 2}
    """
    below: dict[str, list[str]] = {}
    waits: dict[str, int] = dict.fromkeys([*above, *floors], 0)
    for lower, uppers in above.items():
        for upper in dict.fromkeys(uppers):
            if upper != lower:
                below.setdefault(upper, []).append(lower)
                waits.setdefault(upper, 0)
                waits[lower] += 1
    found = {one: floors.get(one, 0) for one, count in sorted(waits.items()) if not count}
    ready = deque(found)
    deepest: dict[str, int] = {}
    while ready:
        upper = ready.popleft()
        for lower in below.get(upper, ()):
            deepest[lower] = max(deepest.get(lower, 0), found[upper] + 1)
            waits[lower] -= 1
            if not waits[lower]:
                found[lower] = max(deepest[lower], floors.get(lower, 0))
                ready.append(lower)
    return found


def level_match(depth: ArrayLike, asked: float) -> NDArray[np.float64]:
    """How well depths are of the level that is asked for: 1 for those that are, less with every level away.

    Equation: 1 / (1 + |depth − asked|), with depths beyond the deepest level counted as that. Range: (0, 1];
    `UNKNOWN` where the depth is not known.

    >>> level_match([1.0, 2.0, 3.0, 7.0, float("nan")], 1).round(2).tolist()
    [1.0, 0.5, 0.33, 0.33, 0.75]
    """
    given = np.minimum(np.asarray(depth, np.float64), DEEPEST)
    return np.where(np.isnan(given), UNKNOWN, 1.0 / (1.0 + np.abs(given - asked)))


def _singular(name: str) -> str:
    return name.removesuffix("ies") + "y" if name.endswith("ies") else name.removesuffix("s")
