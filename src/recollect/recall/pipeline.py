"""The read path: a tuple of stages over one piece of work, each timed for the trace."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.language.terms import query_terms, term_hashes
from recollect.model import Filter, Memory, microseconds
from recollect.ports import Candidates, Columns, Embedder, Store
from recollect.recall.hits import Hit, Recall, Step, Trace
from recollect.recall.profiles import Profile, profile
from recollect.recall.query import Query
from recollect.recall.signals import SIGNALS, Evidence

OVERFETCH = 3
"""Each arm brings three times as many as are asked for (C13); more found nothing more on LoCoMo."""


class Search(Protocol):
    """The derived index of one user, as the read path needs it."""

    def search(
        self, vector: NDArray[np.float32] | None, terms: NDArray[np.uint32], where: Filter, limit: int
    ) -> Candidates: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """What the stages read from."""

    store: Store
    user: str
    embedder: Embedder
    index: Search
    candidates: int
    """How many each search arm brings at least."""


@dataclass(slots=True)
class Work:
    """One recall in progress; each stage fills in its part."""

    query: Query
    profile: Profile
    now: datetime
    where: Filter
    vector: NDArray[np.float32] | None = None
    terms: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    candidates: Candidates | None = None
    columns: Columns | None = None
    values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    scores: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    order: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    hits: tuple[Hit, ...] = ()


Stage = Callable[[Work, Sources], dict[str, object]]


def read(work: Work, sources: Sources) -> dict[str, object]:
    """The question's vector and terms."""
    words = query_terms(work.query.text)
    work.terms = term_hashes(" ".join(words)) if words else work.terms
    work.terms = np.unique(work.terms)
    work.vector = sources.embedder.embed([work.query.text])[0]
    return {"terms": words[:50]}


def search(work: Work, sources: Sources) -> dict[str, object]:
    """The candidates of each arm, from the derived index."""
    limit = max(sources.candidates, OVERFETCH * work.query.k)
    work.candidates = sources.index.search(work.vector, work.terms, work.where, limit)
    return {
        arm.name: {"eligible": arm.eligible, "found": arm.found, "ms": round(arm.elapsed_ms, 3)}
        for arm in work.candidates.arms
    }


def weigh(work: Work, sources: Sources) -> dict[str, object]:
    """Every signal as a column over the candidates that the store confirms."""
    found = work.candidates
    assert found is not None  # noqa: S101 - the stage before set it
    columns = sources.store.columns(sources.user, found.contents, work.where)
    # The store's answer is sorted by content: line the index's columns up with it.
    order = np.argsort(found.contents, kind="stable")
    places = order[np.searchsorted(found.contents, columns.contents, sorter=order)]
    evidence = Evidence(
        similarity=found.similarity[places].astype(np.float64),
        centred=found.centred[places].astype(np.float64),
        text=found.text[places].astype(np.float64),
        columns=columns,
        in_session=_in_session(work, sources, columns),
        now=microseconds(work.query.as_of or work.now),
    )
    work.columns = columns
    work.values = {name: SIGNALS[name](evidence) for name in work.profile.weights}
    return {"candidates": len(found.contents), "confirmed": len(columns.contents)}


def rank(work: Work, _: Sources) -> dict[str, object]:
    """Best first; what scores the same stands newest first, so that the order is always the same."""
    assert work.columns is not None  # noqa: S101 - the stage before set it
    weights = work.profile.weights
    work.scores = np.zeros(len(work.columns.contents))
    for name, column in work.values.items():
        work.scores += weights[name] * column
    work.order = np.lexsort((-work.columns.contents, -work.scores))[: work.query.k]
    return {"ranked": len(work.scores)}


def load(work: Work, sources: Sources) -> dict[str, object]:
    """The memories themselves, with each signal's contribution."""
    assert work.columns is not None  # noqa: S101 - the stage before set it
    contents = work.columns.contents[work.order]
    memories: dict[int, Memory] = {
        m.content: m for m in sources.store.shown(sources.user, contents.tolist(), work.where)
    }
    hits = []
    for place, content in zip(work.order.tolist(), contents.tolist(), strict=True):
        values = {name: float(column[place]) for name, column in work.values.items()}
        signals = {name: work.profile.weights[name] * value for name, value in values.items()}
        hits.append(Hit(memories[content], float(work.scores[place]), signals, values))
    work.hits = tuple(hits)
    return {"hits": len(hits)}


ASKING: tuple[Stage, ...] = (read,)
"""Before the store is looked at: a slow embedder must not hold a view of it open."""
ANSWERING: tuple[Stage, ...] = (search, weigh, rank, load)
"""In one consistent view of the store."""


def recall(query: Query, sources: Sources, now: datetime) -> Recall:
    """Runs the stages over one question."""
    chosen = profile(query.profile)
    work = Work(query, chosen, now, query.filter(now))
    steps = [_timed(stage, work, sources) for stage in ASKING]
    with sources.store.reading():
        steps += [_timed(stage, work, sources) for stage in ANSWERING]
    return Recall(query.text, work.hits, Trace(query.as_of or now, chosen.name, chosen.weights, tuple(steps)))


def _timed(stage: Stage, work: Work, sources: Sources) -> Step:
    began = time.perf_counter()
    detail = stage(work, sources)
    return Step(stage.__name__, (time.perf_counter() - began) * 1e3, detail)


def _in_session(work: Work, sources: Sources, columns: Columns) -> NDArray[np.float64]:
    if work.query.session is None or "same_session" not in work.profile.weights:
        return np.zeros(len(columns.contents))
    mine = sources.store.columns(
        sources.user, columns.contents, replace(work.where, session=work.query.session)
    )
    return np.isin(columns.contents, mine.contents).astype(np.float64)
