"""How well a ranking finds what answers: pure functions of the ranks at which the gold stands."""

import math
from collections.abc import Collection, Iterable, Sequence

Rank = int | None
"""From 1; None is not found."""


def gold_ranks(hits: Sequence[Collection[str]], gold: Sequence[str]) -> tuple[Rank, ...]:
    """For each gold key the rank of the first hit that stands for it; a hit may stand for several keys.

    >>> gold_ranks([("a",), ("b", "c"), ("a",)], ["c", "a", "x"])
    (2, 1, None)
    """
    first: dict[str, int] = {}
    for rank, keys in enumerate(hits, 1):
        for key in keys:
            first.setdefault(key, rank)
    return tuple(first.get(key) for key in gold)


def by_group(hits: Iterable[Collection[str]]) -> list[tuple[str]]:
    """The keys by their best hit: where items share a session's key, the ranking of sessions.

    >>> by_group([("s2",), ("s1",), ("s2",)])
    [('s2',), ('s1',)]
    """
    return [(key,) for key in dict.fromkeys(key for keys in hits for key in keys)]


def recall_at(ranks: Sequence[Rank], k: int) -> float:
    """The share of the gold within the first k, in [0, 1].

    >>> recall_at((2, 11, None, 10), 10)
    0.5
    """
    return sum(_within(rank, k) for rank in ranks) / len(ranks) if ranks else 0.0


def all_at(ranks: Sequence[Rank], k: int) -> float:
    """1 where all of the gold is within the first k, else 0.

    >>> all_at((2, 10), 10), all_at((2, 11), 10)
    (1.0, 0.0)
    """
    return float(bool(ranks) and all(_within(rank, k) for rank in ranks))


def ndcg_at(ranks: Sequence[Rank], k: int) -> float:
    """Normalised discounted cumulative gain of the first k (Järvelin and Kekäläinen 2002), in [0, 1].

    Σ 1/log2(rank + 1) over the gold that was found, as a share of what the ideal order would give. Hits that
    stand for several gold keys could beat that ideal, so it is capped.

    >>> ndcg_at((1, 2), 10), round(ndcg_at((2,), 10), 4)
    (1.0, 0.6309)
    """
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank is not None and rank <= k)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(ranks), k) + 1))
    return min(1.0, gained / ideal) if ideal else 0.0


def stands_above(upper: Sequence[Rank], lower: Sequence[Rank]) -> bool:
    """Whether the best of the one stands above the best of the other; what was not found stands last.

    >>> stands_above((3, None), (5,)), stands_above((3,), (None,)), stands_above((None,), (None,))
    (True, True, False)
    """
    return _best(upper) < _best(lower)


def _best(ranks: Sequence[Rank]) -> float:
    return min((math.inf if rank is None else rank for rank in ranks), default=math.inf)


def _within(rank: Rank, k: int) -> bool:
    return rank is not None and rank <= k
