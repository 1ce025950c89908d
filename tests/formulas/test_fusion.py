"""Fusion: scaling keeps the order, ranks are stable, reciprocal ranks fade."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.fusion import min_max, ranks, reciprocal_rank

numbers = st.floats(min_value=-1e9, max_value=1e9)
columns = st.lists(numbers, min_size=1, max_size=30)
broken_columns = st.lists(st.floats(), max_size=30)


@given(columns)
def test_a_scaled_column_spans_zero_to_one_unless_all_are_equal(column):
    scaled = min_max(column)
    assert scaled.min() == 0.0
    assert scaled.max() == (1.0 if len(set(column)) > 1 else 0.0)


@given(columns)
def test_scaling_keeps_the_order(column):
    scaled = min_max(column)
    for lower, upper in zip(np.argsort(column), np.argsort(column)[1:], strict=False):
        assert scaled[lower] <= scaled[upper]


def test_scaling_has_its_golden_values():
    assert min_max([-1.0, 0.0, 3.0]).tolist() == [0.0, 0.25, 1.0]


def test_rows_that_are_not_eligible_neither_count_nor_score():
    assert min_max([1, 2, 3, 99], eligible=[True, True, True, False]).tolist() == [0.0, 0.5, 1.0, 0.0]


def test_missing_values_neither_count_nor_score():
    assert min_max([1, np.nan, 3, np.inf, -np.inf]).tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("column", [[], [5.0], [np.nan, np.nan], [4.0, 4.0]])
def test_a_column_that_tells_nothing_apart_gives_zeros(column):
    assert min_max(column).tolist() == [0.0] * len(column)


def test_nothing_eligible_gives_zeros():
    assert min_max([1, 2], eligible=[False, False]).tolist() == [0.0, 0.0]


def test_scaling_leaves_its_argument_alone():
    column = np.array([1.0, 2.0])
    min_max(column)
    assert column.tolist() == [1.0, 2.0]


@given(broken_columns)
def test_ranks_are_a_permutation_whatever_the_scores(scores):
    assert sorted(ranks(scores).tolist()) == list(range(len(scores)))


@given(st.lists(st.integers(min_value=0, max_value=3), max_size=30))
def test_a_higher_score_ranks_first_and_equals_keep_their_order(scores):
    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert np.argsort(ranks(scores)).tolist() == expected


def test_a_missing_score_ranks_last():
    assert ranks([np.nan, -5.0, 1.0]).tolist() == [2, 1, 0]


def test_reciprocal_rank_has_its_golden_values():
    assert reciprocal_rank([0, 1, 9]).tolist() == [1 / 61, 1 / 62, 1 / 70]
    assert float(reciprocal_rank(0, k=0)) == 1.0


@given(st.integers(min_value=0, max_value=10**6), st.floats(min_value=0, max_value=1e6))
def test_reciprocal_rank_falls_with_the_rank_and_stays_in_range(rank, k):
    here, next_one = reciprocal_rank([rank, rank + 1], k).tolist()
    assert 0.0 < next_one < here <= 1 / (k + 1)
