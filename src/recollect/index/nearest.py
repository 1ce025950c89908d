"""What is most alike to each of several vectors: what they have in common is looked up once for all."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Alike
from recollect.formulas.ordered import best, distinct, places
from recollect.index.arrays import Damaged
from recollect.index.search import let_through
from recollect.index.vector_arm import VectorArm
from recollect.index.vectors import similarity, unit
from recollect.model import Filter

if TYPE_CHECKING:
    from recollect.index.partition import Partition

SHORTLISTED_EACH: Final = 50
"""So many by bits for each one asked for: what is truly alike differs in few of them, and leads by far."""
FINALISTS_EACH: Final = 8


def nearest(
    partition: "Partition", vectors: Sequence[NDArray[np.float32]], where: Filter, limit: int
) -> list[Alike]:
    """For each vector the `limit` contents that the filter lets through and that are most similar, best first."""
    source = partition.source
    queries = [unit(vector, source.dimension, source.model) for vector in vectors]
    while queries:
        try:
            return _nearest(partition, queries, where, limit)
        except Damaged as damage:
            partition.discard(damage)
    return []


def _nearest(
    partition: "Partition", queries: Sequence[NDArray[np.float32]], where: Filter, limit: int
) -> list[Alike]:
    view, eligible, _ = let_through(partition, where)
    params = replace(
        partition.params,
        rescore=min(partition.params.rescore, SHORTLISTED_EACH * limit),
        finalists=min(partition.params.finalists, FINALISTS_EACH * limit),
    )
    embedded = eligible & view.embedded
    arms = [VectorArm(partition, view, query, params) for query in queries]
    pools = [arm.pool(embedded, limit) for arm in arms]
    rows, vectors = arms[0].vectors(distinct(*pools))
    found = []
    for query, pool in zip(queries, pools, strict=True):
        at, _ = places(rows, pool)
        alike = similarity(vectors[at], query)
        chosen = best(np.arange(len(at)), alike, limit)
        found.append(Alike(view.contents[rows[at[chosen]]], alike[chosen]))
    return found
