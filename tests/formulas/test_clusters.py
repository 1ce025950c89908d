"""Clusters: dense groups are found whatever their number, what lies alone belongs to none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.formulas.clusters import ALONE, clusters


def blobs(seed, sizes, spread=0.05, dimension=16):
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((len(sizes), dimension))
    rows = [c + spread * rng.standard_normal((n, dimension)) for c, n in zip(centres, sizes, strict=True)]
    return np.concatenate(rows), np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize("sizes", [(10, 10), (3, 30, 8), (20, 5, 5, 40, 12)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_well_parted_groups_are_found_exactly(seed, sizes):
    rows, groups = blobs(seed, sizes)
    found = clusters(rows)
    inside = found != ALONE
    assert len(set(found[inside].tolist())) == len(sizes)
    assert all(len(set(found[(groups == group) & inside].tolist())) == 1 for group in range(len(sizes)))
    assert inside.mean() > 0.8


def test_clusters_are_numbered_in_the_order_of_their_first_member():
    rows, _ = blobs(4, (6, 6, 6))
    assert clusters(rows)[[0, 6, 12]].tolist() == [0, 1, 2]


def test_a_point_far_from_all_lies_alone():
    rows, _ = blobs(5, (8, 8))
    assert clusters(np.concatenate([rows, -rows[:1]]))[-1] == ALONE


@pytest.mark.parametrize("count", range(6))
def test_too_few_make_no_two_clusters(count):
    assert clusters(np.eye(6)[:count]).tolist() == [ALONE] * count


def test_equal_vectors_are_a_cluster():
    assert clusters(np.repeat(np.eye(4)[:2], 4, axis=0)).tolist() == [0] * 4 + [1] * 4


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6), st.integers(0, 40), st.integers(2, 5))
def test_no_cluster_is_smaller_than_the_least_and_length_does_not_matter(seed, count, least):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((count, 4))
    found = clusters(rows, least)
    sizes = np.bincount(found[found >= 0]) if (found >= 0).any() else np.array([least])
    assert sizes.min() >= least
    assert clusters(rows * rng.uniform(0.5, 2.0, (count, 1)), least).tolist() == found.tolist()
