"""One step on from the best hits: what they name is looked up by its title, and what names them by theirs."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import distinct
from recollect.language.names import mentions
from recollect.language.searched import title_term
from recollect.language.terms import term_hashes
from recollect.model import Filter, Memory
from recollect.recall.naming import bearing, newly_named
from recollect.recall.search import Search
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work

FROM = 3
"""From so many of the best hits: five found nothing more on the multi-hop sets."""
BACK = 0.55
"""To name a best hit says less than to be named by one."""
FEW = 20
"""A title that more texts mention leads nowhere."""


def best(work: Work, sources: Sources) -> list[tuple[Memory, float]]:
    """The hits that lead on, with their scores."""
    places = work.order[:FROM]
    scores = dict(zip(work.confirmed.contents[places].tolist(), work.scores[places].tolist(), strict=True))
    return [(memory, scores[memory.content]) for memory in shown(work, sources, sorted(scores))]


def linked(best: Sequence[tuple[Memory, float]], work: Work, sources: Sources) -> Mapping[int, float]:
    """Contents that the best hits lead to, both ways, with the best score that does."""
    found = dict(naming(best, work.query.text, sources.index, work.where))
    for content, score in named_by(best, work, sources).items():
        found[content] = max(found.get(content, 0.0), score)
    return found


def naming(
    best: Sequence[tuple[Memory, float]], question: str, index: Search, where: Filter
) -> Mapping[int, float]:
    """Contents that mention the title of one of the best, where the question does not."""
    titled = [
        (memory.content, score, distinct(term_hashes(title)))
        for memory, score in best
        if isinstance(title := memory.metadata.get("title"), str) and not mentions(question, title)
    ]
    found: dict[int, float] = {}
    bearing = index.naming([terms for *_, terms in titled], where)
    for (hit, score, _), contents in zip(titled, bearing, strict=True):
        others = [one for one in contents.tolist() if one != hit]
        if len(others) <= FEW:
            for content in others:
                found[content] = max(found.get(content, 0.0), BACK * score)
    return found


def mentioning(name: str, index: Search, where: Filter) -> NDArray[np.int64]:
    """Contents that have every word of a name."""
    terms = distinct(term_hashes(name))
    if not len(terms):
        return np.empty(0, np.int64)
    first, *rest = index.having(terms, where)
    for other in rest:
        first = np.intersect1d(first, other, assume_unique=True)
    return first


def named_by(best: Sequence[tuple[Memory, float]], work: Work, sources: Sources) -> Mapping[int, float]:
    """Contents whose title one of the best names and the question does not, with the best score that leads there."""
    leads: dict[int, float] = {}
    for memory, score in best:
        for name in newly_named(work, memory):
            term = title_term(name)
            leads[term] = max(leads.get(term, 0.0), score)
    own = {memory.content for memory, _ in best}
    found: dict[int, float] = {}
    for contents, score in zip(bearing(work, sources, [*leads]), leads.values(), strict=True):
        for content in contents.tolist():
            if content not in own or _is_named_by_another(content, best):
                found[content] = max(found.get(content, 0.0), score)
    return found


def _is_named_by_another(content: int, best: Sequence[tuple[Memory, float]]) -> bool:
    title = next((m.metadata.get("title") for m, _ in best if m.content == content), None)
    return isinstance(title, str) and any(m.content != content and mentions(m.text, title) for m, _ in best)


def column(contents: NDArray[np.int64], leads: Mapping[int, float]) -> NDArray[np.float64]:
    """The score that leads to each of the contents, up to 1; 0 where nothing does."""
    return np.array([min(leads.get(content, 0.0), 1.0) for content in contents.tolist()])
