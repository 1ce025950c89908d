"""Which texts have a term, or every term of a name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import distinct, places
from recollect.index.arrays import Damaged
from recollect.index.search import let_through
from recollect.index.segment import Occurrences
from recollect.index.view import View
from recollect.model import Filter

if TYPE_CHECKING:
    from recollect.index.partition import Partition

COMMON: Final = 8_192
"""Whether a text has a word that more texts have is not looked up, so that a long list costs nothing."""
_NO_CONTENTS: Final = np.empty(0, np.int64)
_NO_DOCUMENTS: Final = np.empty(0, np.uint32)


def having(partition: "Partition", terms: NDArray[np.uint32], where: Filter) -> list[NDArray[np.int64]]:
    """For each term the contents that have it, among those that the filter lets through."""
    while True:
        try:
            view, eligible, _ = let_through(partition, where)
            found: list[list[NDArray[np.int64]]] = [[] for _ in terms]
            for part, base in zip(view.parts, view.bases, strict=True):
                for rows, occurrences in zip(found, part.find(terms), strict=True):
                    if occurrences.frequency:
                        own = occurrences.load()[0].astype(np.int64) + base
                        rows.append(view.contents[own[eligible[own]]])
            return [np.concatenate([_NO_CONTENTS, *rows]) for rows in found]
        except Damaged as damage:
            partition.discard(damage)


def naming(
    partition: "Partition", names: Sequence[NDArray[np.uint32]], where: Filter
) -> list[NDArray[np.int64]]:
    """For each name, by its terms, the contents that have them all; none where every one of them is common."""
    while True:
        try:
            view, eligible, _ = let_through(partition, where)
            return _naming(view, eligible, names)
        except Damaged as damage:
            partition.discard(damage)


def _naming(
    view: View, eligible: NDArray[np.bool_], names: Sequence[NDArray[np.uint32]]
) -> list[NDArray[np.int64]]:
    terms = distinct(np.empty(0, np.uint32), *names)
    occurrences = [part.find(terms) for part in view.parts]
    often = [sum(part[at].frequency for part in occurrences) for at in range(len(terms))]
    told = [times <= COMMON for times in often]
    parts = [(_Documents(part), base) for part, base in zip(occurrences, view.bases, strict=True)]
    found = []
    for name in names:
        # The rarest first, so that there is little to look up in the longer lists.
        order = sorted(
            (at for at in np.searchsorted(terms, name).tolist() if told[at]), key=often.__getitem__
        )
        rows = [base + documents.with_all(order) for documents, base in parts] if order else []
        found.append(np.concatenate([_NO_CONTENTS, *(view.contents[some[eligible[some]]] for some in rows)]))
    return found


class _Documents:
    """Which documents of a part have some terms; each list is read once."""

    def __init__(self, occurrences: Sequence[Occurrences]) -> None:
        self._occurrences = occurrences
        self._read: dict[int, NDArray[np.uint32]] = {}

    def with_all(self, terms: Sequence[int]) -> NDArray[np.int64]:
        own = self._of(terms[0])
        for term in terms[1:]:
            if not len(own):
                break
            own = own[places(self._of(term), own)[1]]
        return own.astype(np.int64)

    def _of(self, term: int) -> NDArray[np.uint32]:
        if term not in self._read:
            one = self._occurrences[term]
            self._read[term] = one.load()[0] if one.frequency else _NO_DOCUMENTS
        return self._read[term]
