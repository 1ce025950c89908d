"""A memory that is related to everything is related to nothing: its weakest relations go."""

from collections import Counter
from collections.abc import Iterator

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.model import Edge
from recollect.relations import EDGE_TYPES


def relation_pruning(night: Night) -> Iterator[Proposal]:
    """Leaves each memory its strongest relations; what says how memories came about is never pruned (G15)."""
    count: Counter[str] = Counter()
    for edge in _prunable(night):
        count.update((edge.source, edge.target))
    crowded = {node for node, edges in count.items() if edges > night.params.relations}
    if not crowded:
        return
    touching = [edge for edge in _prunable(night) if {edge.source, edge.target} & crowded]
    gone: list[Edge] = []
    for edge in sorted(touching, key=_worth):
        if max(count[edge.source], count[edge.target]) > night.params.relations:
            count.subtract((edge.source, edge.target))
            gone.append(edge)
    for start in range(0, len(gone), night.params.batch):
        yield Proposal(unlinked=tuple(gone[start : start + night.params.batch]))


def _prunable(night: Night) -> Iterator[Edge]:
    """Those of a type that may be pruned; one with a reason stays, since a journal has no texts to restore it from."""
    for edge in night.store.all_edges(night.user):
        known = EDGE_TYPES.get(edge.type)
        if known is not None and known.prune_priority is not None and edge.reason is None:
            yield edge


def _worth(edge: Edge) -> tuple[int, float, str, str]:
    """The least first: by its type, its weight, and then whichever."""
    return EDGE_TYPES[edge.type].prune_priority or 0, edge.weight, edge.source, edge.target
