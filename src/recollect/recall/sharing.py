"""One step on without a title: what names the same as one of the best hits, and goes on where that hit stops.

Of a question of several hops the second passage often has another title than what leads to it: the missile's maker is
told in the passage on the company that it became. A name that few texts have leads there.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.language.names import name_key
from recollect.language.terms import term_hashes
from recollect.model import Memory
from recollect.recall import hopping
from recollect.recall.close_reading import Read
from recollect.recall.naming import newly_named
from recollect.recall.work import Sources, Work

FEW = 10
"""A name that more texts have leads nowhere; with 20, the best hits of HotpotQA are crowded out."""
LED = 30
"""So many are brought at most, lest what the question itself finds be crowded out."""
AT_LEAST, GOING_ON = 0.5, 1.5
"""What a lead counts where it covers nothing more of the question, and what it gains by covering all the rest."""

Leads = Mapping[int, Sequence[tuple[int, float]]]
"""By content, the hits that share a name with it, and how strongly each leads there."""


def shared_names(work: Work, sources: Sources) -> dict[str, object]:
    """What shares a rare name with one of the best hits is weighed with them."""
    if "shared_names" not in work.profile.weights:
        return {}
    work.shared = leads(hopping.best(work, sources), work, sources) if work.found.titled else {}
    return {"sharing": len(work.shared)}


def leads(best: Sequence[tuple[Memory, float]], work: Work, sources: Sources) -> Leads:
    """Where the names lead that one of the best has and the question has not, the strongest leads first."""
    named = [
        (memory.content, score, term_hashes(name))
        for memory, score in best
        for name in _but_its_own(newly_named(work, memory), memory)
    ]
    found: dict[int, list[tuple[int, float]]] = {}
    bearing = sources.index.naming([terms for *_, terms in named], work.where)
    for (hit, score, _), contents in zip(named, bearing, strict=True):
        others = [content for content in contents.tolist() if content != hit]
        if len(others) <= FEW:
            for content in others:
                found.setdefault(content, []).append((hit, strength(score, len(others))))
    strongest = sorted(found, key=lambda one: (-max(strong for _, strong in found[one]), -one))[:LED]
    return {content: found[content] for content in strongest}


def _but_its_own(named: Iterable[str], memory: Memory) -> Iterator[str]:
    """Without the text's title, which `hopping` follows."""
    title = memory.metadata.get("title")
    own = name_key(title) if isinstance(title, str) else None
    return (name for name in named if own is None or name_key(name) != own)


def strength(score: float, others: int) -> float:
    """How strongly a hit leads to each of some others by a name: the fewer they are, the more.

    Equation: s / √n.

    >>> strength(0.8, 1), strength(0.8, 4)
    (0.8, 0.4)
    """
    return max(score, 0.0) / math.sqrt(others)


def going_on(there: NDArray[np.float64], here: NDArray[np.float64], rarity: NDArray[np.float64]) -> float:
    """Which share of what a hit leaves open of the question another text covers.

    Equation: Σ w max(m' - m, 0) / Σ w (1 - m), over the question's words, w how rare each is, m and m' how well the
    hit and the other text match it.
    Range: [0, 1].

    >>> going_on(np.array([0.2, 1.0]), np.array([1.0, 0.5]), np.array([3.0, 1.0]))
    1.0
    >>> going_on(np.array([1.0, 0.5]), np.array([1.0, 0.5]), np.array([3.0, 1.0]))
    0.0
    """
    left = float(rarity @ (1.0 - here))
    covered = float(rarity @ np.maximum(there - here, 0.0))
    return covered / left if left > 0 else 0.0


def column(
    contents: NDArray[np.int64], found: Leads, closely: Read | None, rarity: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How much each of the contents is led to, up to 1; 0 where nothing leads."""
    led = np.zeros(len(contents))
    place = {content: at for at, content in enumerate(contents.tolist())}
    matches = None if closely is None else np.clip(closely.matches, 0.0, 1.0).astype(np.float64)

    def counts(at: int, hit: int) -> float:
        if matches is None or hit not in place:
            return AT_LEAST
        return AT_LEAST + GOING_ON * going_on(matches[at], matches[place[hit]], rarity)

    for content, hits in found.items():
        at = place.get(content)
        if at is not None:
            led[at] = min(max(strong * counts(at, hit) for hit, strong in hits), 1.0)
    return led
