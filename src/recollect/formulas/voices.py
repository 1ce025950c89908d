"""What many accounts tell of an item, so that none of them can be heard out of it and none can shout.

Each account has one voice: the share of its uses that went well. Accounts that tell of the same items far more
often than chance would have it count together as about one. What is released is noised.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class VoiceParams:
    """The parameters of privacy, and how much it takes to be believed."""

    group: int = 5
    """Of fewer accounts nothing is told."""
    epsilon: float = 2.0
    """How well it is hidden in one release what an account told: of differential privacy, for its outcome."""
    count_epsilon: float = 1.0
    """The same for whether it told anything."""
    prior: float = 4.0
    """How many voices it takes to be as far from a half as they say, by half."""
    growth: float = 1.5
    """Something is released again when so many times as many accounts have told."""
    patience: float = 3.0
    """How many items that two tell of together beyond chance make them count as about one."""
    skew: float = 20.0
    """How many times fewer items than there are chance may be taken to choose among, where few get most uses."""
    compared: int = 200
    """With how many others an account is compared at most, of one item."""


VOICES = VoiceParams()


@dataclass(frozen=True, slots=True)
class Release:
    """What is told of an item: a share from 0 to 1, and about how many told."""

    score: float
    voices: int


def together(both: int, mine: int, theirs: int, items: float, patience: float = VOICES.patience) -> float:
    """How far two accounts are one, by how many items they both tell of.

    Equation: 1 − exp(−max(0, both − e − 2√e) / patience), with e = mine · theirs / items, what chance gives.
    Source: ours; after pairwise-bounded coordination (Buterin, 2019), which weakens those who always agree.
    Range: [0, 1); 0 up to two deviations above chance.

    >>> together(1, 100, 100, 10_000), round(together(99, 100, 100, 10_000), 3)
    (0.0, 1.0)
    """
    chance = mine * theirs / max(items, 1.0)
    excess = both - chance - 2.0 * math.sqrt(chance)
    return 1.0 - math.exp(-max(0.0, excess) / patience)


def alike(tellers: Iterable[int], params: VoiceParams = VOICES) -> float:
    """Of how many items, all told of alike, chance would have two accounts tell of the same ones as often as of these.

    Equation: N(N − 1) / Σ n(n − 1), with n how many accounts tell of each item and N = Σ n; at most their number, and
    at least that by `skew`.
    Source: the inverse of Simpson's index, without bias (Simpson, 1949): two who use what everybody uses are not one
    for that. The bound is ours: a group that tells more than all others cannot make its items everybody's.
    Range: from items / skew, where nearly all tell of few items, to their number, where all are told of alike.

    >>> alike([10] * 50), alike([100] + [1] * 49)
    (50.0, 2.5)
    """
    counts = list(tellers)
    total, pairs = sum(counts), sum(n * (n - 1) for n in counts)
    evenly = total * (total - 1) / pairs if pairs else math.inf
    return max(min(evenly, float(len(counts))), len(counts) / params.skew)


def weights(
    accounts: Sequence[str],
    told: Mapping[str, int],
    items: float,
    rng: np.random.Generator,
    params: VoiceParams = VOICES,
) -> list[float]:
    """How much of a voice each account has about one item that all of them tell of: 1 / (1 + Σ together).

    `told` has for each account the items that it tells of, as the bits of a number; the item at hand says nothing.
    `items` is how many there are, told of alike (`alike`).
    """
    heard = []
    for account in accounts:
        others = [one for one in accounts if one != account]
        share = 1.0
        if len(others) > params.compared:
            share = len(others) / params.compared
            others = [others[place] for place in rng.choice(len(others), params.compared, replace=False)]
        mine = told[account].bit_count() - 1
        bound = sum(
            together(
                (told[account] & told[one]).bit_count() - 1,
                mine,
                told[one].bit_count() - 1,
                items,
                params.patience,
            )
            for one in others
        )
        heard.append(1.0 / (1.0 + share * bound))
    return heard


def release(
    outcomes: Sequence[float],
    heard: Sequence[float],
    rng: np.random.Generator,
    params: VoiceParams = VOICES,
) -> Release | None:
    """What may be told of an item; None where too few told.

    Equation: ½ + (Σ w(x − ½) + L(1/ε)) / (n + prior), with n = Σ w + L(1/ε_n), and L the Laplace distribution.
    Source: Laplace mechanism (Dwork et al., 2006). One account's outcome x moves the sum by at most w ≤ 1, and its
    presence n by at most 1; its weight depends on who tells of what, never on what they tell.
    Range: score [0, 1]; voices at least `group`.
    """
    if len(outcomes) < params.group:
        return None
    leaning = sum(w * (x - 0.5) for w, x in zip(heard, outcomes, strict=True))
    leaning += float(rng.laplace(0.0, 1.0 / params.epsilon))
    count = sum(heard) + float(rng.laplace(0.0, 1.0 / params.count_epsilon))
    if count < params.group:
        return None
    score = 0.5 + leaning / (count + params.prior)
    return Release(min(max(score, 0.0), 1.0), round(count))
