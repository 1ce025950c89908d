"""Neighbours correct scores: the same whatever the order, nothing without links, and as they were taught."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.message_passing import (
    MOST,
    Gnn,
    GnnShape,
    Graph,
    Layer,
    Lesson,
    ambiguity,
    attention,
    blank,
    corrections,
    gradient,
    loss,
    reciprocal_rank,
    weighted,
)

SHAPE = GnnShape(features=3, kinds=2, width=4, layers=2)
seeds = st.integers(0, 10_000)


def drawn(rng):
    return weighted(SHAPE, rng.normal(0.0, 0.7, SHAPE.size))


def graph(rng, nodes=7, speakers=3):
    links = rng.random((nodes, speakers, SHAPE.kinds)) * (rng.random((nodes, speakers, 1)) < 0.6)
    at = rng.permutation(nodes)[:speakers]
    links[at, np.arange(speakers)] = 0.0
    return Graph(rng.normal(size=(nodes, SHAPE.features)), at, links)


def lesson(rng):
    better, worse = np.zeros(7, np.bool_), np.zeros(7, np.bool_)
    better[:2], worse[3:] = True, True
    return Lesson(graph(rng), rng.random(7), better, worse)


def test_two_nodes_by_hand():
    """One round of one number: h = tanh(x), the listener attends to the speaker by 1 / (1 + 1 / e) and to nobody else."""
    one = np.ones((1, 1))
    gnn = Gnn(one, (Layer(0 * one, 0 * one, one, one, np.array([1.0])),), np.array([1.0]))
    pair = Graph(np.array([[1.0], [0.0]]), np.array([0]), np.array([[[0.0]], [[1.0]]]))
    share = np.e / (1 + np.e)
    heard = np.tanh(share * (np.tanh(1.0) + 1.0))
    assert corrections(pair, gnn) == pytest.approx([0.0, MOST * np.tanh(heard)])
    assert heard == pytest.approx(0.8585, abs=1e-4)


@given(seeds)
def test_the_order_of_nodes_and_speakers_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    gnn, here = drawn(rng), graph(rng)
    order, said = rng.permutation(7), rng.permutation(3)
    place = np.argsort(order)
    there = Graph(here.features[order], place[here.speakers[said]], here.links[order][:, said])
    assert corrections(there, gnn) == pytest.approx(corrections(here, gnn)[order], abs=1e-12)


@given(seeds)
def test_a_correction_is_bounded_and_what_has_no_links_hears_nothing(seed):
    rng = np.random.default_rng(seed)
    gnn, here = drawn(rng), graph(rng)
    found = corrections(here, gnn)
    assert np.abs(found).max() < MOST
    assert not found[~here.links.any(axis=(1, 2))].any()


@given(seeds)
def test_the_slope_is_that_of_the_loss(seed):
    rng = np.random.default_rng(seed)
    gnn, one = drawn(rng), lesson(rng)
    slope, direction = gradient(one, gnn, 0.3), rng.normal(size=SHAPE.size)
    ahead, behind = (loss(one, weighted(SHAPE, gnn.flat + step * direction), 0.3) for step in (1e-5, -1e-5))
    assert slope @ direction == pytest.approx((ahead - behind) / 2e-5, rel=1e-4, abs=1e-6)


def test_learning_along_the_slope_puts_the_better_first():
    rng = np.random.default_rng(1)
    one = lesson(rng)
    gnn = blank(SHAPE, rng)
    assert corrections(one.graph, gnn).tolist() == [0.0] * 7
    before = loss(one, gnn, 0.1)
    for _ in range(200):
        slope = gradient(one, gnn, 0.1)
        gnn = weighted(SHAPE, gnn.flat - 0.05 * slope / max(1.0, np.linalg.norm(slope)))
    assert loss(one, gnn, 0.1) < before / 2
    assert reciprocal_rank(one, gnn) == 1.0


def test_of_what_is_neither_better_nor_worse_nothing_is_learnt():
    rng = np.random.default_rng(2)
    gnn, one = drawn(rng), lesson(rng)
    moved = one._replace(scores=one.scores + np.where(one.better | one.worse, 0.0, 100.0))
    assert gradient(moved, gnn, 0.1) == pytest.approx(gradient(one, gnn, 0.1))
    nothing = one._replace(worse=np.zeros(7, np.bool_))
    assert loss(nothing, gnn, 0.1) == 0.0
    assert not gradient(nothing, gnn, 0.1).any()


def test_weights_in_one_row_are_the_same_again():
    gnn = drawn(np.random.default_rng(3))
    again = weighted(gnn.shape, gnn.flat)
    assert gnn.shape == SHAPE
    assert again.flat.tolist() == gnn.flat.tolist()
    with pytest.raises(InvalidInput, match="has 132 weights"):
        weighted(SHAPE, np.zeros(3))


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=20), st.floats(0.05, 5))
def test_shares_add_up_and_follow_the_scores(scores, temperature):
    shares = attention(scores, temperature)
    assert shares.sum() == pytest.approx(1.0)
    assert np.array_equal(np.argsort(scores, kind="stable"), np.argsort(shares, kind="stable")) or len(
        set(shares.tolist())
    ) < len(set(scores))
    assert shares.max() >= attention(scores, 2 * temperature).max() - 1e-12


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=20))
def test_ambiguity_lies_between_one_that_stands_alone_and_all_alike(scores):
    assert 0.0 <= ambiguity(scores) <= 1.0
    assert ambiguity([one / 2 for one in scores]) >= ambiguity(scores) - 1e-9


def test_nothing_is_not_ambiguous():
    assert attention([]).tolist() == []
    assert ambiguity([]) == ambiguity([0.3]) == 0.0
