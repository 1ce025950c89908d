"""Stored vectors are widened exactly, and similarity depends on nothing but the two vectors."""

import numpy as np
import pytest
from index_stub import unit_vector

from recollect.errors import ModelMismatch
from recollect.index.vectors import centred_similarity, similarity, unit, widen


def test_every_finite_float16_is_widened_exactly():
    every = np.arange(65_536, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)]
    assert np.array_equal(widen(finite).view(np.uint32), finite.astype(np.float32).view(np.uint32))


def test_equal_vectors_are_equally_similar_wherever_they_lie():
    same = unit_vector(1)
    vectors = np.stack([same if i % 3 else unit_vector(i + 2) for i in range(301)])
    found = similarity(vectors, unit_vector(5))
    assert len({float(found[i]) for i in range(301) if i % 3}) == 1
    assert float(similarity(vectors[7:8], unit_vector(5))[0]) == float(found[7])


def test_centring_takes_the_mean_from_both_sides():
    vectors, query, mean = (
        np.stack([unit_vector(i) for i in range(9)]),
        unit_vector(50),
        unit_vector(60) * np.float32(0.4),
    )
    left, right = vectors - mean, query - mean
    wanted = left @ right / np.linalg.norm(left, axis=1) / np.linalg.norm(right)
    assert centred_similarity(vectors, query, mean) == pytest.approx(wanted, abs=1e-6)


def test_what_is_the_mean_itself_is_similar_to_nothing():
    mean = unit_vector(1)
    assert centred_similarity(mean[None], unit_vector(2), mean).tolist() == [0.0]
    assert centred_similarity(unit_vector(2)[None], mean, mean).tolist() == [0.0]


def test_a_query_gets_length_one_and_a_zero_one_stays():
    assert np.linalg.norm(unit(np.array([3, 4], np.float32), 2, "m")) == pytest.approx(1)
    assert unit(np.zeros(2, np.float32), 2, "m").tolist() == [0, 0]


def test_a_query_of_another_size_names_both_sizes():
    with pytest.raises(ModelMismatch, match=r"3 numbers.*vectors of 2"):
        unit(np.zeros(3, np.float32), 2, "m")
