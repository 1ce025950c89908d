"""Asking a filled store a set's questions, and where in the answers the gold stands."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.evals.metrics import Rank, by_group, gold_ranks
from recollect.evals.model import Corpus, Question
from recollect.evals.stores import LOG_ALONE, Filled, Moving
from recollect.model import NO_MAPPING
from recollect.ports import Embedder, Progress
from recollect.recall.hits import Hit, Recall

BASELINES: Mapping[str, str] = MappingProxyType({"bm25": "words", "dense": "meaning", "rrf": "ranks"})
"""The plain methods, by the profile that is each of them."""
DEPTH = 20
GROUPED_DEPTH = 200
"""Sessions rank by their best item, so that many items are asked for to see twenty sessions."""
BEFORE = timedelta(microseconds=1)
WARMING_UP = "what is there?"


@dataclass(frozen=True, slots=True)
class Method:
    """How the questions are to be answered."""

    profile: str | None = None
    ablate: tuple[str, ...] = ()
    baseline: str | None = None
    deep: bool = False
    """Whether neighbours correct every question's scores."""

    def __post_init__(self) -> None:
        if self.baseline is not None and self.baseline not in BASELINES:
            raise InvalidInput(f"no baseline {self.baseline!r}; there are: {', '.join(BASELINES)}")
        if self.baseline is not None and self.profile is not None:
            raise InvalidInput("a baseline is a profile of its own: give one of --baseline and --profile")

    @property
    def settings(self) -> Mapping[str, Any]:
        """Of the stores that are asked: a plain method finds what was said, and knows of nothing that was formed."""
        return NO_MAPPING if self.baseline is None else LOG_ALONE

    def options(self) -> dict[str, Any]:
        """As `recall` takes them."""
        profile = self.profile if self.baseline is None else BASELINES[self.baseline]
        chosen: dict[str, Any] = {} if profile is None else {"profile": profile}
        return (
            chosen | ({"ablate": self.ablate} if self.ablate else {}) | ({"deep": True} if self.deep else {})
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the gold of one question stands in its answer."""

    type: str
    ranks: tuple[Rank, ...]
    newer: tuple[Rank, ...]
    older: tuple[Rank, ...]
    elapsed_ms: float


def checked(method: Method, embedder: Embedder) -> str:
    """The name of the profile that will rank; a method that recall does not know is told before stores are filled."""
    with Recollect(":memory:", user="eval", channel="_global", embedder=embedder) as memory:
        return memory.recall("?", learn=False, **method.options()).trace.profile


def outcomes(
    corpus: Corpus, store: Filled, embedder: Embedder, method: Method, heard: Progress | None = None
) -> Iterator[Outcome | None]:
    """One a question; None where no evidence of it is in the store."""
    clock = Moving(store.ended_at)
    known = {key for keys in store.keys.values() for key in keys}
    with store.opened(embedder, clock) as memory:
        # The first recall opens the index, which is no question's doing; small talk would not.
        memory.recall(WARMING_UP, learn=False, **method.options())
        for done, question in enumerate(corpus.questions, 1):
            gold = [key for key in question.gold if key in known]
            yield _outcome(question, gold, corpus, store, memory, clock, method) if gold else None
            if heard is not None:
                heard(done, len(corpus.questions))


def _outcome(
    question: Question,
    gold: Sequence[str],
    corpus: Corpus,
    store: Filled,
    memory: Recollect,
    clock: Moving,
    method: Method,
) -> Outcome:
    options = method.options() | {"k": GROUPED_DEPTH if corpus.grouped else DEPTH, "learn": False}
    if question.before is not None:
        moment = store.recorded_at[question.before] - BEFORE
        clock.set(moment)
        options["as_of"] = moment
    began = time.perf_counter()
    found = memory.recall(question.text, **options)
    elapsed_ms = (time.perf_counter() - began) * 1e3
    hits = standing(found, store.keys)
    ranking: Sequence[tuple[str, ...]] = by_group(hits) if corpus.grouped else hits
    return Outcome(
        question.type,
        ranks=gold_ranks(ranking, gold),
        newer=gold_ranks(ranking, question.newer),
        older=gold_ranks(ranking, question.older),
        elapsed_ms=elapsed_ms,
    )


def standing(found: Recall | Sequence[Hit], keys: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """What each hit stands for: its own item, or what it was formed from."""
    return [
        tuple(dict.fromkeys(key for one in (hit.id, *hit.sources) for key in keys.get(one, ())))
        for hit in found
    ]
