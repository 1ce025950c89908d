"""Which awake memories are alike, by their vectors: each compared with all that are seen where it is."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from recollect.dream.gathering import DREAMT
from recollect.dream.night import Night, Places

ROWS: Final = 64
"""So many are compared with all the others at once."""
READ: Final = 8192
"""So many vectors are read at once: all of them would be in memory twice."""


class Likeness:
    """The vectors of the current memories, of length 1, in the order of their texts."""

    def __init__(self, night: Night) -> None:
        self._seen = night.survey
        # What a dream made says what others say, by design.
        made = np.isin(self._seen.kinds.astype(str), list(DREAMT))
        current = np.flatnonzero(night.current & ~made)
        order = current[np.argsort(self._seen.contents[current])]
        self._places = np.empty(0, np.intp)
        self._vectors = np.empty((0, 0), np.float32)
        self._read(night, order)
        self._rows = np.full(len(self._seen), -1, np.intp)
        self._rows[self._places] = np.arange(len(self._places))
        self._rooms = self._in_rooms()

    def of(self, places: Places, least: float) -> Iterator[list[tuple[int, int, float]]]:
        """Each pair of one of these places and another more similar than the least, some places at a time."""
        rows = self._rows[places]
        rows = rows[rows >= 0]
        mine = np.zeros(len(self._places), np.bool_)
        mine[rows] = True
        for start in range(0, len(rows), ROWS):
            part = rows[start : start + ROWS]
            similar = self._vectors[part] @ self._vectors.T
            near, far = np.nonzero(similar > least)
            one = part[near]
            # A pair of two that are both asked for is told once.
            told = (one != far) & (self._rooms[one] == self._rooms[far]) & (~mine[far] | (one < far))
            yield [
                (int(self._places[a]), int(self._places[b]), float(s))
                for a, b, s in zip(one[told], far[told], similar[near[told], far[told]], strict=True)
            ]

    def _read(self, night: Night, order: Places) -> None:
        """Those of the places that have vectors, and these, of length 1."""
        found = 0
        for start in range(0, len(order), READ):
            part = order[start : start + READ]
            contents, vectors = night.store.vectors(night.user, self._seen.contents[part])
            if not len(contents):
                continue
            if not found:
                self._places = np.empty(len(order), np.intp)
                self._vectors = np.empty((len(order), vectors.shape[1]), np.float32)
            rows = vectors.astype(np.float32)
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            rows /= np.where(lengths > 0, lengths, 1.0)
            self._places[found : found + len(rows)] = part[np.isin(self._seen.contents[part], contents)]
            self._vectors[found : found + len(rows)] = rows
            found += len(rows)
        self._places, self._vectors = self._places[:found], self._vectors[:found]

    def _in_rooms(self) -> Places:
        """A number for each channel, and for each session that alone sees a memory."""
        numbers: dict[tuple[object, object], int] = {}
        rooms = [
            numbers.setdefault((self._seen.channels[place], self._seen.sessions[place]), len(numbers))
            for place in self._places.tolist()
        ]
        return np.array(rooms, np.intp)
