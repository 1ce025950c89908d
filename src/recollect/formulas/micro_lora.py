"""A tiny lens of question vectors, trained by contrast, that does not forget what mattered before."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LoraParams:
    """How the lens learns."""

    rank: int = 2
    temperature: float = 0.1
    """Of the contrast: the lower, the more the nearest wrong answers count."""
    rate: float = 0.1
    consolidation: float = 100_000.0
    """How firmly directions that mattered are held: the lambda of EWC; 0: not at all."""
    directions: int = 64
    """How many of them are remembered: with 32, the second of two families that contradict each other was left out."""
    memory: float = 0.999
    """What is left of the running Fisher information after each consolidation."""


class Lens(NamedTuple):
    """The weights, the directions that mattered, and where the weights are held along those."""

    weights: Matrix
    """Of shape (2 * rank, dimension): the rows that read a question, then those that are written into it."""
    fisher: Matrix
    """A square root of the running Fisher information: one direction a row, as long as it mattered."""
    anchor: Matrix

    @property
    def rank(self) -> int:
        return len(self.weights) // 2


def blank(dimension: int, rng: np.random.Generator, params: LoraParams | None = None) -> Lens:
    """A lens that changes nothing yet: it reads at random and writes nothing.

    >>> one = blank(4, np.random.default_rng(1))
    >>> seen(np.eye(4, dtype=np.float32)[0], one).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    rank = (params or LoraParams()).rank
    reading = rng.normal(0.0, 1.0 / np.sqrt(dimension), (rank, dimension))
    weights = np.vstack([reading, np.zeros((rank, dimension))])
    return Lens(weights, np.zeros((0, weights.size)), weights.copy())


def seen(vectors: Vectors, lens: Lens) -> Vectors:
    """A question's vector, or several, as the lens sees them.

    Equation: q' = (q + B A q) / |q + B A q|, with A of shape (rank, d) and B of shape (d, rank).
    Source: LoRA (Hu et al., 2021) on the identity; FEATURES.md, row M6.
    Range: unit vectors; the same as before while B is 0.
    """
    reading, writing = lens.weights[: lens.rank], lens.weights[lens.rank :]
    moved = vectors + (vectors @ reading.T) @ writing
    length = np.linalg.norm(moved, axis=-1, keepdims=True)
    unit: Vectors = np.where(length > 1e-9, moved / np.maximum(length, 1e-9), vectors).astype(np.float32)
    return unit


def gradient(lens: Lens, question: Vectors, better: Vectors, worse: Vectors, temperature: float) -> Matrix:
    """Of the contrastive loss, by the weights; not longer than 1, so that no single example overturns all others.

    Equation: L = -mean over the better of log softmax((q + B A q) . d / temperature).
    Source: InfoNCE (van den Oord et al., 2018).
    """
    reading, writing = lens.weights[: lens.rank], lens.weights[lens.rank :]
    documents = np.vstack([better, worse]).astype(np.float64)
    read = reading @ question
    logits = documents @ (question + read @ writing) / temperature
    likely = np.exp(logits - logits.max())
    likely /= likely.sum()
    likely[: len(better)] -= 1.0 / len(better)
    by_vector = likely @ documents / temperature
    slope = np.vstack([np.outer(writing @ by_vector, question), np.outer(read, by_vector)])
    return slope / max(1.0, float(np.linalg.norm(slope)))


def trained(lens: Lens, slope: Matrix, params: LoraParams) -> Lens:
    """The lens after one example.

    Equation: the minimum of g . w + |w - w0|^2 / (2 rate) + lambda / 2 * (w - w*)^T F (w - w*), where w* is the
    anchor and F the Fisher information: a step down the slope, then back along the directions that mattered.
    Source: EWC (Kirkpatrick et al., 2017) with a running Fisher estimate (EWC++, Chaudhry et al., 2018), kept as its
    strongest directions instead of its diagonal, because a question's words share every weight; FEATURES.md, row M7.
    """
    weights = lens.weights - params.rate * slope
    strength = np.linalg.norm(lens.fisher, axis=1)
    known = strength > 1e-9
    if params.consolidation and known.any():
        directions = lens.fisher[known] / strength[known, None]
        held = params.rate * params.consolidation * strength[known] ** 2
        away = directions @ (weights - lens.anchor).ravel()
        weights = weights - ((held / (1.0 + held) * away) @ directions).reshape(weights.shape)
    return lens._replace(weights=weights)


def consolidated(lens: Lens, slopes: list[Matrix], params: LoraParams) -> Lens:
    """From now on what mattered in these examples is held where it is.

    Equation: F <- memory * F + mean of g g^T, cut to its strongest directions.
    Source: frequent directions (Liberty, 2013) of the gradients.
    """
    if not slopes:
        return lens
    recent = np.array([slope.ravel() for slope in slopes]) / np.sqrt(len(slopes))
    both = np.vstack([np.sqrt(params.memory) * lens.fisher, recent])
    _, lengths, directions = np.linalg.svd(both, full_matrices=False)
    most = params.directions
    return lens._replace(fisher=lengths[:most, None] * directions[:most], anchor=lens.weights.copy())
