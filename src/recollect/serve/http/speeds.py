"""How fast answers come, read off a histogram."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Speed:
    """How many requests there were, and within how many seconds most of them were answered."""

    count: int
    p50: float
    p95: float
    p99: float


def speed(buckets: Iterable[tuple[float, float]]) -> Speed:
    """From (seconds, how many took at most so long), in order."""
    known = sorted(buckets)
    count = int(known[-1][1]) if known else 0
    return Speed(count, *(quantile(known, share) for share in (0.5, 0.95, 0.99)))


def quantile(buckets: Sequence[tuple[float, float]], share: float) -> float:
    """The seconds within which a share of all was answered: a straight line within a bucket.

    What took longer than the last bucket tells is told as that.

    >>> quantile([(0.1, 10.0), (0.2, 20.0), (math.inf, 20.0)], 0.75)
    0.15000000000000002
    """
    if not buckets or not buckets[-1][1]:
        return 0.0
    wanted = share * buckets[-1][1]
    below, before = 0.0, 0.0
    for bound, count in buckets:
        if count >= wanted and count > before:
            return (
                below if math.isinf(bound) else below + (bound - below) * (wanted - before) / (count - before)
            )
        below, before = (below if math.isinf(bound) else bound), count
    return below
