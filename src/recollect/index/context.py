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
    for step in (-1, 1):
        columns = slice(reach + 1, None) if step > 0 else slice(reach - 1, None, -1)
        at, same = _beside(view, rows, eligible, step, reach)
        # Most turns were written one after the other: only where one is missing is it looked for further away.
        complete = same.all(axis=1)
        found[complete, columns] = at[complete]
        rest = np.flatnonzero(~complete & (view.threads[rows] != NO_THREAD))
        if len(rest):
            at, same = _beside(view, rows[rest], eligible, step, SPAN)
            nth = same.cumsum(axis=1)
            which, where = np.nonzero(same & (nth <= reach))
            found[rest[which], reach + step * nth[which, where]] = at[which, where]
    return found


def _beside(
    view: View, rows: NDArray[np.int64], eligible: NDArray[np.bool_], step: int, span: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The next `span` rows in one direction, and which of them are eligible turns of the same session."""
    at = rows[:, None] + step * np.arange(1, span + 1)
    inside = (at >= 0) & (at < len(view))
    at[~inside] = 0
    threads = view.threads[rows][:, None]
    return at, inside & (view.threads[at] == threads) & (threads != NO_THREAD) & eligible[at]
