"""BM25: rare words tell more, repeats help less and less, length is held against."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.bm25 import BM25Params, idf, term_weight

counts = st.integers(min_value=0, max_value=10**7)
lengths = st.integers(min_value=0, max_value=10**5)
means = st.floats(min_value=0, max_value=1e4)
parameters = st.builds(
    BM25Params, k1=st.floats(min_value=0, max_value=3), b=st.floats(min_value=0, max_value=1)
)


def test_idf_has_its_golden_values():
    assert idf(10, [1, 5, 10]).tolist() == pytest.approx(
        [math.log(1 + 9.5 / 1.5), math.log(2), math.log(1 + 0.5 / 10.5)]
    )


@given(counts, counts)
def test_idf_is_never_negative_even_with_stale_counts(total, frequency):
    assert 0.0 < float(idf(total, frequency)) <= math.log(2 * total + 2) + 1e-9


@given(counts, counts, counts)
def test_idf_never_rises_with_the_frequency(total, rare, common):
    rare, common = sorted((rare, common))
    assert float(idf(total, rare)) >= float(idf(total, common))


def test_a_term_weight_has_its_golden_values():
    mean_document = term_weight([1, 3], [20, 20], mean_length=20)
    assert mean_document.tolist() == pytest.approx([1 / 1.9, 3 / 3.9])
    long_document = term_weight(1, 40, mean_length=20)
    assert float(long_document) == pytest.approx(1 / (1 + 0.9 * 1.6))


@given(counts, lengths, means, parameters)
def test_a_term_weight_is_between_zero_and_one(tf, length, mean, params):
    assert 0.0 <= float(term_weight(tf, length, mean, params)) <= 1.0


@given(counts, counts, lengths, means, parameters)
def test_a_term_weight_never_falls_with_repeats(few, many, length, mean, params):
    few, many = sorted((few, many))
    assert float(term_weight(few, length, mean, params)) <= float(term_weight(many, length, mean, params))


@given(counts, lengths, lengths, means, parameters)
def test_a_term_weight_never_rises_with_length(tf, short, long, mean, params):
    short, long = sorted((short, long))
    assert float(term_weight(tf, short, mean, params)) >= float(term_weight(tf, long, mean, params))


@given(lengths, means, parameters)
def test_an_absent_word_weighs_nothing(length, mean, params):
    assert float(term_weight(0, length, mean, params)) == 0.0


def test_without_b_the_length_does_not_matter():
    weights = term_weight(2, [1, 1000], mean_length=50, params=BM25Params(k1=1.2, b=0.0))
    assert weights[0] == weights[1]


def test_a_word_is_weighed_in_many_documents_at_once():
    assert term_weight(np.array([1, 2]), np.array([5, 9]), mean_length=7.0).shape == (2,)


def test_the_parameters_cannot_be_changed_in_place():
    assert BM25Params() == BM25Params(k1=0.9, b=0.6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        BM25Params().k1 = 2.0
