"""The store that is slow and obviously right: lists of versions in memory, every question a loop.

The others must agree with it. It is also what `Recollect(":memory:")` uses: nothing outlives it.
"""

import uuid

from recollect.stores.reference.auditing import Auditing
from recollect.stores.reference.feed import Feed
from recollect.stores.reference.keeping import Keeping
from recollect.stores.reference.models import Models
from recollect.stores.reference.writing import Writing

__all__ = ["ReferenceStore"]


class ReferenceStore(Feed, Writing, Models, Auditing, Keeping):
    """A `Store` that lives in this process alone."""

    def __init__(self) -> None:
        super().__init__()
        self._identity = str(uuid.uuid4())

    @property
    def location(self) -> str:
        return ":memory:"

    @property
    def identity(self) -> str:
        return self._identity

    def index_folder(self, user: str) -> None:  # noqa: ARG002
        return None
