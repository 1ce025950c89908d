"""Which hits of a recall were better than which, by what people said of them."""

from collections.abc import Collection, Mapping, Sequence


def preferred(
    hits: Sequence[str], judged: Mapping[str, bool], now: Collection[str]
) -> tuple[list[str], list[str]]:
    """What was better and what was worse among the hits of one recall, best first; `now` are those judged just now.

    What helped is better than what did not, and than what stood above it and nobody spoke for: whoever found help
    further down has passed it by (Joachims, 2002: "clicked > skipped above"). What did not help says nothing of what
    was not judged. Both are empty where there is nothing to compare.

    >>> preferred(["a", "b", "c", "d"], {"c": True}, ["c"])
    (['c'], ['a', 'b'])
    >>> preferred(["a", "b", "c"], {"a": False}, ["a"]), preferred(["a", "b", "c"], {"a": False, "c": True}, ["a"])
    (([], []), (['c'], ['a']))
    """
    helped = [hit for hit in hits if judged.get(hit) is True]
    failed = [hit for hit in hits if judged.get(hit) is False]
    fresh = [hit for hit in helped if hit in now]
    if fresh:
        above = hits[: hits.index(fresh[-1])]
        better, worse = fresh, [hit for hit in hits if hit in failed or (hit in above and hit not in judged)]
    else:
        better, worse = helped, [hit for hit in failed if hit in now]
    return (better, worse) if better and worse else ([], [])
