"""What neighbours say: attention over the links of a graph corrects each node's score, and learns from contrasts.

A few nodes speak, all listen. Each listener attends to the speakers that it is linked to, by what the two are and by
the kinds of their links; it may also attend to nobody, so that what has no neighbours hears nothing.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInput

Array = NDArray[np.float64]

MOST: float = 0.5
"""By so much a score is corrected at most."""


class Graph(NamedTuple):
    """Nodes with what is known of them, and what links them to those that speak."""

    features: Array
    """Of shape (nodes, features)."""
    speakers: NDArray[np.intp]
    """Which of the nodes speak."""
    links: Array
    """Of shape (nodes, speakers, kinds): how strongly each speaker is linked to each node, by kind; all 0: not."""


class Lesson(NamedTuple):
    """A graph with its nodes' scores, and which of them should have stood above which; of the others nothing is said."""

    graph: Graph
    scores: Array
    better: NDArray[np.bool_]
    worse: NDArray[np.bool_]


class Layer(NamedTuple):
    """The weights of one round of messages."""

    query: Array
    key: Array
    value: Array
    by_kind: Array
    """What a link of each kind says by itself."""
    gate: Array
    """How much more, or less, a link of each kind is attended to."""


class Gnn(NamedTuple):
    """All weights: how nodes are read, the rounds, and what of the result is the correction."""

    reading: Array
    layers: tuple[Layer, ...]
    writing: Array

    @property
    def flat(self) -> Array:
        """All of them in one row."""
        return np.concatenate([one.ravel() for one in _arrays(self)])

    @property
    def shape(self) -> "GnnShape":
        features, width = self.reading.shape
        return GnnShape(features, len(self.layers[0].gate), width, len(self.layers))


@dataclass(frozen=True, slots=True)
class GnnShape:
    """How large it is."""

    features: int
    kinds: int
    width: int = 8
    layers: int = 2

    @property
    def arrays(self) -> tuple[tuple[int, ...], ...]:
        """The shapes of all weights, in their order."""
        square = (self.width, self.width)
        one = (square, square, square, (self.kinds, self.width), (self.kinds,))
        return ((self.features, self.width), *(one * self.layers), (self.width,))

    @property
    def size(self) -> int:
        return sum(math.prod(one) for one in self.arrays)


def weighted(shape: GnnShape, flat: ArrayLike) -> Gnn:
    """One of that shape, from its weights in one row."""
    values = np.asarray(flat, np.float64)
    if values.shape != (shape.size,):
        raise InvalidInput(f"{shape} has {shape.size} weights, not {values.shape}")
    ends = np.cumsum([math.prod(one) for one in shape.arrays])[:-1]
    made = [part.reshape(one) for part, one in zip(np.split(values, ends), shape.arrays, strict=True)]
    per = len(Layer._fields)
    rounds = (Layer(*made[1 + per * at : 1 + per * (at + 1)]) for at in range(shape.layers))
    return Gnn(made[0], tuple(rounds), made[-1])


def blank(shape: GnnShape, rng: np.random.Generator) -> Gnn:
    """One that corrects nothing yet: it listens at random and says nothing.

    >>> one = blank(GnnShape(features=1, kinds=1), np.random.default_rng(1))
    >>> alone = Graph(np.ones((2, 1)), np.array([0]), np.zeros((2, 1, 1)))
    >>> corrections(alone, one).tolist()
    [0.0, 0.0]
    """
    width = shape.width

    def drawn(rows: int) -> Array:
        return rng.normal(0.0, 1.0 / np.sqrt(rows), (rows, width))

    rounds = tuple(
        Layer(
            drawn(width),
            drawn(width),
            drawn(width),
            drawn(shape.kinds) * 0.1,
            np.zeros(shape.kinds),
        )
        for _ in range(shape.layers)
    )
    return Gnn(drawn(shape.features), rounds, np.zeros(width))


def corrections(graph: Graph, gnn: Gnn) -> Array:
    """By how much each node's score is corrected.

    Equation: h = tanh(X R); in each round, with the speakers j that i is linked to,
    a_ij = exp(l_ij) / (1 + sum_j exp(l_ij)), l_ij = (h_i Q) . (h_j K) / sqrt(width) + e_ij . gate,
    h_i <- h_i + tanh(sum_j a_ij (h_j V + e_ij B)); at last 0.5 tanh((h - tanh(X R)) w).
    Source: graph attention (Velickovic et al., 2018) with scaled products (Vaswani et al., 2017), kinds of links as
    in relational graph networks (Schlichtkrull et al., 2018), and a null attention; FEATURES.md, row M14.
    Range: (-0.5, 0.5), and 0 without links; whatever order the nodes are in, each gets the same.
    """
    return _forward(graph, gnn)[0]


def linked(links: Array) -> NDArray[np.bool_]:
    """Which nodes are linked to which speakers, by any kind.

    >>> linked(np.array([[[0.0, 0.5], [0.0, 0.0]]])).tolist()
    [[True, False]]
    """
    found: NDArray[np.bool_] = (np.moveaxis(links, 2, 0) != 0.0).any(axis=0)
    return found


def attention(scores: ArrayLike, temperature: float = 0.1) -> Array:
    """The share of attention that each candidate gets: the colder, the more the best gets.

    Equation: softmax(score / temperature).
    Source: differentiable search; FEATURES.md, row M14.
    Range: 0 to 1, adding up to 1.

    >>> attention([0.9, 0.8, 0.1], 0.1).round(3).tolist()
    [0.731, 0.269, 0.0]
    """
    values = np.asarray(scores, np.float64)
    if not values.size:
        return values
    raised = np.exp((values - values.max()) / temperature)
    shares: Array = raised / raised.sum()
    return shares


def reciprocal_rank(lesson: Lesson, gnn: Gnn) -> float:
    """1 where one of the better stands first, 1/2 where it stands second, and so on."""
    refined = lesson.scores + corrections(lesson.graph, gnn)
    best = refined[lesson.better].max(initial=-np.inf)
    return 1.0 / (1 + int((refined[lesson.worse] >= best).sum()))


def ambiguity(scores: ArrayLike, temperature: float = 0.1) -> float:
    """How little scores tell the best from the rest: 0, one stands alone, to 1, all are alike.

    Equation: the entropy of their attention over that of equal shares.

    >>> ambiguity([0.5, 0.5, 0.5])
    1.0
    >>> round(ambiguity([1.0, 0.1, 0.0]), 3)
    0.002
    """
    shares = attention(scores, temperature)
    if len(shares) < 2:
        return 0.0
    some = shares[shares > 0]
    return float(round(-(some * np.log(some)).sum() / np.log(len(shares)), 12))


def loss(lesson: Lesson, gnn: Gnn, temperature: float) -> float:
    """How far what is better stands from standing above what is worse.

    Equation: mean over the better b of log(1 + sum over the worse w of exp((s_w - s_b) / temperature)).
    Source: InfoNCE (van den Oord et al., 2018), each of the better against the worse alone.
    """
    return _contrast(lesson, lesson.scores + corrections(lesson.graph, gnn), temperature)[0]


def gradient(lesson: Lesson, gnn: Gnn, temperature: float) -> Array:
    """Of the loss by all weights, in one row."""
    graph = lesson.graph
    found, states, rounds = _forward(graph, gnn)
    _, by_score = _contrast(lesson, lesson.scores + found, temperature)
    outer = by_score * (MOST - found**2 / MOST)
    by_state = np.outer(outer, gnn.writing)
    slopes: list[Array] = [(states[-1] - states[0]).T @ outer]
    scale = 1.0 / np.sqrt(len(gnn.writing))
    for layer, before, kept in zip(gnn.layers[::-1], states[-2::-1], rounds[::-1], strict=True):
        shares, said, by_links, new = kept
        spoken = before[graph.speakers]
        by_new = by_state * (1.0 - new**2)
        by_said = shares.T @ by_new
        by_share = by_new @ said.T + np.einsum("nk,nsk->ns", by_new @ layer.by_kind.T, graph.links)
        by_logit = shares * (by_share - (shares * by_share).sum(1, keepdims=True))
        by_query = by_logit @ (spoken @ layer.key) * scale
        by_key = by_logit.T @ (before @ layer.query) * scale
        slopes += [
            np.einsum("ns,nsk->k", by_logit, graph.links),
            by_links.T @ by_new,
            spoken.T @ by_said,
            spoken.T @ by_key,
            before.T @ by_query,
        ]
        by_state = by_state + by_query @ layer.query.T
        np.add.at(by_state, graph.speakers, by_said @ layer.value.T + by_key @ layer.key.T)
    by_state = by_state - np.outer(outer, gnn.writing)
    slopes.append(graph.features.T @ (by_state * (1.0 - states[0] ** 2)))
    return np.concatenate([one.ravel() for one in slopes[::-1]])


def _forward(graph: Graph, gnn: Gnn) -> tuple[Array, list[Array], list[tuple[Array, Array, Array, Array]]]:
    states = [np.tanh(graph.features @ gnn.reading)]
    heard = linked(graph.links)
    pairs = np.flatnonzero(heard)
    # Few of all pairs are linked: of these alone there is anything to raise and to sum up.
    node = pairs // max(heard.shape[1], 1)
    listening = np.flatnonzero(heard.any(axis=1))
    first = np.searchsorted(node, listening)
    by_kind = np.moveaxis(graph.links, 2, 0).reshape(graph.links.shape[2], -1).take(pairs, axis=1)
    gates = np.stack([layer.gate for layer in gnn.layers]) @ by_kind
    scale = 1.0 / np.sqrt(len(gnn.writing))
    rounds = []
    for layer, gate in zip(gnn.layers, gates, strict=True):
        state = states[-1]
        spoken = state[graph.speakers]
        logits = ((state @ layer.query) @ (spoken @ layer.key * scale).T).take(pairs)
        logits += gate
        most = np.zeros(len(state))
        most[listening] = np.maximum(np.maximum.reduceat(logits, first), 0.0)
        raised = np.exp(logits - most[node])
        total = np.exp(-most) + np.bincount(node, raised, len(state))
        share = raised / total[node]
        shares = np.zeros(heard.shape)
        shares.ravel()[pairs] = share
        said = spoken @ layer.value
        by_links = np.zeros((len(state), len(by_kind)))
        by_links[listening] = np.add.reduceat(by_kind * share, first, axis=1).T
        new = np.tanh(shares @ said + by_links @ layer.by_kind)
        rounds.append((shares, said, by_links, new))
        states.append(state + new)
    return MOST * np.tanh((states[-1] - states[0]) @ gnn.writing), states, rounds


def _contrast(lesson: Lesson, scores: Array, temperature: float) -> tuple[float, Array]:
    """The loss, and its slope by each score."""
    slope = np.zeros(len(scores))
    if not (lesson.better.any() and lesson.worse.any()):
        return 0.0, slope
    away = (scores[lesson.worse][None, :] - scores[lesson.better][:, None]) / temperature
    most = np.maximum(away.max(axis=1, keepdims=True), 0.0)
    raised = np.exp(away - most)
    total = np.exp(-most) + raised.sum(axis=1, keepdims=True)
    shares = raised / total / (len(away) * temperature)
    slope[lesson.worse] = shares.sum(axis=0)
    slope[lesson.better] = -shares.sum(axis=1)
    return float((np.log(total) + most).mean()), slope


def _arrays(gnn: Gnn) -> list[Array]:
    return [gnn.reading, *(one for layer in gnn.layers for one in layer), gnn.writing]
