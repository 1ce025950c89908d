"""What the read path needs of the derived index."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Asked, Candidates
from recollect.model import Filter


class Search(Protocol):
    """The derived index of one user."""

    @property
    def is_large(self) -> bool: ...
    def ahead(self, terms: NDArray[np.uint32], where: Filter, limit: int) -> object: ...
    def search(self, asked: Asked, where: Filter, limit: int) -> Candidates: ...
    def having(self, terms: NDArray[np.uint32], where: Filter) -> list[NDArray[np.int64]]: ...
    def naming(self, names: Sequence[NDArray[np.uint32]], where: Filter) -> list[NDArray[np.int64]]: ...
    def vectors(self, contents: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...
    def words(
        self, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Which of ascending contents have words; after which row of the codes each one's end; the codes."""
        ...
