"""What is believed, with what this call has formed so far on top of what the store holds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Alike
from recollect.model import KEYED, Edge, Filter, Lane, Memory
from recollect.ports import Change, NewText, Store
from recollect.write.consulting import Opinions
from recollect.write.work import Near
from recollect.write.writer import Place

NEIGHBOURS: Final = 8
REACHES: Final = (NEIGHBOURS, 8 * NEIGHBOURS, 64 * NEIGHBOURS)
"""How many are asked for, until so many of them are neighbours: what an application keeps may stand in the way."""
MOST_TAGGED: Final = 256
"""Of what is claimed about one thing, so many of the newest are looked at."""


class Nearest(Protocol):
    """The derived index of one user, as far as it is needed to find what is alike."""

    def nearest(self, vectors: Sequence[NDArray[np.float32]], where: Filter, limit: int) -> list[Alike]: ...


class Known:
    """Memories of one user's channel: looked up in the store, changed here, written at the end in one transaction."""

    def __init__(
        self,
        store: Store,
        index: Nearest,
        place: Place,
        now: datetime,
        encode: Callable[[Memory], NewText],
        opinions: Opinions | None = None,
    ) -> None:
        self._store, self._index, self._user, self._channel = store, index, place.user, place.channel
        self.now, self.encode = now, encode
        self.opinions = opinions or Opinions()
        self.changes: list[Change] = []
        self.edges: list[Edge] = []
        self._formed: dict[str, Memory] = {}
        self._rows: dict[str, int] = {}
        self._vectors = np.empty((0, 0), np.float32)
        self._looked_up: dict[tuple[datetime, bytes], list[Near]] = {}

    def look_up(self, wanted: Iterable[tuple[NDArray[np.float32], datetime]]) -> None:
        """Finds what the store has that is like each of many vectors, at once: one by one it takes three times as long."""
        by_moment: dict[datetime, dict[bytes, NDArray[np.float32]]] = {}
        for vector, at in wanted:
            by_moment.setdefault(at, {})[vector.tobytes()] = vector
        for at, vectors in by_moment.items():
            found = self._stored(list(vectors.values()), self._where(at))
            self._looked_up |= {(at, key): near for key, near in zip(vectors, found, strict=True)}

    def nearest(
        self, vector: NDArray[np.float32], at: datetime, *, session: str | None = None
    ) -> tuple[Near, ...]:
        """The memories that held at that time and are most alike, closest first; of one session if one is given."""
        stored = None if session is not None else self._looked_up.get((at, vector.tobytes()))
        if stored is None:
            [stored] = self._stored([vector], replace(self._where(at), session=session))
        near = [one for one in stored if one.memory.id not in self._formed]
        near += [one for one in self._nearest_formed(vector) if self._holds(one.memory, at, session)]
        return tuple(sorted(near, key=lambda one: -one.similarity)[:NEIGHBOURS])

    def _stored(self, vectors: Sequence[NDArray[np.float32]], where: Filter) -> list[list[Near]]:
        for reach in REACHES:
            found = self._index.nearest(vectors, where, reach)
            near = self._shown(found, where)
            every = (len(alike.contents) < reach for alike in found)
            if all(ended or len(one) >= NEIGHBOURS for ended, one in zip(every, near, strict=True)):
                break
        return [one[:NEIGHBOURS] for one in near]

    def _shown(self, found: Sequence[Alike], where: Filter) -> list[list[Near]]:
        """The memories that have these contents, but for what an application keeps under its own key."""
        contents = {content for alike in found for content in alike.contents.tolist()}
        shown: dict[int, list[Memory]] = {}
        for memory in self._store.shown(self._user, sorted(contents), where):
            if memory.kind not in KEYED:
                shown.setdefault(memory.content, []).append(memory)
        return [
            [
                Near(memory, similarity)
                for content, similarity in zip(
                    alike.contents.tolist(), alike.similarity.tolist(), strict=True
                )
                for memory in shown.get(content, ())
            ]
            for alike in found
        ]

    def tagged(self, tags: Sequence[str], at: datetime) -> list[Memory]:
        """The memories that held at that time and carry one of the tags, oldest first."""
        found: dict[str, Memory] = {}
        for tag in tags:
            where = replace(self._where(at), tags=(tag,))
            for memory in self._store.find(self._user, where, limit=MOST_TAGGED, newest_first=True):
                if memory.kind not in KEYED:
                    found.setdefault(memory.id, memory)
        stored = [memory for memory in found.values() if memory.id not in self._formed]
        formed = [
            memory
            for memory in self._formed.values()
            if not set(tags).isdisjoint(memory.tags) and self._holds(memory, at, None)
        ]
        return sorted((*stored, *formed), key=lambda memory: (memory.valid_from, memory.id))

    def of_session(self, session: str, since: datetime, until: datetime) -> list[Memory]:
        """The memories of a session that began in a stretch of time, its end included, and hold at that end."""
        where = replace(self._where(until), session=session, since=since)
        stored = [
            m for m in self._store.find(self._user, where) if m.id not in self._formed and m.kind not in KEYED
        ]
        formed = [m for m in self._formed.values() if self._holds(m, until, session)]
        return [m for m in (*stored, *formed) if since <= m.valid_from <= until]

    def put(self, memory: Memory, new: NewText | None = None) -> None:
        """The next version of a memory, or its first."""
        first = memory.version == 1
        self.changes.append(Change(memory, new, once=first and memory.supersedes is None))
        self._formed[memory.id] = memory
        if new is not None and new.vector is not None:
            self._place(memory.id, unit(new.vector))

    def _nearest_formed(self, vector: NDArray[np.float32]) -> list[Near]:
        """More than are asked for, because some of them may have ended."""
        if not self._rows:
            return []
        alike = self._vectors[: len(self._rows)] @ vector
        ids = list(self._rows)
        best = np.argsort(-alike, kind="stable")[: NEIGHBOURS * NEIGHBOURS]
        return [Near(self._formed[ids[row]], float(alike[row])) for row in best.tolist()]

    def _place(self, memory_id: str, vector: NDArray[np.float32]) -> None:
        row = self._rows.setdefault(memory_id, len(self._rows))
        if row >= len(self._vectors):
            grown = np.zeros((2 * row + 8, len(vector)), np.float32)
            grown[: len(self._vectors)] = self._vectors.reshape(-1, len(vector))
            self._vectors = grown
        self._vectors[row] = vector

    def _where(self, at: datetime) -> Filter:
        return Filter(channels=(self._channel,), lanes=(Lane.MEMORY,), unexpired_at=at)

    def _holds(self, memory: Memory, at: datetime, session: str | None) -> bool:
        current = memory.valid_until is None or memory.valid_until > at
        return current and (session is None or memory.origin.session == session)


def unit(vector: bytes) -> NDArray[np.float32]:
    """A stored vector, of length 1."""
    found = np.frombuffer(vector, np.float16).astype(np.float32)
    length = float(np.linalg.norm(found))
    return found / np.float32(length) if length > 0.0 else found


def values(metadata: Mapping[str, object], name: str) -> frozenset[str]:
    """A list of words that a memory's metadata may have under a name."""
    found = metadata.get(name)
    return frozenset(one for one in found if isinstance(one, str)) if isinstance(found, list) else frozenset()
