"""An array that grows at its end."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Column:
    """Rows are added, never moved under a reader: a view that was handed out keeps its values."""

    def __init__(self, dtype: DTypeLike, width: int | None = None) -> None:
        self._room: NDArray[Any] = np.empty((0,) if width is None else (0, width), dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> NDArray[Any]:
        return self._room[: self._count]

    def extend(self, rows: NDArray[Any]) -> None:
        """Add the rows; room is doubled, so that adding one at a time stays cheap."""
        needed = self._count + len(rows)
        if needed > len(self._room):
            room = np.empty((max(needed, 2 * len(self._room)), *self._room.shape[1:]), self._room.dtype)
            room[: self._count] = self.values
            self._room = room
        self._room[self._count : needed] = rows
        self._count = needed
