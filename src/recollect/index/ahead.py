"""What the words of a question bring, looked up while its vector is being made."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.index.text_arm import TextArm
from recollect.index.view import View


class Ahead(NamedTuple):
    """The text arm of a search that is about to come."""

    view: View
    eligible: NDArray[np.bool_]
    terms: NDArray[np.uint32]
    limit: int
    text: TextArm
    rows: NDArray[np.int64]

    def is_of(self, view: View, eligible: NDArray[np.bool_], terms: NDArray[np.uint32], limit: int) -> bool:
        """Whether a search is the one that was meant, and nothing has changed since."""
        # A view and a mask that is remembered are the same objects until what they are about changes.
        return (
            self.view is view
            and self.eligible is eligible
            and self.limit == limit
            and np.array_equal(self.terms, terms)
        )
