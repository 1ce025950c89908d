"""Remembers the vectors of recent texts, so that a text asked for again costs no embedding."""

import hashlib
import struct
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event, Lock
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.model import Calibration
from recollect.ports import (
    WORD_BYTES,
    Embedder,
    Guard,
    Progress,
    WordEmbedder,
    Words,
    calibration_of,
    for_questions,
    guard_of,
)
from recollect.short_lived import VectorCache

Row = tuple[NDArray[np.float32], Words | None]
"""A text's vector, and the vectors of its words where the embedder gives them."""
SHARED_AT_MOST: Final = 16
"""Of one call: a question is a text or a few; what is written in masses is not asked for again."""
SHAPE: Final = struct.Struct("<Ii")
"""How many numbers the vector has, and how many words there are; -1 where they were not made."""


@dataclass(slots=True)
class Making:
    """Texts that somebody is embedding at this moment, and what came of it; nothing where it failed."""

    rows: dict[bytes, Row] = field(default_factory=dict)
    is_over: Event = field(default_factory=Event)


class CachedEmbedder:
    """An embedder before which the latest `capacity` vectors are kept, each for `ttl_seconds`.

    Those of questions also where other processes find them, if there is such a place (`shared`).
    Texts are held as SHA-256 only. `hits` and `misses` count texts; a text that is asked for twice in one
    call is embedded once, so its second appearance is a hit.
    """

    def __init__(
        self,
        embedder: Embedder,
        capacity: int = 4096,
        ttl_seconds: float = 1800.0,
        clock: Callable[[], float] = time.monotonic,
        shared: VectorCache | None = None,
    ) -> None:
        if capacity < 1 or ttl_seconds <= 0:
            raise InvalidInput(
                f"A cache needs capacity and ttl_seconds above 0, not {capacity} and {ttl_seconds}."
            )
        self._embedder = embedder
        self._capacity = capacity
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._shared = shared
        self._entries: OrderedDict[bytes, tuple[float, Row]] = OrderedDict()
        self._forgotten = 0
        self._making: dict[bytes, Making] = {}
        self._lock = Lock()
        self.hits = 0
        self.misses = 0

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def calibration(self) -> Calibration | None:
        return calibration_of(self._embedder)

    @property
    def guard(self) -> Guard | None:
        return guard_of(self._embedder)

    @property
    def counts(self) -> tuple[int, int]:
        """Hits and misses, of questions too."""
        if self.for_questions is self:
            return self.hits, self.misses
        hits, misses = self.for_questions.counts
        return self.hits + hits, self.misses + misses

    @cached_property
    def for_questions(self) -> Self:
        """What embeds questions, with a cache of its own; this one where nothing does that quicker."""
        inner = for_questions(self._embedder)
        if inner is self._embedder:
            return self
        return type(self)(inner, self._capacity, self._ttl_seconds, self._clock, self._shared)

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        found = self._rows(texts, progress)
        return np.stack([row[0] for row in found]) if found else np.empty((0, self.dimension), np.float32)

    def _rows(self, texts: Sequence[str], progress: Progress | None) -> list[Row]:
        keys = [self._key(text) for text in texts]
        with self._lock:
            forgotten = self._forgotten
            known = {key: row for key in dict.fromkeys(keys) if (row := self._lookup(key)) is not None}
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= self._from_others(missing, forgotten)
        missing = {key: text for key, text in missing.items() if key not in known}
        with self._lock:
            self.hits += len(texts) - len(missing)
            self.misses += len(missing)
        if missing:
            known |= self._once(missing, len(texts), progress, forgotten)
        elif progress and texts:
            progress(len(texts), len(texts))
        return [known[key] for key in keys]

    def _once(
        self, missing: dict[bytes, str], total: int, progress: Progress | None, forgotten: int
    ) -> dict[bytes, Row]:
        """The rows of texts; of a question that several ask at the same time, one makes them for all."""
        if len(missing) > SHARED_AT_MOST:
            return self._embed_missing(missing, total, progress, forgotten)
        making = Making()
        with self._lock:
            others = {key: self._making[key] for key in missing if key in self._making}
            mine = {key: text for key, text in missing.items() if key not in others}
            self._making |= dict.fromkeys(mine, making)
        try:
            if mine:
                making.rows = self._embed_missing(mine, total, progress, forgotten)
        finally:
            with self._lock:
                for key in mine:
                    del self._making[key]
            making.is_over.set()
        found = dict(making.rows)
        # After one's own are there, or two who need each other's would wait for ever.
        for key, other in others.items():
            other.is_over.wait()
            if key in other.rows:
                found[key] = other.rows[key]
        failed = {key: text for key, text in missing.items() if key not in found}
        return found | self._embed_missing(failed, total, progress, forgotten) if failed else found

    def forget(self, text: str) -> None:
        """Drop the vector of one text, also one that is being embedded at this moment."""
        if self.for_questions is not self:
            self.for_questions.forget(text)
        with self._lock:
            self._forgotten += 1
            self._entries.pop(self._key(text), None)

    def clear(self) -> None:
        if self.for_questions is not self:
            self.for_questions.clear()
        with self._lock:
            self._forgotten += 1
            self._entries.clear()
        if self._shared is not None:
            self._shared.clear()

    def __len__(self) -> int:
        return len(self._entries)

    def _embed_missing(
        self, missing: dict[bytes, str], total: int, progress: Progress | None, forgotten: int
    ) -> dict[bytes, Row]:
        def report(done: int, _: int) -> None:
            if progress:
                progress(total - len(missing) + done, total)

        # Outside the lock: others are served from the cache meanwhile.
        rows = dict(zip(missing, self._made(list(missing.values()), report), strict=True))
        if self._keep(rows, forgotten) and self._shared is not None and len(rows) <= SHARED_AT_MOST:
            self._shared.keep({key: packed(row) for key, row in rows.items()}, self._ttl_seconds)
        return rows

    def _from_others(self, missing: dict[bytes, str], forgotten: int) -> dict[bytes, Row]:
        """What another process has embedded already."""
        if self._shared is None or not 0 < len(missing) <= SHARED_AT_MOST:
            return {}
        told = {key: self._unpacked(value) for key, value in self._shared.found(list(missing)).items()}
        rows = {key: row for key, row in told.items() if row is not None}
        self._keep(rows, forgotten)
        return rows

    def _keep(self, rows: dict[bytes, Row], forgotten: int) -> bool:
        with self._lock:
            # What was purged while it was being embedded must not come back.
            if self._forgotten != forgotten:
                return False
            for key, row in rows.items():
                self._store(key, row)
            return True

    def _unpacked(self, value: bytes) -> Row | None:
        """A row that was packed; None where it is damaged, or of another dimension."""
        row = unpacked(value)
        return row if row is not None and len(row[0]) == self.dimension else None

    def _made(self, texts: list[str], progress: Progress) -> list[Row]:
        # Copied, or one row would keep its whole batch in memory.
        return [(row.copy(), None) for row in self._embedder.embed(texts, progress)]

    def _lookup(self, key: bytes) -> Row | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        expires_at, row = entry
        if self._clock() >= expires_at:
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return row

    def _store(self, key: bytes, row: Row) -> None:
        self._entries[key] = (self._clock() + self._ttl_seconds, row)
        self._entries.move_to_end(key)
        if len(self._entries) > self._capacity:
            self._entries.popitem(last=False)

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode("utf-8", "surrogatepass")).digest()


class CachedWordEmbedder(CachedEmbedder):
    """The same for an embedder that gives the vectors of words too."""

    def __init__(self, embedder: WordEmbedder, *args: Any, **kwargs: Any) -> None:
        super().__init__(embedder, *args, **kwargs)
        self._word_embedder = embedder

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        found = self._rows(texts, progress)
        vectors = np.stack([row[0] for row in found]) if found else np.empty((0, self.dimension), np.float32)
        return vectors, [words for _, words in found if words is not None]

    def _unpacked(self, value: bytes) -> Row | None:
        row = super()._unpacked(value)
        return None if row is None or row[1] is None else row

    def _made(self, texts: list[str], progress: Progress) -> list[Row]:
        vectors, words = self._word_embedder.encode(texts, progress)
        for own in words:
            # They are handed out as they are kept: whoever changed them would change them for all.
            own.terms.flags.writeable = own.codes.flags.writeable = False
        return [(row.copy(), own) for row, own in zip(vectors, words, strict=True)]


def packed(row: Row) -> bytes:
    """A row as bytes.

    >>> row = np.array([0.6, 0.8], np.float32), None
    >>> unpacked(packed(row))
    (array([0.6, 0.8], dtype=float32), None)
    """
    vector, words = row
    head = SHAPE.pack(len(vector), -1 if words is None else len(words.terms))
    body = b"" if words is None else words.terms.tobytes() + words.codes.tobytes()
    return head + vector.tobytes() + body


def unpacked(value: bytes) -> Row | None:
    """The row of bytes; None where they are not what `packed` makes.

    >>> unpacked(b"something else") is None
    True
    """
    if len(value) < SHAPE.size:
        return None
    dimension, count = SHAPE.unpack_from(value)
    after_vector = SHAPE.size + 4 * dimension
    if len(value) != after_vector + max(count, 0) * (4 + WORD_BYTES):
        return None
    vector = np.frombuffer(value, np.float32, dimension, SHAPE.size)
    if count < 0:
        return vector, None
    terms = np.frombuffer(value, np.uint32, count, after_vector)
    codes = np.frombuffer(value, np.uint8, count * WORD_BYTES, after_vector + 4 * count)
    return vector, Words(terms, codes.reshape(count, WORD_BYTES))
