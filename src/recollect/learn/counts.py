"""The region MDP: what was tried in each region, how it ended, and where it led.

Actions are known by a hash, so that nothing that a purge must find is kept here.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.backoff import backed_off
from recollect.given import sound
from recollect.learn.repeats import Repeats, Tally


@dataclass(frozen=True, slots=True)
class Tried:
    """An action that an episode tried in a region, once however often it was repeated."""

    regions: tuple[str, ...]
    """At each level, the finest first."""
    action: int
    action_type: int
    tries: float
    wins: float


@dataclass(slots=True)
class Region:
    """What is known of one region."""

    whole: Tally = field(default_factory=lambda: [0.0, 0.0])
    types: dict[int, Tally] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    actions: dict[int, Tally] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    rewards: dict[int, Tally] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    """By action, how many of its steps told a reward, and their sum."""
    next: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))

    def count(self, tried: Tried) -> None:
        for tally in (self.whole, self.types[tried.action_type], self.actions[tried.action]):
            tally[0] += tried.tries
            tally[1] += tried.wins


NOTHING: Tally = [0.0, 0.0]
Counted = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Tries and wins of some actions."""


class Counts:
    """The MDP of one channel."""

    def __init__(self) -> None:
        self.regions: dict[str, Region] = defaultdict(Region)
        self.seen: dict[int, dict[int, Tally]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
        """By situation, to the letter but for its numbers, what was tried there."""
        self.repeats = Repeats()

    def count(self, tried: Iterable[Tried], moves: Iterable[tuple[str, int, str]]) -> None:
        """Adds what one episode tried, and which region each action led to."""
        for one in tried:
            for region in one.regions:
                self.regions[region].count(one)
        for region, action, following in moves:
            self.regions[region].next[action][following] += 1

    def see(self, tried: Iterable[tuple[int, int, float, float]]) -> None:
        """Adds what one episode tried in which situation."""
        for situation, action, tries, wins in tried:
            tally = self.seen[situation][action]
            tally[0] += tries
            tally[1] += wins

    def reward(self, told: Iterable[tuple[Sequence[str], int, Any]]) -> None:
        """Adds the rewards that the steps of one episode told: where, of which action, and how much.

        An older record may hold what is no number.
        """
        for regions, action, said in told:
            reward = sound(said)
            if reward is None:
                continue
            for region in regions:
                tally = self.regions[region].rewards[action]
                tally[0] += 1.0
                tally[1] += reward


class Chances(NamedTuple):
    """P(success | region, action) of some actions, and the tries and wins of each in what is known of the situation."""

    expected: NDArray[np.float64]
    counted: Counted


def chances(
    channels: Sequence[Counts],
    regions: Sequence[str | None],
    actions: Sequence[tuple[int, int]],
    pseudo_counts: float,
    here: Counted | None = None,
) -> Chances:
    """What each action promises in a situation that lies in these regions, the finest first.

    What is known of the action in the very same situation (`here`) is backed off to the action in the finest region,
    in the coarser ones, to its type there, and to the coarsest region as a whole.
    """
    known = [name for name in reversed(regions) if name is not None]
    nothing = np.zeros(len(actions))
    whole: tuple[float, float] = (0.0, 0.0)
    types = (nothing, nothing)
    tallies = []
    for depth, name in enumerate(known):
        there = [counts.regions[name] for counts in channels if name in counts.regions]
        if depth == 0:
            whole = (sum(r.whole[0] for r in there), sum(r.whole[1] for r in there))
            types = _summed([[r.types.get(kind, NOTHING) for r in there] for _, kind in actions])
        tallies.append(_summed([[r.actions.get(action, NOTHING) for r in there] for action, _ in actions]))
    if not tallies:
        return Chances(np.full(len(actions), float(backed_off([]))), (nothing, nothing))
    expected = backed_off([whole, types, *tallies], pseudo_counts=pseudo_counts)
    if here is not None:
        tries, wins = here
        expected = (wins + pseudo_counts * expected) / (tries + pseudo_counts)
    return Chances(expected, tallies[0])


def tried_here(channels: Sequence[Counts], situation: int, actions: Sequence[int]) -> Counted:
    """The tries and wins of some actions in the very same situation."""
    here = [counts.seen[situation] for counts in channels if situation in counts.seen]
    return _summed([[tallies.get(action, NOTHING) for tallies in here] for action in actions])


def quality(channels: Sequence[Counts], region: str, pseudo_counts: float) -> float:
    """The share of what was tried in a region that went well, shrunk towards a half."""
    here = [counts.regions[region].whole for counts in channels if region in counts.regions]
    return float(
        backed_off([(sum(w[0] for w in here), sum(w[1] for w in here))], pseudo_counts=pseudo_counts)
    )


def mean_reward(channels: Sequence[Counts], region: str, action: int) -> float | None:
    """The mean of the rewards that were told of an action in a region; None where none was."""
    here = [counts.regions[region].rewards for counts in channels if region in counts.regions]
    tallies = [rewards[action] for rewards in here if action in rewards]
    return sum(one[1] for one in tallies) / sum(one[0] for one in tallies) if tallies else None


def transitions(channels: Sequence[Counts], region: str, action: int) -> dict[str, float]:
    """P(next region | region, action), as it was counted; the last step of an episode leads to `won` or `lost`."""
    led: dict[str, int] = defaultdict(int)
    for counts in channels:
        if region in counts.regions:
            for following, times in counts.regions[region].next.get(action, {}).items():
                led[following] += times
    total = sum(led.values())
    return {following: times / total for following, times in sorted(led.items(), key=lambda one: -one[1])}


def _summed(tallies: list[list[Tally]]) -> Counted:
    tries = np.array([sum(one[0] for one in several) for several in tallies], np.float64)
    wins = np.array([sum(one[1] for one in several) for several in tallies], np.float64)
    return tries, wins
