"""Which rows a filter lets through, remembered for the filters that were asked for last."""

from collections.abc import Callable, Hashable
from typing import Final

import numpy as np
from numpy.typing import NDArray

REMEMBERED: Final = 16

Mask = NDArray[np.bool_]


class Masks:
    """The last few masks; whoever changes what they are about forgets them."""

    def __init__(self) -> None:
        self._masks: dict[Hashable, Mask] = {}

    def of(self, asked: Hashable, make: Callable[[], Mask]) -> Mask:
        """The mask of what is asked, made where it is not known."""
        mask = self._masks.get(asked)
        if mask is None:
            mask = make()
            self._masks[asked] = mask
            # A copy: other threads may add one meanwhile.
            for oldest in list(self._masks)[:-REMEMBERED]:
                self._masks.pop(oldest, None)
        return mask

    def forget(self) -> None:
        self._masks.clear()
