"""Regions: situations that are alike, as leader clusters at several levels.

The first situation that is like no leader leads a region of its own, for good: a region never moves, so what was
counted in it stays true. Level 0, the finest, compares every part of a situation but the last, which is what is
seen now; each level above leaves one more part out.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.pooling import pooled

LEVELS = 2
Vector = NDArray[np.float32]


def region_vectors(parts: Sequence[Vector]) -> tuple[Vector, ...]:
    """The vector of a situation at each level, from those of its parts."""
    return tuple(pooled(np.stack(parts[: max(1, len(parts) - 1 - level)])) for level in range(LEVELS))


@dataclass(slots=True)
class Leaders:
    """The leaders of one level."""

    dimension: int
    ids: list[str] = field(default_factory=list)
    _vectors: Vector = field(default_factory=lambda: np.empty((0, 0), np.float32))

    def add(self, region: str, vector: Vector) -> None:
        if len(self.ids) == len(self._vectors):
            grown = np.zeros((max(64, 2 * len(self.ids)), self.dimension), np.float32)
            if self.ids:
                grown[: len(self.ids)] = self._vectors
            self._vectors = grown
        self._vectors[len(self.ids)] = vector
        self.ids.append(region)

    def best(self, vector: Vector) -> tuple[str | None, float]:
        """The region of the most similar leader, and how similar it is."""
        if not self.ids:
            return None, -1.0
        similarity = self._vectors[: len(self.ids)] @ vector
        first = int(similarity.argmax())
        return self.ids[first], float(similarity[first])

    def nearest(self, vector: Vector, likeness: float) -> str | None:
        """The same, if it is similar enough."""
        region, similarity = self.best(vector)
        return region if similarity >= likeness else None


def stored(vector: Vector, model: str, leader: str) -> dict[str, Any]:
    """A region as its record holds it."""
    return {
        "leader": leader,
        "model": model,
        "vector": b64encode(vector.astype(np.float16).tobytes()).decode(),
    }


def vector_of(value: Mapping[str, Any]) -> Vector:
    """The inverse, without the model and the leader."""
    vector = np.frombuffer(b64decode(value["vector"]), np.float16).astype(np.float32)
    unit: Vector = vector / np.linalg.norm(vector)
    return unit
