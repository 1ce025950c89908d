"""Hits from more than one memory as one list: one's own come first where they are strong, whatever others offer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from recollect.recall.hits import LIBRARY, SHARED, Hit

EXPLORING: Final = 1
"""So many places are kept for what nobody has proved yet, or it would never be."""
UNKNOWN_QUALITY: Final = 0.5


@dataclass(frozen=True, slots=True)
class MergeParams:
    """From where on something is strong, and worth showing at all."""

    strong: float = 0.7
    weak: float = 0.4
    """What others have and is less likely about the question is left out."""
    strong_similarity: float = 0.5
    """The same by cosine, where the embedder's relevance was not measured."""
    weak_similarity: float = 0.25
    vicarious: float = 0.9
    """What something counts that others went through (C33)."""


MERGE: Final = MergeParams()


def merged(
    own: Sequence[Hit], published: Iterable[Hit], k: int, params: MergeParams = MERGE
) -> tuple[Hit, ...]:
    """The document's order (M21): strong own, proven published, weak own, published that nobody has proved.

    Each part keeps its own order; the published stand by how likely they are about the question and how well they
    served others. The last place of all is kept for an unproven one that is strongly about the question.
    """
    worth = [hit for hit in published if _likely(hit) >= _weak(hit, params)]
    ranked = sorted(worth, key=lambda hit: -_likely(hit) * _quality(hit))
    proven = [hit for hit in ranked if _is_strong(hit, params) and _quality(hit) > UNKNOWN_QUALITY]
    exploratory = [hit for hit in ranked if hit not in proven]
    strong = [hit for hit in own if _is_strong(hit, params)]
    weak = [hit for hit in own if hit not in strong]
    best = [*strong, *proven, *weak]
    kept = min(EXPLORING, sum(_is_strong(hit, params) for hit in exploratory))
    # One's own strong hits are never given up for something that nobody has tried.
    places = max(k - kept, min(len(strong), k))
    return tuple([*best[:places], *exploratory][:k])


def interleaved(
    own: Sequence[Hit], vicarious: Iterable[Hit], k: int, params: MergeParams = MERGE
) -> tuple[Hit, ...]:
    """One's own hits, and among them what others shared, each where it is as likely; the own order stays."""
    worth = [hit for hit in vicarious if _likely(hit) >= _weak(hit, params)]
    others = sorted((_lessened(hit, params.vicarious) for hit in worth), key=lambda hit: -_likely(hit))
    found: list[Hit] = []
    left = list(others)
    for hit in own:
        while left and _likely(left[0]) * params.vicarious > _likely(hit):
            found.append(left.pop(0))
        found.append(hit)
    return tuple([*found, *left][:k])


def _lessened(hit: Hit, factor: float) -> Hit:
    """The hit at its vicarious worth; what each signal gave still adds up."""
    signals = {name: value * factor for name, value in hit.signals.items()}
    return replace(hit, score=hit.score * factor, signals=signals)


def _likely(hit: Hit) -> float:
    return hit.similarity if hit.relevance is None else hit.relevance


def _weak(hit: Hit, params: MergeParams) -> float:
    return params.weak_similarity if hit.relevance is None else params.weak


def _is_strong(hit: Hit, params: MergeParams) -> bool:
    return _likely(hit) >= (params.strong_similarity if hit.relevance is None else params.strong)


def _quality(hit: Hit) -> float:
    return hit.values.get("quality", UNKNOWN_QUALITY)


def whose(hit: Hit) -> str:
    """Who a hit comes from, in words; nothing where it is one's own."""
    by = hit.memory.metadata.get("author", "")
    return {LIBRARY: f"published by {by}", SHARED: f"shared by {by}"}.get(hit.whence, "")
