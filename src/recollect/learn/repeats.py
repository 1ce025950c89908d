"""Whether it pays to try the same again: what the next try of an action brought, by how often it was tried there before."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.backoff import backed_off
from recollect.language.parts import parts_of

Tally = list[float]
"""How often something was tried, and how often it went well."""
MOST = 12
"""From so many earlier tries on, all count the same."""
ANY = -1
"""The mark under which the tries of all actions are counted."""


class Try(NamedTuple):
    """One try of an action, with how often it was tried in the same place before."""

    action: int
    action_type: int
    earlier: int
    tries: float
    wins: float


class Repeats:
    """The tries of one channel, by action, by its type and in all."""

    def __init__(self) -> None:
        self._known: dict[int, list[Tally]] = defaultdict(lambda: [[0.0, 0.0] for _ in range(MOST + 1)])

    def count(self, tried: Iterable[Try]) -> None:
        """Adds what one episode tried."""
        for one in tried:
            for name in {one.action, one.action_type, ANY}:
                tally = self._known[name][one.earlier]
                tally[0] += one.tries
                tally[1] += one.wins

    def tally(self, name: int, earlier: int) -> Tally:
        return self._known[name][earlier] if name in self._known else [0.0, 0.0]


def place_of(state: str) -> str:
    """What stays the same of a situation while an agent looks around: all of its parts but the last."""
    parts = parts_of(state)
    return "\n".join(parts[:-1]) or parts[0]


def earlier_tries(steps: Iterable[tuple[str, str]]) -> list[int]:
    """Of each state and action, how often it was tried in the same place before."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for state, action in steps:
        key = (place_of(state), action)
        found.append(min(seen[key], MOST))
        seen[key] += 1
    return found


def patience(
    channels: Sequence[Repeats],
    actions: Sequence[tuple[int, int]],
    earlier: Sequence[int],
    pseudo_counts: float,
) -> NDArray[np.float64]:
    """What another try of each action is worth, of what the first one was.

    The chance of the next try is backed off from the action to its type and to any action, and there from one number
    of tries to the number before it.
    """
    if not channels or not any(earlier):
        return np.ones(len(actions))
    highest = max(earlier)
    of_any = [_summed(channels, ANY, count) for count in range(highest + 1)]
    known = [
        float(backed_off(of_any[: count + 1], pseudo_counts=pseudo_counts)) for count in range(highest + 1)
    ]

    def chance(action: tuple[int, int], count: int) -> float:
        levels = [_summed(channels, name, count) for name in reversed(action)]
        return float(backed_off(levels, prior=known[count], pseudo_counts=pseudo_counts))

    return np.array(
        [
            chance(action, count) / chance(action, 0) if count else 1.0
            for action, count in zip(actions, earlier, strict=True)
        ]
    )


def _summed(channels: Sequence[Repeats], name: int, earlier: int) -> tuple[float, float]:
    tallies = [one.tally(name, earlier) for one in channels]
    return sum(tally[0] for tally in tallies), sum(tally[1] for tally in tallies)
