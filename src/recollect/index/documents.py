"""Documents of the store as arrays."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from recollect.errors import ModelMismatch
from recollect.model import Filter
from recollect.ports import Document, Visibility

NO_THREAD: Final = 0


class Feed(Protocol):
    """The part of the `Store` that the index follows."""

    @property
    def identity(self) -> str: ...
    def documents(self, user: str, after: int, limit: int) -> list[Document]: ...
    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]: ...
    def high_water(self, user: str) -> tuple[int, int]: ...
    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]: ...
    def words(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]: ...
    def matching(self, user: str, where: Filter) -> NDArray[np.int64]: ...


@dataclass(frozen=True, slots=True)
class Source:
    """One user's feed with the vectors of one model."""

    store: Feed
    user: str
    model: str
    dimension: int

    def read(self, after: int, upto: int | None, bulk: int) -> Iterator["Batch"]:
        """Every document with after < content <= upto, at most `bulk` at a time."""
        while True:
            found = self.store.documents(self.user, after, bulk)
            wanted = found if upto is None else [document for document in found if document.content <= upto]
            if wanted:
                yield Batch.of(wanted, self.dimension, self.model)
            if len(wanted) < bulk:
                return
            after = wanted[-1].content

    def vectors(self, contents: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        """Those that the store has, with their content numbers ascending."""
        found, vectors = self.store.vectors(self.user, contents)
        if not len(found):
            return np.empty(0, np.int64), np.empty((0, self.dimension), np.float16)
        if vectors.shape[1] != self.dimension:
            raise mismatch(f"content {found[0]}", vectors.shape[1], self.model, self.dimension)
        if not _ascending(found):
            order = np.argsort(found)
            found, vectors = found[order], vectors[order]
        return found, vectors

    def words(
        self, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Those of the store's: which contents have some, after which row of the codes each one's end, the codes."""
        return self.store.words(self.user, contents)


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents by ascending content number; terms and vectors lie one after another."""

    contents: NDArray[np.int64]
    terms: NDArray[np.uint32]
    counts: NDArray[np.int64]
    """How many terms each document has."""
    embedded: NDArray[np.bool_]
    """Which documents have a vector."""
    vectors: NDArray[np.float16]
    threads: NDArray[np.int64]
    """Of a turn the number of its session, else `NO_THREAD`."""
    own: NDArray[np.bool_]
    """Which documents are turns that the user spoke."""

    @classmethod
    def of(cls, documents: Sequence[Document], dimension: int, model: str) -> Self:
        """Arrays from the store's rows; a vector of another size is an error that names it."""
        count = len(documents)
        for document in documents:
            if document.vector is not None and len(document.vector) != 2 * dimension:
                raise mismatch(f"content {document.content}", len(document.vector) // 2, model, dimension)
        vectors = b"".join([document.vector for document in documents if document.vector is not None])
        return cls(
            np.fromiter((document.content for document in documents), np.int64, count),
            np.frombuffer(b"".join([document.terms for document in documents]), "<u4"),
            np.fromiter((len(document.terms) // 4 for document in documents), np.int64, count),
            np.fromiter((document.vector is not None for document in documents), np.bool_, count),
            np.frombuffer(vectors, "<f2").reshape(-1, dimension),
            np.fromiter((_thread(document.session) for document in documents), np.int64, count),
            np.fromiter((document.is_own for document in documents), np.bool_, count),
        )

    def keeping(self, kept: NDArray[np.bool_]) -> "Batch":
        """Only these documents."""
        return Batch(
            self.contents[kept],
            self.terms[np.repeat(kept, self.counts)],
            self.counts[kept],
            self.embedded[kept],
            self.vectors[kept[self.embedded]],
            self.threads[kept],
            self.own[kept],
        )


def mismatch(what: str, found: int, model: str, wanted: int) -> ModelMismatch:
    """The error for a stored vector of another size, with both sizes."""
    return ModelMismatch(
        f"{what} has a vector of {found} numbers, but {model} makes vectors of {wanted}; run `recollect reembed`"
    )


@lru_cache(maxsize=1024)
def _thread(session: str | None) -> int:
    # 63 bits: sessions of one user do not meet by chance, as they would in 32.
    if session is None:
        return NO_THREAD
    digest = hashlib.blake2b(session.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1 or 1


def _ascending(numbers: NDArray[np.int64]) -> bool:
    return bool(np.all(numbers[1:] > numbers[:-1]))
