"""Narrow rows as the arrays and values that everything derived is made of."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreCorrupt
from recollect.model import State, moment
from recollect.ports import WORD_BYTES, Accesses, Columns, Stated, Visibility
from recollect.stores.rows import LANES, STATES, Row


def visibility_from(row: Row) -> Visibility:
    """A row of (number, content, past content, lane, state, channel, only session, valid from, valid until, …)."""
    version, content, past, lane, state, channel, session, start, end, confidence, importance = row
    return Visibility(
        *(version, content, past, LANES[lane], STATES[state], channel, session),
        moment(start),
        None if end is None else moment(end),
        *(confidence, importance),
    )


def vectors_of(found: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
    """Rows of (content, vector)."""
    if not found:
        return np.empty(0, np.int64), np.empty((0, 0), np.float16)
    data = b"".join([row[1] for row in found])
    if len(data) != len(found) * len(found[0][1]):
        raise StoreCorrupt("the store holds vectors of different sizes; `recollect verify` names them")
    numbers = np.fromiter((row[0] for row in found), np.int64, len(found))
    return numbers, np.frombuffer(data, np.float16).reshape(len(found), -1)


def words_of(found: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Rows of (content, words): which have them, after which row of the codes each one's end, the codes."""
    contents, data = zip(*found, strict=True) if found else ((), ())
    sizes = np.fromiter(map(len, data), np.int64, len(data))
    if (sizes % WORD_BYTES).any():
        raise StoreCorrupt("the store holds words of a wrong size; `recollect verify` names them")
    codes = np.frombuffer(b"".join(data), np.uint8)
    return np.array(contents, np.int64), np.cumsum(sizes // WORD_BYTES), codes.reshape(-1, WORD_BYTES)


def columns_of(found: Sequence[Row]) -> Columns:
    """Rows with the columns in their order."""
    content, confidence, importance, valid_from = zip(*found, strict=True) if found else ((),) * 4
    return Columns(
        np.array(content, np.int64),
        np.array(confidence, np.float64),
        np.array(importance, np.float64),
        np.array(valid_from, np.int64),
    )


def accesses_of(found: Sequence[Row]) -> Accesses:
    """The same."""
    return Accesses(*(np.array(one, np.int64) for one in (zip(*found, strict=True) if found else ((),) * 3)))


MOST_REPLACED = 32
"""So often is it followed what replaced what: a chain that somebody closed to a ring would have no end."""


def stated_of(found: Sequence[Row]) -> list[Stated]:
    """Rows of (turn, formed, step, content, state, id, id of what replaced it), each chain in the order of its steps."""
    ends = {(turn, formed): rest for turn, formed, *rest in found}
    return [
        Stated(turn, formed, content, memory_id)
        if step > 0 and later is None and state == State.ACTIVE
        else Stated(turn, formed)
        for (turn, formed), (step, content, state, memory_id, later) in ends.items()
    ]
