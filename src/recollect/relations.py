"""The one registry of edge types: what each means, and what may be done with it."""

from dataclasses import dataclass
from types import MappingProxyType

from recollect.errors import InvalidInput

ANYONE, ENGINE = "anyone", "engine"
SOURCE, TARGET = "source", "target"


@dataclass(frozen=True, slots=True)
class EdgeType:
    """One type of relation between two nodes of the graph."""

    name: str
    meaning: str
    directed: bool = True
    prune_priority: int | None = None
    """Pruned from the lowest number up; None is never pruned."""
    cascade_weight: float = 0.3
    """How much of a score crosses the edge; an edge's own weight is multiplied in."""
    written_by: str = ANYONE
    general_end: str | None = None
    """Which end stands for more than the other, `source` or `target`; None where neither does."""


_TYPES = (
    EdgeType("supersedes", "the newer memory replaces the older", cascade_weight=0.9, written_by=ENGINE),
    EdgeType("contradicts", "both cannot be true", directed=False),
    EdgeType("causes", "the first brought the second about"),
    EdgeType("elaborates", "adds detail", prune_priority=2),
    EdgeType("same_entity", "both are about the same thing", directed=False, prune_priority=1),
    EdgeType("related_to", "loosely connected", directed=False, prune_priority=0, cascade_weight=1.0),
    EdgeType(
        "recalled_with",
        "came to mind together again and again",
        directed=False,
        prune_priority=0,
        written_by=ENGINE,
    ),
    EdgeType("derived_from", "was formed from it", written_by=ENGINE, general_end=SOURCE),
    EdgeType("promoted_from", "is the user-wide copy of a project's memory", written_by=ENGINE),
    EdgeType("about", "says something about the entity"),
    EdgeType("mentions", "names the entity"),
    EdgeType("has_tag", "carries the tag", cascade_weight=0.8, written_by=ENGINE),
    EdgeType("in_cluster", "lies in the cluster", cascade_weight=0.6, written_by=ENGINE, general_end=TARGET),
    EdgeType("part_of", "is a part of it", general_end=TARGET),
    EdgeType("located_in", "is in that place"),
    EdgeType("works_for", "works for them"),
    EdgeType("knows", "knows them", directed=False),
    EdgeType("created_by", "was made by them"),
    EdgeType("references", "refers to it"),
    EdgeType("followed_by", "came next in the conversation", written_by=ENGINE),
    EdgeType("temporal", "came next in the episode", written_by=ENGINE),
    EdgeType(
        "same_action",
        "the same action in another episode",
        directed=False,
        prune_priority=0,
        written_by=ENGINE,
    ),
    EdgeType("caused_success", "was followed and led to success", written_by=ENGINE),
    EdgeType("caused_failure", "was followed and led to failure", written_by=ENGINE),
    EdgeType(
        "irrelevant", "was retrieved and not followed in a failure", prune_priority=0, written_by=ENGINE
    ),
    EdgeType("region_transition", "one region leads to the other", written_by=ENGINE),
    EdgeType("granger_causal", "the first's past helps to predict the second", written_by=ENGINE),
    EdgeType("subgoal_of", "serves the larger goal", general_end=TARGET),
    EdgeType("blocked_by", "cannot go on before it"),
    EdgeType("uses_tool", "calls the tool"),
    EdgeType("succeeded_in", "worked in that conversation", written_by=ENGINE),
)

EDGE_TYPES = MappingProxyType({kind.name: kind for kind in _TYPES})
LEVELLED = tuple(kind.name for kind in _TYPES if kind.general_end is not None)
"""The types that say which of two things is the more general."""


def general_first(type_: str, source: str, target: str) -> tuple[str, str]:
    """The two ends of a levelled edge, the more general one first.

    >>> general_first("part_of", "chapter", "book"), general_first("derived_from", "summary", "turn")
    (('book', 'chapter'), ('summary', 'turn'))
    """
    return (source, target) if EDGE_TYPES[type_].general_end == SOURCE else (target, source)


def edge_type(name: str, *, by: str = ANYONE) -> EdgeType:
    """The type of that name, if whoever asks may write it.

    >>> edge_type("related_to").directed
    False
    """
    known = EDGE_TYPES.get(name)
    if known is None:
        raise InvalidInput(f"no edge type {name!r}; there are: {', '.join(EDGE_TYPES)}")
    if by != ENGINE and known.written_by == ENGINE:
        allowed = ", ".join(kind.name for kind in _TYPES if kind.written_by == ANYONE)
        raise InvalidInput(f"{name!r} edges are made by the engine itself; you may use: {allowed}")
    return known
