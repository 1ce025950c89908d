"""The read path: a tuple of stages over one piece of work, each timed for the trace."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Asked, Candidates
from recollect.formulas.ordered import distinct
from recollect.language.terms import contracted, query_terms, term_hashes
from recollect.ports import Words, gives_words
from recollect.recall import fusing, hopping
from recollect.recall.alike import alike
from recollect.recall.asker import asker
from recollect.recall.choosing import cap, diversity, relevant
from recollect.recall.folding import fold
from recollect.recall.hits import Hit, Recall, Step, Trace
from recollect.recall.layers import LAYERS, active
from recollect.recall.levels import WIDER, level, placing, preferred, reach
from recollect.recall.membership import SEASON_WEIGHT
from recollect.recall.outdating import outdated, replacing
from recollect.recall.profiles import Profile, profile
from recollect.recall.query import Query
from recollect.recall.refining import gnn
from recollect.recall.renewing import newest
from recollect.recall.replies import replies
from recollect.recall.sharing import shared_names
from recollect.recall.showing import Unseen, shown
from recollect.recall.spreading import BOOST, WEIGHTS, boost, cascade, hub, pagerank
from recollect.recall.subgraph import Subgraph, subgraph
from recollect.recall.tiering import tiers
from recollect.recall.together import together
from recollect.recall.understanding import expansion, focus, gate, history, lately, parts, period, router
from recollect.recall.weighing import weigh
from recollect.recall.work import Sources, Stage, Work

T = TypeVar("T")
OVERFETCH = 3
"""Each arm brings three times as many as are asked for (C13)."""
READ_CLOSELY = 100
"""So many of the candidates, or three times as many as are asked for, are read word by word."""
MOST_READ = 400
NO_TERMS = np.empty(0, np.uint32)


def ahead(work: Work, sources: Sources) -> dict[str, object]:
    """What the words of the question bring to a large index, while somebody else may be making its vector."""
    if not sources.index.is_large:
        return {}
    with sources.store.reading():
        work.ahead = sources.index.ahead(
            _hashes(query_terms(work.searched)), work.where, _limit(work, sources)
        )
    return {"looked_up": work.ahead is not None}


def read(work: Work, sources: Sources) -> dict[str, object]:
    """The vectors, terms and words of the question and of its parts, in one pass of the embedder."""
    texts = [work.searched, *work.variants, *(part.searched for part in work.parts)]
    words: Sequence[Words | None] = [None] * len(texts)
    if "late_interaction" in work.layers and gives_words(sources.embedder):
        vectors, words = sources.embedder.encode(texts)
    else:
        vectors = sources.embedder.embed(texts)
    statements = 1 + len(work.variants)
    terms = _ask(work, vectors[:statements].mean(axis=0) if work.variants else vectors[0], words[0])
    for part, vector, own in zip(work.parts, vectors[statements:], words[statements:], strict=True):
        _ask(part, vector, own)
    return {"terms": terms[:50]}


def _ask(work: Work, vector: NDArray[np.float32], words: Words | None) -> list[str]:
    terms = query_terms(work.searched)
    work.words = None if words is None else _told(words, work.searched)
    spoken = NO_TERMS if work.words is None else work.words.terms
    work.asked = Asked(vector, _hashes(terms), spoken, ahead=work.ahead)
    return terms


def _told(words: Words, text: str) -> Words:
    """The words of a question that tell something, unless none does."""
    endings = contracted(text)
    told = ~np.isin(words.terms, endings) if len(endings) else None
    return words if told is None or not told.any() else Words(words.terms[told], words.codes[told])


def _hashes(terms: Sequence[str]) -> NDArray[np.uint32]:
    return distinct(term_hashes(" ".join(terms))) if terms else NO_TERMS


def search(work: Work, sources: Sources) -> dict[str, object]:
    """The candidates of each arm, from the derived index."""
    found = sources.index.search(work.asked, work.where, _limit(work, sources))
    work.candidates = found if "context" in work.layers else _alone(found)
    return {
        arm.name: {"eligible": arm.eligible, "found": arm.found, "ms": round(arm.elapsed_ms, 3)}
        for arm in found.arms
    }


def _limit(work: Work, sources: Sources) -> int:
    """How many each arm brings."""
    wanted = max(work.query.k, 0 if work.plan is None else work.plan.limit)
    return max(sources.candidates, OVERFETCH * wanted) * (1 if work.level is None else WIDER)


def shortlist(work: Work, _: Sources) -> dict[str, object]:
    """Those that are worth reading closely, by their words and their meaning."""
    found = work.found
    keep = min(max(READ_CLOSELY, OVERFETCH * work.query.k), MOST_READ)
    if len(found.contents) > keep:
        rough = (
            _part(found.text_nearby)
            + _part(np.where(np.isnan(found.centred), np.float32(0.0), found.centred))
            + 0.3 * _part(found.session_text)
        )
        if work.standing:
            rough = rough + preferred(work, found.contents)
        rough[np.isin(found.contents, work.asked.also)] = np.inf
        best = np.lexsort((-found.contents, -rough))
        said = found.said[best]
        # So many of each lane: what was said must not be crowded out by what was formed from it.
        chosen = np.sort(best[np.where(said, said.cumsum(), (~said).cumsum()) <= keep])
        work.candidates = found.taking(chosen)
    return {"candidates": len(found.contents), "kept": len(work.found.contents)}


def rank(work: Work, _: Sources) -> dict[str, object]:
    """Every candidate's place by its score."""
    weights = work.profile.weights
    work.scores = np.zeros(len(work.confirmed.contents))
    for name, column in work.values.items():
        work.scores += weights[name] * column
    work.order = _best_first(work)
    return {"ranked": len(work.scores)}


def hop(work: Work, sources: Sources) -> dict[str, object]:
    """What the best hits name by its title, and what names them by theirs, is weighed with them."""
    wanted = "hop" in work.layers and "linked" in work.profile.weights
    if not (wanted and work.found.titled and len(work.order)):
        return {"linked": 0}
    work.leads = hopping.linked(hopping.best(work, sources), work, sources)
    return {"linked": len(work.leads)}


def widen(work: Work, sources: Sources) -> dict[str, object]:
    """Whatever the best hits lead to becomes a candidate, and all are weighed again."""
    also = set(work.leads).union(work.shared, *work.spread.values(), _not_found(work))
    if also:
        also.update(work.asked.also.tolist())
        wanted = np.array(sorted(also), np.int64)
        work.asked = replace(work.asked, also=wanted, ahead=work.found.ahead)
        for stage in SEARCHING:
            stage(work, sources)
    return {"also": len(also)}


def _not_found(work: Work) -> set[int]:
    """What stands in the place of what the best turns state, and is no candidate yet though it may be one."""
    if work.where.lanes is not None or work.where.unexpired_at is None:
        return set()
    newer = (
        one for one in work.outdated.values() if one.valid_until is None or one.valid_until > work.moment
    )
    return {one.content for one in newer}.difference(work.confirmed.contents.tolist())


def fuse(work: Work, sources: Sources) -> dict[str, object]:
    """What the parts of a compound question find is ranked with what the whole of it finds."""
    if not work.parts:
        return {}
    for part in work.parts:
        for stage in SEARCHING:
            stage(part, sources)
    more = fusing.fuse(work, work.parts)
    work.order = _best_first(work)
    return {"parts": len(work.parts), "more": more}


def load(work: Work, sources: Sources) -> dict[str, object]:
    """The memories themselves, with each signal's contribution."""
    work.order = work.order[: work.query.k]
    memories = shown(work, sources, work.confirmed.contents[work.order].tolist())
    names = [*work.values]
    weights = np.array([work.profile.weights[name] for name in names])
    values = np.array([column[work.order] for column in work.values.values()]).T.reshape(-1, len(names))
    hits = []
    for place, memory, own, weighed in zip(
        work.order.tolist(), memories, values.tolist(), (values * weights).tolist(), strict=True
    ):
        alike = float(work.similarity[place])
        likely = None if work.relevance is None else float(work.relevance[place])
        signals = dict(zip(names, weighed, strict=True))
        known = dict(zip(names, own, strict=True))
        newer = work.outdated.get(memory.content)
        hits.append(
            Hit(
                memory,
                float(work.scores[place]),
                signals,
                known,
                alike,
                likely,
                outdated_by=None if newer is None else newer.id,
            )
        )
    work.hits = tuple(hits)
    return {"hits": len(hits)}


ASKING: tuple[Stage, ...] = (
    gate,
    history,
    period,
    focus,
    router,
    level,
    lately,
    parts,
    expansion,
    ahead,
    read,
)
"""Before the store is looked at: a slow embedder must not hold a view of it open."""
SEARCHING: tuple[Stage, ...] = (search, placing, shortlist, weigh, rank)
"""Done again where there is more to be found."""
ANSWERING: tuple[Stage, ...] = (
    reach,
    *SEARCHING,
    cascade,
    pagerank,
    hub,
    boost,
    hop,
    shared_names,
    outdated,
    widen,
    fuse,
    alike,
    replies,
    gnn,
    newest,
    replacing,
    fold,
    together,
    tiers,
    asker,
    relevant,
    diversity,
    cap,
    load,
)
"""In one consistent view of the store."""


def understood(query: Query, sources: Sources, now: datetime) -> tuple[Work, list[Step]]:
    """The question as the stages understand it, until one refuses it; and what each of them did."""
    work = _work(query, now)
    return work, _run(ASKING, work, sources)


def answered(work: Work, steps: Sequence[Step], sources: Sources) -> Recall:
    """What the store has on a question that was understood; its caller holds a view of the store."""

    def answer(work: Work) -> Recall:
        done = (*steps, *_run(ANSWERING, work, sources))
        trace = Trace(work.moment, work.profile.name, work.profile.weights, done)
        return Recall(work.query.text, work.hits, trace)

    return _in_this_view(answer, work)


def candidates_of(query: Query, sources: Sources, now: datetime) -> Subgraph | None:
    """The candidates of a question as a graph, before their neighbours say anything; None where it is refused."""
    work, _ = understood(query, sources, now)
    if work.refusal is not None:
        return None

    def graph(work: Work) -> Subgraph:
        _run(ANSWERING[: ANSWERING.index(gnn)], work, sources)
        return subgraph(work, sources)

    with sources.store.reading():
        return _in_this_view(graph, work)


def _in_this_view(answer: Callable[[Work], T], work: Work) -> T:
    """What answers, with the store asked about every candidate where the index is ahead of this view of it."""
    parts = tuple(replace(part, doubted=True) for part in work.parts)
    doubted = replace(work, doubted=True, parts=parts)
    try:
        return answer(work)
    except Unseen:
        return answer(doubted)


def _work(query: Query, now: datetime) -> Work:
    # A caller who wants the period as a filter wants it understood.
    asked = ({"period"} if query.only_period else set()) | ({"gnn"} if query.deep else set())
    layers = active(query.ablate) | asked
    return Work(query, _weighing(query, layers), layers, now, query.filter(now))


def _weighing(query: Query, layers: frozenset[str]) -> Profile:
    """The profile, with the signals of the graph that this question follows, and of the season that it names."""
    followed = {name: weight for name, weight in WEIGHTS.items() if name in layers}
    if query.edge_boost:
        followed[BOOST] = 1.0
    if query.season is not None:
        followed["in_season"] = SEASON_WEIGHT
    return profile(query.profile).weighing(**followed)


def _run(stages: Iterable[Stage], work: Work, sources: Sources) -> list[Step]:
    return [
        _timed(stage, work, sources)
        for stage in stages
        if work.refusal is None and (stage.__name__ not in LAYERS or stage.__name__ in work.layers)
    ]


def _timed(stage: Stage, work: Work, sources: Sources) -> Step:
    began = time.perf_counter()
    detail = stage(work, sources)
    return Step(stage.__name__, (time.perf_counter() - began) * 1e3, detail)


def _alone(found: Candidates) -> Candidates:
    """As if nothing had been said around any of them."""
    own = found.around[:, [found.around.shape[1] // 2]]
    return replace(found, text_nearby=found.text, around=own)


def _part(column: NDArray[np.float32]) -> NDArray[np.float32]:
    best = column.max(initial=0.0)
    return column / best if best > 0 else column


def _best_first(work: Work) -> NDArray[np.intp]:
    """What scores the same stands newest first, so that the order is always the same."""
    return np.lexsort((-work.confirmed.contents, -work.scores))
