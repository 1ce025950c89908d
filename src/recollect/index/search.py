"""Candidates for a question: the best by vector and the best by text among the rows that a filter lets through."""

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.index.arrays import Damaged
from recollect.index.ordered import best, joined
from recollect.index.text_arm import TextArm
from recollect.index.vector_arm import VectorArm
from recollect.index.vectors import unit
from recollect.index.view import View
from recollect.index.visible import is_decided
from recollect.model import Filter
from recollect.ports import Arm, Candidates

if TYPE_CHECKING:
    from recollect.index.partition import Partition


def search(
    partition: "Partition",
    vector: NDArray[np.float32] | None,
    terms: NDArray[np.uint32],
    where: Filter,
    limit: int,
) -> Candidates:
    """The union of the best `limit` of each arm, as of now."""
    if limit < 1:
        raise InvalidInput(f"a search needs a limit of at least 1, not {limit}")
    query = None if vector is None else unit(vector, partition.source.dimension, partition.source.model)
    while True:
        try:
            return _search(partition, query, terms, where, limit)
        except Damaged as damage:
            partition.discard(damage)


def _search(
    partition: "Partition",
    query: NDArray[np.float32] | None,
    terms: NDArray[np.uint32],
    where: Filter,
    limit: int,
) -> Candidates:
    view, eligible = _eligible(partition, where)
    started = perf_counter()
    text = TextArm(view, terms, partition.params)
    by_text = text.contenders(eligible, limit)
    text_ms = _since(started)
    started = perf_counter()
    vector = None if query is None else VectorArm(partition, view, query)
    embedded = eligible & view.embedded
    by_vector = np.empty(0, np.int64) if vector is None else vector.best(embedded, limit, also=by_text)
    vector_ms = _since(started)
    rows = joined(by_text, by_vector)
    scores = text.scores(rows)
    if len(by_text) > limit:
        by_text = best(by_text, scores[np.searchsorted(rows, by_text)], limit)
        kept = joined(by_text, by_vector)
        rows, scores = kept, scores[np.searchsorted(rows, kept)]
    unknown = np.full(len(rows), np.nan, np.float32)
    similar, centred = (unknown, unknown) if vector is None else vector.columns(rows)
    arms = (
        Arm("text", int(np.count_nonzero(eligible)), len(by_text), text_ms) if len(terms) else None,
        Arm("vector", int(np.count_nonzero(embedded)), len(by_vector), vector_ms) if vector else None,
    )
    return Candidates(
        view.contents[rows][::-1],
        similar[::-1],
        centred[::-1],
        scores[::-1],
        tuple(arm for arm in arms if arm is not None),
    )


def _eligible(partition: "Partition", where: Filter) -> tuple[View, NDArray[np.bool_]]:
    view, eligible = partition.view(where)
    if eligible is not None and is_decided(where):
        return view, eligible
    chosen = view.mask(partition.source.store.matching(partition.source.user, where))
    return view, chosen if eligible is None else chosen & eligible


def _since(started: float) -> float:
    return (perf_counter() - started) * 1e3
