"""What the graph adds to the best hits: each a stage that says where their scores lead, before all is weighed again."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.cascade import Link
from recollect.formulas.cascade import cascade as spread
from recollect.formulas.pagerank import personalised_pagerank
from recollect.language.names import name_key, names
from recollect.language.searched import title_term
from recollect.model import Edge, Memory
from recollect.recall import hopping
from recollect.recall.showing import shown
from recollect.recall.work import Sources, Work
from recollect.relations import EDGE_TYPES

WEIGHTS: Final = MappingProxyType({"cascade": 0.3, "pagerank": 0.3, "hub": 0.1})
"""What each layer's signal weighs where the layer is on."""
BOOST: Final = "edge_boost"
"""The signal of the edges that the caller chose; its boosts are in it already, so that it weighs 1."""
SEEDS: Final = 10
LEAST_ALIKE: Final = 0.4
"""A hit less like the question starts no cascade."""
OF_A_TAG: Final = 50
"""So many memories of one tag are followed, the newest first: a tag that everything has says nothing."""
WALKED: Final = 50
"""So many of the best are the graph that a walker of PageRank goes about in."""
OF_A_NAME: Final = 50
_TAG: Final = "tag:"


def cascade(work: Work, sources: Sources) -> dict[str, object]:
    """Edges, tags and clusters of the best hits lead on, two steps far (G3)."""
    seeds = {one: score for one, (score, alike) in _best(work, sources).items() if alike >= LEAST_ALIKE}

    def links(nodes: frozenset[str]) -> Iterator[Link]:
        tags = [node for node in nodes if node.startswith(_TAG)]
        ids = [node for node in nodes if not node.startswith(_TAG)]
        for edge in _edges(work, sources, ids):
            kind = EDGE_TYPES[edge.type]
            yield from _both_ways(edge, nodes, kind.cascade_weight * min(edge.weight, 1.0))
        yield from _tag_links(work, sources, ids, tags)

    return _lead(work, sources, "cascade", spread(seeds, links))


def boost(work: Work, sources: Sources) -> dict[str, object]:
    """Edges of the types that the caller chose lead on, by as much as the caller says (P6)."""
    chosen = dict(work.query.edge_boost or {})
    if not chosen:
        return {}
    seeds = {one: score for one, (score, _) in _best(work, sources).items()}

    def links(nodes: frozenset[str]) -> Iterator[Link]:
        for edge in _edges(work, sources, [*nodes], [*chosen]):
            yield from _both_ways(edge, nodes, chosen[edge.type] * min(edge.weight, 1.0))

    return _lead(work, sources, BOOST, spread(seeds, links))


def hub(work: Work, sources: Sources) -> dict[str, object]:
    """Whatever mentions who or what the question names; the fewer do, the more it counts (C22)."""
    found: dict[int, float] = defaultdict(float)
    asked = names(work.query.text)
    for name in asked:
        mentioning = hopping.mentioning(name, sources.index, work.where)
        if len(mentioning):
            value = 1.0 / (1.0 + np.log(len(mentioning)))
            for content in np.sort(mentioning)[::-1][:OF_A_NAME].tolist():
                found[content] += value / len(asked)
    work.spread["hub"] = found
    return {"names": list(asked), "reached": len(found)}


def pagerank(work: Work, sources: Sources) -> dict[str, object]:
    """A walker from the best hits and from what the question names, over what names the same (C42)."""
    best = _shown(work, sources, WALKED)
    if not best:
        return {}
    named = {memory.content: _named(memory) for memory in best}
    titled = _titled(work, sources, {one for some in named.values() for one in some})
    contents = list(dict.fromkeys([*named, *(one for some in titled.values() for one in some.tolist())]))
    every = list(dict.fromkeys(one for some in named.values() for one in some))
    place = {content: at for at, content in enumerate(contents)}
    at_name = {name: at for at, name in enumerate(every, len(contents))}
    links = [(place[content], at_name[name]) for content, some in named.items() for name in some]
    links += [(place[content], at_name[name]) for name, some in titled.items() for content in some.tolist()]
    links = [*dict.fromkeys(links)]
    restart = np.zeros(len(contents) + len(every))
    for memory in best:
        restart[place[memory.content]] = max(_score(work, memory.content), 0.0)
    for name in {name_key(one) for one in names(work.query.text)} & at_name.keys():
        restart[at_name[name]] = 1.0
    ends = np.array(links, np.intp).reshape(-1, 2)
    shares = personalised_pagerank(ends[:, 0], ends[:, 1], np.ones(len(ends)), restart)[: len(contents)]
    most = shares.max(initial=0.0)
    work.spread["pagerank"] = dict(zip(contents, (shares / most).tolist(), strict=True)) if most > 0 else {}
    return {"memories": len(contents), "names": len(every), "reached": len(contents) - len(best)}


def columns(
    contents: NDArray[np.int64], leads: Mapping[str, Mapping[int, float]]
) -> dict[str, NDArray[np.float64]]:
    """What leads to each of the contents, signal by signal; 0 where nothing does."""
    return {
        name: np.array([min(reached.get(content, 0.0), 1.0) for content in contents.tolist()], np.float64)
        for name, reached in leads.items()
    }


def _best(work: Work, sources: Sources) -> dict[str, tuple[float, float]]:
    """By id, the best hits' scores and how like the question they are."""
    alike = dict(
        zip(
            work.confirmed.contents[work.order[:SEEDS]].tolist(),
            work.similarity[work.order[:SEEDS]].tolist(),
            strict=True,
        )
    )
    return {
        memory.id: (min(max(_score(work, memory.content), 0.0), 1.0), alike[memory.content])
        for memory in _shown(work, sources, SEEDS)
    }


def _shown(work: Work, sources: Sources, most: int) -> list[Memory]:
    return shown(work, sources, sorted(work.confirmed.contents[work.order[:most]].tolist()))


def _score(work: Work, content: int) -> float:
    """What is weighed stands in the order of its contents."""
    return float(work.scores[np.searchsorted(work.confirmed.contents, content)])


def _edges(
    work: Work, sources: Sources, ids: Sequence[str], types: Sequence[str] | None = None
) -> Iterator[Edge]:
    then = work.query.as_of
    for edge in sources.store.edges(sources.user, ids, types):
        if then is None or edge.recorded_at is None or edge.recorded_at <= then:
            yield edge


def _both_ways(edge: Edge, nodes: frozenset[str], weight: float) -> Iterator[Link]:
    if edge.source in nodes:
        yield Link(edge.source, edge.target, weight)
    if edge.target in nodes:
        yield Link(edge.target, edge.source, weight)


def _tag_links(work: Work, sources: Sources, ids: Iterable[str], tags: Iterable[str]) -> Iterator[Link]:
    """A tag is a node between the memories that carry it."""
    weight = EDGE_TYPES["has_tag"].cascade_weight
    for memory in _visible(work, sources, ids):
        yield from (Link(memory.id, _TAG + tag, weight) for tag in memory.tags)
    for tag in tags:
        where = replace(work.where, tags=(*work.where.tags, tag.removeprefix(_TAG)))
        for memory in sources.store.find(sources.user, where, limit=OF_A_TAG, newest_first=True):
            yield Link(tag, memory.id, weight)


def _lead(work: Work, sources: Sources, signal: str, reached: Mapping[str, float]) -> dict[str, object]:
    """Keeps what was reached by the contents that may be seen."""
    seen = _visible(work, sources, (node for node in reached if not node.startswith(_TAG)))
    work.spread[signal] = {memory.content: reached[memory.id] for memory in seen}
    return {"reached": len(work.spread[signal])}


def _visible(work: Work, sources: Sources, ids: Iterable[str]) -> list[Memory]:
    """Those of some memories that may answer."""
    allowed = work.where.ids
    wanted = tuple(one for one in ids if allowed is None or one in allowed)
    return sources.store.find(sources.user, replace(work.where, ids=wanted)) if wanted else []


def _named(memory: Memory) -> frozenset[str]:
    return frozenset(name_key(one) for one in names(memory.text))


def _titled(work: Work, sources: Sources, named: Iterable[str]) -> dict[str, NDArray[np.int64]]:
    """By name, what bears it as its title."""
    ordered = sorted(named)
    if not (work.found.titled and ordered):
        return {}
    terms = np.array([title_term(name) for name in ordered], np.uint32)
    return dict(zip(ordered, sources.index.having(terms, work.where), strict=True))
