"""Made texts with made vectors: the same on every machine, shaped like memories (clusters, Zipf words)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
CLUSTERS = 2_000
VOCABULARY = 30_000
WORDS_A_TEXT = 14
BATCH = 8_192


@dataclass(frozen=True)
class Item:
    """A text, its vector, and a tag that a tenth of all have."""

    text: str
    vector: NDArray[np.float32]
    tag: str


class Corpus:
    """Items by number and questions about them, from a seed."""

    def __init__(self, seed: int = 7) -> None:
        self._seed = seed
        rng = np.random.default_rng(seed)
        # Real embeddings share a direction: without it, centring would have nothing to do.
        common = rng.standard_normal(DIMENSION)
        self._centres = (rng.standard_normal((CLUSTERS, DIMENSION)) + common).astype(np.float32)
        ranks = np.arange(1, VOCABULARY + 1)
        self._chances = (1 / ranks) / (1 / ranks).sum()
        self._words = np.array([f"w{n:05d}" for n in range(VOCABULARY)])

    def items(self, count: int, start: int = 0) -> Iterator[list[Item]]:
        """Batches of items; the n-th is the same however many are asked for."""
        for first in range(start, start + count, BATCH):
            size = min(BATCH, start + count - first)
            rng = np.random.default_rng([self._seed, first])
            vectors = self._vectors(rng, size)
            words = self._words[rng.choice(VOCABULARY, (size, WORDS_A_TEXT), p=self._chances)]
            yield [Item(f"{' '.join(words[i])} n{first + i}", vectors[i], f"t{i % 10}") for i in range(size)]

    def questions(self, count: int) -> list[Item]:
        """Questions are items of their own: near to a cluster, with words that occur."""
        rng = np.random.default_rng([self._seed, 999])
        vectors = self._vectors(rng, count)
        words = self._words[rng.choice(VOCABULARY, (count, 6), p=self._chances)]
        return [Item(" ".join(words[i]), vectors[i], f"t{i % 10}") for i in range(count)]

    def _vectors(self, rng: np.random.Generator, count: int) -> NDArray[np.float32]:
        near = self._centres[rng.integers(0, CLUSTERS, count)]
        raw = near + 0.9 * rng.standard_normal((count, DIMENSION)).astype(np.float32)
        return raw / np.linalg.norm(raw, axis=1, keepdims=True)


class TableEmbedder:
    """An embedder that knows the vectors already, so that only the memory is measured."""

    name = "table"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, NDArray[np.float32]] = {}

    def learn(self, items: list[Item]) -> None:
        self._known = {item.text: item.vector for item in items}

    def embed(self, texts, progress=None):  # noqa: ARG002
        return np.array([self._known[text] for text in texts], np.float32).reshape(len(texts), DIMENSION)
