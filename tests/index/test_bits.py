"""Bits stand for vectors: close vectors differ in few, and the nearest are found with their ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.bits import (
    SAMPLED,
    UNREACHABLE,
    blocked,
    centre,
    hamming,
    nearest,
    pack,
    weights,
    words_for,
)

seeds = st.integers(0, 2**32)
distances = st.lists(st.integers(0, 9) | st.just(UNREACHABLE), max_size=60).map(
    lambda d: np.array(d, np.uint16)
)


def made(seed, count, dimension):
    return np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)


@given(seeds, st.integers(0, 40), st.integers(1, 400))
def test_hamming_counts_the_signs_that_differ(seed, count, dimension):
    vectors, query, mean = (
        made(seed, count, dimension),
        made(seed + 1, 1, dimension),
        made(seed + 2, 1, dimension)[0],
    )
    found = hamming(pack(vectors, mean), pack(query, mean)[:, 0])
    assert found.tolist() == ((vectors > mean) != (query > mean)).sum(axis=1).tolist()


@pytest.mark.parametrize("dimension", [1, 64, 65, 384, 1024])
def test_bits_lie_in_columns_of_words(dimension):
    assert pack(made(0, 5, dimension), np.zeros(dimension, np.float32)).shape == (words_for(dimension), 5)


def test_hamming_of_many_rows_agrees_with_hamming_of_each():
    columns = pack(made(1, 40_000, 100), np.zeros(100, np.float32))
    query = columns[:, 7].copy()
    rows = np.array([0, 7, 16_383, 16_384, 39_999])
    everything = hamming(columns, query)
    assert everything[7] == 0
    assert hamming(columns, query, rows).tolist() == everything[rows].tolist()


@given(seeds, st.integers(1, 600), st.integers(1, 300))
def test_weights_sum_the_query_where_bits_are_set(seed, count, dimension):
    vectors, query = made(seed, count, dimension), made(seed + 1, 1, dimension)[0]
    columns = pack(vectors, np.zeros(dimension, np.float32))
    rows = np.arange(0, count, 2)
    assert weights(columns, query, rows) == pytest.approx((vectors[rows] > 0) @ query, abs=1e-3)


@given(distances, st.integers(1, 20))
def test_nearest_has_the_m_smallest_with_ties_and_no_unreachable_one(d, m):
    found = nearest(d, m).tolist()
    reachable = sorted(int(x) for x in d if x != UNREACHABLE)
    assert found == sorted(set(found))
    assert sorted(int(d[i]) for i in found)[:m] == reachable[:m]
    assert len(found) <= 2 * m
    ties = [i for i in range(len(d)) if reachable[:m] and d[i] == reachable[:m][-1]]
    assert len(found) == 2 * m or set(ties) <= set(found)


def test_of_too_many_ties_the_newest_are_kept():
    assert nearest(np.zeros(100, np.uint16), 10).tolist() == list(range(80, 100))


@pytest.mark.parametrize(("usual", "rare"), [(50, 3), (3, 2), (384, 0), (UNREACHABLE, 7)])
def test_nearest_is_right_where_the_sample_misleads(usual, rare):
    d = np.full(200_000, usual, np.uint16)
    d[1:2_000:2] = rare
    assert nearest(d, 500).tolist() == list(range(1, 2_000, 2))
    d[1:200_000:13] = rare
    d[2] = min(usual, 200)
    assert nearest(d, 9_000).tolist() == np.flatnonzero(d == rare).tolist()


def test_nearest_goes_on_where_the_sample_promises_too_much():
    d = np.full(200_000, 50, np.uint16)
    d[:: 200_000 // SAMPLED | 1] = 3
    found = nearest(d, 10_000)
    assert len(found) == 20_000
    assert set(np.flatnonzero(d == 3)) <= set(found)


@given(st.lists(st.tuples(st.integers(0, 400), st.booleans()), max_size=40))
def test_blocked_puts_only_ineligible_rows_out_of_reach(rows):
    d, mask = np.array([r[0] for r in rows], np.uint16), np.array([r[1] for r in rows], np.bool_)
    assert blocked(d, mask).tolist() == [x if ok else UNREACHABLE for x, ok in rows]


def test_the_mean_does_not_give_away_a_vector_that_is_purged_later():
    vectors = made(3, 2_048, 384)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for count in (1, 2, 8, 100, 2_048):
        total = vectors[:count].sum(axis=0, dtype=np.float64)
        with_it, without_it = centre(total, count), centre(total - vectors[0], count)
        changed = np.mean(with_it != without_it)
        assert changed < 0.1, f"of {count} vectors one shows in {changed:.0%} of the mean"


def test_the_mean_of_many_is_as_good_as_exact():
    vectors = made(4, 4_096, 384) + np.float32(0.5)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert (
        np.abs(centre(vectors.sum(axis=0, dtype=np.float64), len(vectors)) - vectors.mean(axis=0)).max()
        <= 1 / 2048
    )
