"""Memories that are about the same, told on different days, are related."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from recollect.dream.closeness import close
from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.model import Edge
from recollect.removals import REMOVAL, edge_key, removal_from

RELATED: Final = "related_to"
LINKS: Final = 3
"""So many new relations a memory gets in a night at most."""


def link_discovery(night: Night) -> Iterator[Proposal]:
    """Relates what is new to the closest memories that it shares an entity with, or to all but the same ones (G15)."""
    if night.resumes:
        return  # all of it is one transaction
    pairs = [pair for pair in close(night) if all(map(night.is_current, pair[:2])) and _related(night, *pair)]
    known = known_pairs(night, [night.survey.ids[place] for pair in pairs for place in pair[:2]])
    known |= _taken_away(night, [_ends(night, *pair[:2]) for pair in pairs])
    count: Counter[int] = Counter()
    edges: list[Edge] = []
    for one, other, similarity in pairs:
        source, target = _ends(night, one, other)
        if (
            (source, target) in known
            or max(count[one], count[other]) >= LINKS
            or len(edges) == night.params.batch
        ):
            continue
        count.update((one, other))
        edges.append(Edge(source, target, RELATED, round(min(similarity, 1.0), 4)))
    if edges:
        yield Proposal(edges=tuple(edges))


def _ends(night: Night, one: int, other: int) -> tuple[str, str]:
    source, target = sorted((night.survey.ids[one], night.survey.ids[other]))
    return source, target


def _taken_away(night: Night, pairs: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs that were related before, and that somebody, or a dream, found not to be."""
    keys = {edge_key(Edge(*pair, RELATED)): pair for pair in pairs}
    found = night.store.records_named(night.user, REMOVAL, [*keys]) if keys else {}
    return {keys[key] for key, record in found.items() if removal_from(record).is_gone}


def _related(night: Night, one: int, other: int, similarity: float) -> bool:
    shared = set(night.survey.entities[one]) & set(night.survey.entities[other])
    return similarity >= (night.params.linked_by_entity if shared else night.params.linked)


def known_pairs(night: Night, some: Iterable[str]) -> set[tuple[str, str]]:
    """The pairs with one of these memories that have any edge already."""
    ids = sorted(set(some))
    pairs = ((edge.source, edge.target) for edge in night.store.edges(night.user, ids)) if ids else ()
    return {(min(pair), max(pair)) for pair in pairs}
