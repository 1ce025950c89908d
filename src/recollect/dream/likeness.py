"""Which awake memories are alike, by their vectors: some compared with all that are seen where they are."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.dream.gathering import DREAMT
from recollect.dream.night import Night, Places

READ: Final = 4096
"""So many vectors are in memory at once, beside those that are asked for."""

Rows = NDArray[np.float32]
Pair = tuple[int, int, float]
"""Two places, and how similar they are."""


class Likeness:
    """The current memories in the order of their texts; their vectors are read as they are compared."""

    def __init__(self, night: Night) -> None:
        self._night, self._seen = night, night.survey
        # What a dream made says what others say, by design; an application's own stands for nothing else.
        made = np.isin(self._seen.kinds.astype(str), list(DREAMT))
        current = np.flatnonzero(night.current & ~made & ~night.keyed)
        self._order = current[np.argsort(self._seen.contents[current])]
        self._rooms = _in_rooms(night)

    def of(self, places: Places, least: float) -> Iterator[list[Pair]]:
        """Each pair of one of these places and another more similar than the least, some of the others at a time."""
        places = places[~self._night.keyed[places]]
        mine, rows = self._read(places[np.argsort(self._seen.contents[places])])
        asked = np.zeros(len(self._seen), np.bool_)
        asked[mine] = True
        if not len(mine):
            return
        for start in range(0, len(self._order), READ):
            others, vectors = self._read(self._order[start : start + READ])
            if not len(others):
                continue
            similar = rows @ vectors.T
            near, far = np.nonzero(similar > least)
            one, other = mine[near], others[far]
            contents = self._seen.contents
            # A pair of two that are both asked for is told once.
            once = ~asked[other] | (contents[one] < contents[other])
            told = (one != other) & (self._rooms[one] == self._rooms[other]) & once
            alike = similar[near[told], far[told]]
            yield [(int(a), int(b), float(s)) for a, b, s in zip(one[told], other[told], alike, strict=True)]

    def _read(self, places: Places) -> tuple[Places, Rows]:
        """Those of the places, by their texts, that have vectors, and these, of length 1."""
        contents, vectors = self._night.store.vectors(self._night.user, self._seen.contents[places])
        rows = vectors.astype(np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(lengths > 0, lengths, 1.0)
        return places[np.isin(self._seen.contents[places], contents)], rows


def _in_rooms(night: Night) -> NDArray[np.int64]:
    """For each memory a number of its channel, and of the session that alone sees it."""
    numbers: dict[tuple[object, object], int] = {}
    return np.fromiter(
        (
            numbers.setdefault(room, len(numbers))
            for room in zip(night.survey.channels, night.survey.sessions, strict=True)
        ),
        np.int64,
        len(night.survey),
    )
