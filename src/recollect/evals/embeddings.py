"""Vectors that were made once and are used by every store of an evaluation, and by the next one."""

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.ports import WORD_BYTES, Embedder, Progress, WordEmbedder, Words

Row = tuple[NDArray[np.float32], Words]
FLUSHED = 4_000
"""After so many new texts their vectors are written."""
NO_WORDS = Words(np.empty(0, np.uint32), np.empty((0, WORD_BYTES), np.uint8))


class KeptEmbedder:
    """An embedder that embeds each text once; with a folder, once for all evaluations that name it."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self._folder = None if folder is None else folder / f"vectors-{_digest(embedder.name).hex()[:16]}"
        self._known: dict[bytes, Row] = {} if self._folder is None else _read(self._folder)
        self._new: dict[bytes, Row] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """The vectors of the texts."""
        return self.encode(texts, progress)[0]

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        """The vectors of the texts and of their words."""
        keys = [_digest(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            made = dict(zip(missing, self._made(list(missing.values()), progress), strict=True))
            self._known |= made
            self._new |= made
            if len(self._new) >= FLUSHED:
                self.flush()
        found = [self._known[key] for key in keys]
        vectors = np.stack([row[0] for row in found]) if found else np.empty((0, self.dimension), np.float32)
        return vectors, [row[1] for row in found]

    def flush(self) -> None:
        """Writes the vectors of the texts that were new, where they are kept."""
        if self._folder is not None and self._new:
            _write(self._folder, self._new)
        self._new = {}

    def _made(self, texts: list[str], progress: Progress | None) -> list[Row]:
        if isinstance(self._embedder, WordEmbedder):
            vectors, words = self._embedder.encode(texts, progress)
        else:
            vectors, words = self._embedder.embed(texts, progress), [NO_WORDS] * len(texts)
        return [(row.copy(), own) for row, own in zip(vectors, words, strict=True)]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def _write(folder: Path, rows: Mapping[bytes, Row]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # Written aside and moved when it is whole: an evaluation that is stopped leaves nothing that is half.
    handle, aside = tempfile.mkstemp(suffix=".tmp", dir=folder)
    with os.fdopen(handle, "wb") as file:
        np.savez(
            file,
            keys=np.frombuffer(b"".join(rows), np.uint8).reshape(-1, 16),
            vectors=np.stack([row[0] for row in rows.values()]),
            ends=np.cumsum([len(row[1].terms) for row in rows.values()]),
            terms=np.concatenate([row[1].terms for row in rows.values()]),
            codes=np.concatenate([row[1].codes for row in rows.values()]),
        )
    Path(aside).rename(folder / f"{_digest(aside).hex()}.npz")


def _read(folder: Path) -> dict[bytes, Row]:
    known: dict[bytes, Row] = {}
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as kept:
            keys, vectors, ends, terms, codes = (
                kept[name] for name in ("keys", "vectors", "ends", "terms", "codes")
            )
        starts = np.concatenate([[0], ends[:-1]])
        for key, vector, start, end in zip(keys, vectors, starts, ends, strict=True):
            known[key.tobytes()] = (vector, Words(terms[start:end], codes[start:end]))
    return known
