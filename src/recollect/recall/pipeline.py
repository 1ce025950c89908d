"""The read path: a tuple of stages over one piece of work, each timed for the trace."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.language.first_person import first_person
from recollect.language.terms import query_terms, term_hashes
from recollect.model import Filter, Memory, microseconds
from recollect.ports import Asked, Candidates, Columns, Embedder, Store, WordEmbedder, Words
from recollect.recall import hopping
from recollect.recall.close_reading import Read, read_closely
from recollect.recall.hits import Hit, Recall, Step, Trace
from recollect.recall.layers import active
from recollect.recall.profiles import Profile, profile
from recollect.recall.query import Query
from recollect.recall.search import Search
from recollect.recall.signals import SIGNALS, Evidence

OVERFETCH = 3
"""Each arm brings three times as many as are asked for (C13)."""
READ_CLOSELY = 100
"""So many of the candidates, or three times as many as are asked for, are read word by word."""
MOST_READ = 400
SHORT_QUESTION_WORDS = 40
"""A longer one is a message of its own, in which "I" says little about who is to be heard."""


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
    layers: frozenset[str]
    now: datetime
    where: Filter
    asked: Asked = field(default_factory=lambda: Asked(None, np.empty(0, np.uint32)))
    words: Words | None = None
    leads: Mapping[int, float] = field(default_factory=dict)
    candidates: Candidates | None = None
    columns: Columns | None = None
    values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    scores: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    order: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    hits: tuple[Hit, ...] = ()

    @property
    def found(self) -> Candidates:
        assert self.candidates is not None  # noqa: S101 - the search sets it
        return self.candidates


Stage = Callable[[Work, Sources], dict[str, object]]


def read(work: Work, sources: Sources) -> dict[str, object]:
    """The question's vector, its terms and its words."""
    terms = query_terms(work.query.text)
    hashes = np.unique(term_hashes(" ".join(terms))) if terms else np.empty(0, np.uint32)
    if "late_interaction" in work.layers and isinstance(sources.embedder, WordEmbedder):
        vectors, (work.words,) = sources.embedder.encode([work.query.text])
        work.asked = Asked(vectors[0], hashes, work.words.terms)
    else:
        work.asked = Asked(sources.embedder.embed([work.query.text])[0], hashes)
    return {"terms": terms[:50]}


def search(work: Work, sources: Sources) -> dict[str, object]:
    """The candidates of each arm, from the derived index."""
    limit = max(sources.candidates, OVERFETCH * work.query.k)
    found = sources.index.search(work.asked, work.where, limit)
    work.candidates = found if "context" in work.layers else _alone(found)
    return {
        arm.name: {"eligible": arm.eligible, "found": arm.found, "ms": round(arm.elapsed_ms, 3)}
        for arm in found.arms
    }


def shortlist(work: Work, _: Sources) -> dict[str, object]:
    """Those that are worth reading closely, by their words and their meaning."""
    found = work.found
    keep = min(max(READ_CLOSELY, OVERFETCH * work.query.k), MOST_READ)
    if len(found.contents) > keep:
        rough = (
            _part(found.text_nearby) + _part(np.nan_to_num(found.centred)) + 0.3 * _part(found.session_text)
        )
        rough[np.isin(found.contents, work.asked.also)] = np.inf
        chosen = np.sort(np.lexsort((-found.contents, -rough))[:keep])
        work.candidates = found.taking(chosen)
    return {"candidates": len(found.contents), "kept": len(work.found.contents)}


def weigh(work: Work, sources: Sources) -> dict[str, object]:
    """Every signal as a column over the candidates that the store confirms."""
    columns = sources.store.columns(sources.user, work.found.contents, work.where)
    # The store's answer is sorted by content: line the index's columns up with it.
    order = np.argsort(work.found.contents, kind="stable")
    found = work.found.taking(order[np.searchsorted(work.found.contents, columns.contents, sorter=order)])
    closely = None
    if work.words is not None and len(found.contents):
        closely = read_closely(
            sources.store, sources.user, work.words, found, with_context="context" in work.layers
        )
    if closely is None:
        work.profile = work.profile.without("matched_words", "matched_nearby")
    evidence = _evidence(work, found, columns, closely, _in_session(work, sources, columns))
    work.columns = columns
    work.values = {name: SIGNALS[name](evidence) for name in work.profile.weights}
    return {"confirmed": len(columns.contents), "texts_read": 0 if closely is None else closely.texts}


def rank(work: Work, _: Sources) -> dict[str, object]:
    """Best first; what scores the same stands newest first, so that the order is always the same."""
    assert work.columns is not None  # noqa: S101 - the stage before set it
    weights = work.profile.weights
    work.scores = np.zeros(len(work.columns.contents))
    for name, column in work.values.items():
        work.scores += weights[name] * column
    work.order = np.lexsort((-work.columns.contents, -work.scores))[: work.query.k]
    return {"ranked": len(work.scores)}


def hop(work: Work, sources: Sources) -> dict[str, object]:
    """What the best hits name by its title is weighed with them."""
    where = work.where
    if "hop" not in work.layers or "linked" not in work.profile.weights or not len(work.order):
        return {"linked": 0}
    if not hopping.has_titles(sources.index, where):
        return {"linked": 0}
    assert work.columns is not None  # noqa: S101 - an earlier stage set it
    places = work.order[: hopping.FROM]
    scores = dict(zip(work.columns.contents[places].tolist(), work.scores[places].tolist(), strict=True))
    best = [(m, scores[m.content]) for m in sources.store.shown(sources.user, [*scores], where)]
    work.leads = hopping.named_by(best, work.query.text, sources.index, where)
    if work.leads:
        work.asked = replace(work.asked, also=np.array(sorted(work.leads), np.int64))
        for stage in (search, shortlist, weigh, rank):
            stage(work, sources)
    return {"linked": len(work.leads)}


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
ANSWERING: tuple[Stage, ...] = (search, shortlist, weigh, rank, hop, load)
"""In one consistent view of the store."""


def recall(query: Query, sources: Sources, now: datetime) -> Recall:
    """Runs the stages over one question."""
    chosen = profile(query.profile)
    work = Work(query, chosen, active(query.ablate), now, query.filter(now))
    steps = [_timed(stage, work, sources) for stage in ASKING]
    with sources.store.reading():
        steps += [_timed(stage, work, sources) for stage in ANSWERING]
    trace = Trace(query.as_of or now, work.profile.name, work.profile.weights, tuple(steps))
    return Recall(query.text, work.hits, trace)


def _timed(stage: Stage, work: Work, sources: Sources) -> Step:
    began = time.perf_counter()
    detail = stage(work, sources)
    return Step(stage.__name__, (time.perf_counter() - began) * 1e3, detail)


def _evidence(
    work: Work, found: Candidates, columns: Columns, closely: Read | None, in_session: NDArray[np.float64]
) -> Evidence:
    nothing = np.zeros(len(found.contents))
    own = "own_words" in work.layers and _speaks_of_the_asker(work.query.text)
    return Evidence(
        similarity=found.similarity.astype(np.float64),
        centred=found.centred.astype(np.float64),
        text=found.text.astype(np.float64),
        text_nearby=found.text_nearby.astype(np.float64),
        session_text=found.session_text.astype(np.float64) if "sessions" in work.layers else nothing,
        covered=nothing if closely is None else closely.alone,
        covered_nearby=nothing if closely is None else closely.nearby,
        own=found.own.astype(np.float64) if own else nothing,
        linked=hopping.column(found.contents, work.leads) if work.leads else nothing,
        columns=columns,
        in_session=in_session,
        in_period=nothing,
        now=microseconds(work.query.as_of or work.now),
    )


def _speaks_of_the_asker(text: str) -> bool:
    return len(text) < MOST_ASKED and len(text.split()) <= SHORT_QUESTION_WORDS and first_person(text)


MOST_ASKED = 1_000


def _alone(found: Candidates) -> Candidates:
    """As if nothing had been said around any of them."""
    own = found.around[:, [found.around.shape[1] // 2]]
    return replace(found, text_nearby=found.text, around=own)


def _part(column: NDArray[np.float32]) -> NDArray[np.float32]:
    best = column.max(initial=0.0)
    return column / best if best > 0 else column


def _in_session(work: Work, sources: Sources, columns: Columns) -> NDArray[np.float64]:
    if work.query.session is None or "same_session" not in work.profile.weights:
        return np.zeros(len(columns.contents))
    mine = sources.store.columns(
        sources.user, columns.contents, replace(work.where, session=work.query.session)
    )
    return np.isin(columns.contents, mine.contents).astype(np.float64)
