"""Candidates for a question: the best by vector and the best by text among the rows that a filter lets through."""

from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Arm, Asked, Candidates
from recollect.errors import InvalidInput
from recollect.formulas.ordered import distinct
from recollect.index.ahead import Ahead
from recollect.index.arrays import Damaged
from recollect.index.context import NONE, around
from recollect.index.documents import NO_THREAD
from recollect.index.text_arm import TextArm, rarity
from recollect.index.vector_arm import VectorArm
from recollect.index.vectors import unit
from recollect.index.view import View
from recollect.index.visible import is_current, is_decided
from recollect.model import Filter

if TYPE_CHECKING:
    from recollect.index.partition import Partition


REACH: Final = 3
"""How many turns before and after are what was said around one."""
WIDENED: Final = 1
"""So far around what the arms found, turns are candidates too: an answer often stands beside its question."""
DECAY: Final = 0.7
"""What a term counts one turn away; two turns away the square of it, and so on."""


MIXED: Final = 4
"""Among so many times as many as are wanted, there are enough of each lane: what was said must not be crowded out by
what was formed from it."""
_NO_ROWS: Final = np.empty(0, np.int64)


def search(partition: "Partition", asked: Asked, where: Filter, limit: int) -> Candidates:
    """The union of the best `limit` of each arm and of the turns beside them, as of now."""
    if limit < 1:
        raise InvalidInput(f"a search needs a limit of at least 1, not {limit}")
    source = partition.source
    query = None if asked.vector is None else unit(asked.vector, source.dimension, source.model)
    while True:
        try:
            return _search(partition, asked, query, where, limit)
        except Damaged as damage:
            partition.discard(damage)


def _search(
    partition: "Partition", asked: Asked, query: NDArray[np.float32] | None, where: Filter, limit: int
) -> Candidates:
    view, eligible, context = let_through(partition, where)
    started = perf_counter()
    known = asked.ahead
    if not (isinstance(known, Ahead) and known.is_of(view, eligible, asked.terms, limit)):
        known = _by_text(partition, view, eligible, asked.terms, limit)
    text, by_text = known.text, known.rows
    text_ms = _since(started)
    started = perf_counter()
    vector = None if query is None else VectorArm(partition, view, query)
    embedded = eligible if view.every_embedded else eligible & view.embedded
    by_vector = (
        np.empty(0, np.int64)
        if vector is None
        else _of_each_lane(
            partition, vector.best(embedded, _wide(partition, eligible, limit), also=np.sort(by_text)), limit
        )
    )
    vector_ms = _since(started)
    started = perf_counter()
    named = np.flatnonzero(eligible & view.mask(asked.also)) if len(asked.also) else _NO_ROWS
    found = distinct(by_text, by_vector, named)
    rows, near = _with_context(view, found, eligible, context)
    if vector is not None:
        vector.also(rows)
    similar, centred = _unknown(rows) if vector is None else vector.columns(rows)
    own, nearby = _texts(text, near)
    standing = partition.standing(rows)
    arms = (
        Arm("text", int(np.count_nonzero(eligible)), len(by_text), text_ms) if len(asked.terms) else None,
        Arm("vector", int(np.count_nonzero(embedded)), len(by_vector), vector_ms) if vector else None,
        Arm("context", int(np.count_nonzero(context)), len(rows) - len(found), _since(started)),
    )
    return Candidates(
        contents=view.contents[rows][::-1],
        similarity=similar[::-1],
        centred=centred[::-1],
        text=own[::-1],
        text_nearby=nearby[::-1],
        session_text=text.of_sessions(rows, context)[::-1],
        own=view.own[rows][::-1],
        said=standing.said[::-1],
        valid_from=standing.valid_from[::-1],
        confidence=standing.confidence[::-1],
        importance=standing.importance[::-1],
        around=np.where(near == NONE, NONE, view.contents[near])[::-1],
        rarity=rarity(view, asked.words),
        arms=tuple(arm for arm in arms if arm is not None),
        titled=view.titled,
        ahead=known,
        current=is_current(where),
    )


def ahead(partition: "Partition", terms: NDArray[np.uint32], where: Filter, limit: int) -> Ahead | None:
    """What the words bring to a search that is about to come; None where a file is damaged, which the search tells."""
    try:
        view, eligible, _ = let_through(partition, where)
        return _by_text(partition, view, eligible, terms, limit)
    except Damaged:
        return None


def _with_context(
    view: View, found: NDArray[np.int64], eligible: NDArray[np.bool_], context: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What was found and the turns beside it; and of each, what was said around it."""
    if not (view.threads[found] != NO_THREAD).any():
        return found, found[:, None]
    rows = distinct(found, _present(around(view, found, eligible, WIDENED)))
    return rows, around(view, rows, context, REACH)


def _by_text(
    partition: "Partition", view: View, eligible: NDArray[np.bool_], terms: NDArray[np.uint32], limit: int
) -> Ahead:
    text = TextArm(view, terms, partition.params)
    best = text.best(eligible, _wide(partition, eligible, limit))
    return Ahead(view, eligible, terms, limit, text, _of_each_lane(partition, best, limit))


def _wide(partition: "Partition", eligible: NDArray[np.bool_], limit: int) -> int:
    """How many an arm brings, so that there are `limit` of each lane."""
    # Where all are of one lane, the best of it are the best of all.
    return MIXED * limit if partition.mixes_lanes(eligible) else limit


def _of_each_lane(partition: "Partition", best: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """The first `limit` of each lane, in their order."""
    said = partition.said(best)
    kept: NDArray[np.int64] = best[np.where(said, said.cumsum(), (~said).cumsum()) <= limit]
    return kept


def _texts(text: TextArm, near: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """BM25 of rows, and the same where each term may stand in a neighbour, for less."""
    reach = near.shape[1] // 2
    everything = _present(near)
    weights = text.by_term(everything)
    if not reach:
        own = np.einsum("tr->r", weights).astype(np.float32)
        return own, own
    # One column more, of zeros, for the neighbours that are not there.
    weights = np.concatenate([weights, np.zeros((len(weights), 1))], axis=1)
    at = np.where(near == NONE, len(everything), np.searchsorted(everything, near))
    inside = weights[:, at[:, reach]]
    best_of = inside.copy()
    for distance in range(1, reach + 1):
        for column in (reach - distance, reach + distance):
            np.maximum(best_of, DECAY**distance * weights[:, at[:, column]], out=best_of)
    # Sums of their own for every row, so that equal rows are equal wherever they lie.
    own, nearby = (np.einsum("tr->r", each).astype(np.float32) for each in (inside, best_of))
    return own, nearby


def _present(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    return distinct(rows[rows != NONE])


def _unknown(rows: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    unknown = np.full(len(rows), np.nan, np.float32)
    return unknown, unknown


def let_through(partition: "Partition", where: Filter) -> tuple[View, NDArray[np.bool_], NDArray[np.bool_]]:
    """What is there, which rows of it may answer, and which may be the context of an answer."""
    view, eligible = partition.view(where)
    if eligible is not None and is_decided(where):
        return view, eligible, eligible
    chosen = partition.matching(view, where)
    return (view, chosen, chosen) if eligible is None else (view, chosen & eligible, eligible)


def _since(started: float) -> float:
    return (perf_counter() - started) * 1e3
