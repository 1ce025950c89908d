"""The head that judges a text by its vector: the vectors of a corpus, and a small network over them."""

import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.language.stance import HIDDEN, SCALE, Head
from recollect.providers.minilm import MiniLM

EPOCHS = 10
BATCH = 256
RATE = 2e-3
WARM = 0.25
DECAY = 1e-2
DROPPED = 0.25
"""So many of the inputs, and of the hidden units, are left out at random while it learns."""
_MOMENTS = (0.9, 0.999)
_AT_ONCE = 2048

Floats = NDArray[np.float32]


def vectors_of(texts: Sequence[str], kept: Path | None) -> Floats:
    """One row a text, as the built-in embedder gives them; what a file keeps is not embedded again."""
    names = [sha256(text.encode("utf-8", "replace")).hexdigest()[:24] for text in texts]
    known = _read(kept)
    missing = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
    embedder, left = MiniLM(), sorted(missing.items(), key=lambda one: len(one[1]))
    for start in range(0, len(left), _AT_ONCE):
        part = left[start : start + _AT_ONCE]
        rows = embedder.embed([text.encode("utf-8", "replace").decode() for _, text in part])
        known |= dict(zip((name for name, _ in part), rows.astype(np.float16), strict=True))
        print(f"embedded {start + len(part)} of {len(left)}", file=sys.stderr, flush=True)
        if kept is not None:
            np.savez(kept, names=np.array([*known]), rows=np.stack([*known.values()]))
    return np.stack([known[name] for name in names]).astype(np.float32)


def _read(kept: Path | None) -> dict[str, NDArray[np.float16]]:
    if kept is None or not kept.exists():
        return {}
    with np.load(kept) as found:
        return dict(zip(found["names"].tolist(), found["rows"], strict=True))


def fitted(
    vectors: Floats, attack: NDArray[np.bool_], weights: NDArray[np.float64], embedder: str, seed: int
) -> Head:
    """A network of one hidden layer, by Adam with decoupled decay; what it is made of is left out at random."""
    rng = np.random.default_rng(seed)
    inputs, wanted = vectors * np.float32(SCALE), attack.astype(np.float32)
    count, width = inputs.shape
    parts = [
        (rng.standard_normal((width, HIDDEN)) / np.sqrt(width)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        (rng.standard_normal(HIDDEN) / np.sqrt(HIDDEN)).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in parts]
    steps = EPOCHS * -(-count // BATCH)
    done = 0
    for _ in range(EPOCHS):
        order = rng.permutation(count)
        for start in range(0, count, BATCH):
            rows = order[start : start + BATCH]
            done += 1
            found = _slopes(parts, inputs[rows], wanted[rows], weights[rows], rng)
            _step(parts, moments, found, done, steps)
    halves = parts[0].astype(np.float16)
    return Head(embedder, halves.astype(np.float32), parts[1], parts[2], float(parts[3][0]))


def _slopes(
    parts: list[Floats],
    inputs: Floats,
    wanted: Floats,
    weights: NDArray[np.float64],
    rng: np.random.Generator,
) -> list[Floats]:
    seen = inputs * _kept(inputs.shape, rng)
    before = seen @ parts[0] + parts[1]
    mask = _kept(before.shape, rng) * (before > 0)
    hidden = before * mask
    odds = hidden @ parts[2] + parts[3]
    errors = ((1 / (1 + np.exp(-odds)) - wanted) * weights / len(wanted)).astype(np.float32)
    back = np.outer(errors, parts[2]) * mask
    return [seen.T @ back, back.sum(0), hidden.T @ errors, errors.sum(keepdims=True)]


def _kept(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    return (rng.random(shape, dtype=np.float32) >= DROPPED) / np.float32(1 - DROPPED)


def _step(
    parts: list[Floats], moments: list[tuple[Floats, Floats]], slopes: list[Floats], done: int, steps: int
) -> None:
    at = done / steps
    rate = RATE * (at / WARM if at < WARM else 0.5 * (1 + np.cos(np.pi * (at - WARM) / (1 - WARM))))
    first, second = _MOMENTS
    for at_part, slope in enumerate(slopes):
        part, (mean, square) = parts[at_part], moments[at_part]
        mean, square = mean + (1 - first) * (slope - mean), square + (1 - second) * (slope**2 - square)
        moved = (mean / (1 - first**done)) / (np.sqrt(square / (1 - second**done)) + 1e-8)
        parts[at_part] = (part - rate * (moved + DECAY * part)).astype(np.float32)
        moments[at_part] = mean.astype(np.float32), square.astype(np.float32)
