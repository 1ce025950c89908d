"""What was said around a turn: its neighbours in the same session."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.index.documents import NO_THREAD
from recollect.index.view import View

NONE: Final = -1
SPAN: Final = 24
"""How many rows away a neighbour is looked for: other sessions, or memories, may have been written between."""


def around(view: View, rows: NDArray[np.int64], eligible: NDArray[np.bool_], reach: int) -> NDArray[np.int64]:
    """For each row the `reach` turns before it and after it, itself in the middle; -1 where there is none."""
    found = np.full((len(rows), 2 * reach + 1), NONE, np.int64)
    found[:, reach] = rows
    if not len(rows) or not reach:
        return found
    threads = view.threads[rows][:, None]
    for step in (-1, 1):
        at = rows[:, None] + step * np.arange(1, SPAN + 1)
        inside = (at >= 0) & (at < len(view))
        at = np.where(inside, at, 0)
        same = inside & (view.threads[at] == threads) & (threads != NO_THREAD) & eligible[at]
        nth = same.cumsum(axis=1)
        for distance in range(1, reach + 1):
            hit = same & (nth == distance)
            has = np.flatnonzero(hit.any(axis=1))
            found[has, reach + step * distance] = at[has, hit[has].argmax(axis=1)]
    return found
