"""Groups of vectors around their means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.kmeans import grouped


def around(rng, centre, count):
    some = centre + 0.05 * rng.normal(size=(count, len(centre)))
    return (some / np.linalg.norm(some, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(0, 500))
def test_clear_groups_are_found_whatever_the_dice(seed):
    rng = np.random.default_rng(seed)
    vectors = np.vstack([around(rng, axis, 10) for axis in np.eye(8)[:3]])
    groups = grouped(vectors, 3, rng)
    assert [len(set(groups.group[part : part + 10])) for part in (0, 10, 20)] == [1, 1, 1]
    assert len(set(groups.group)) == 3


@given(st.integers(1, 12), st.integers(1, 20))
def test_every_vector_is_in_the_group_of_its_nearest_centre(count, size):
    rng = np.random.default_rng(count * 31 + size)
    vectors = around(rng, np.ones(6), size)
    groups = grouped(vectors, count, rng)
    assert np.array_equal(groups.group, (vectors @ groups.centres.T).argmax(axis=1))
    assert np.allclose(np.linalg.norm(groups.centres, axis=1), 1.0, atol=1e-5)


def test_of_equal_vectors_there_is_one_group():
    same = np.tile(np.array([[0.6, 0.8]], np.float32), (5, 1))
    assert len(grouped(same, 3, np.random.default_rng(1)).centres) == 1


def test_nothing_cannot_be_grouped():
    with pytest.raises(InvalidInput):
        grouped(np.zeros((0, 2), np.float32), 2, np.random.default_rng(1))
