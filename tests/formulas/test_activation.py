"""Activation is a probability that grows with use and falls with time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.activation import activation, base_level

uses = st.integers(min_value=0, max_value=10**9)
ages = st.floats(min_value=-1e6, max_value=1e12)


@pytest.mark.parametrize(
    ("n", "age", "level"),
    [(1, 1, 0.0), (1, 100, -math.log(10)), (10, 100, 0.0), (5, 86_400, math.log(5) - 0.5 * math.log(86_400))],
)
def test_base_level_has_its_golden_values(n, age, level):
    assert float(base_level(n, age)) == pytest.approx(level, abs=1e-12)


def test_activation_has_its_golden_values():
    assert activation([1, 10, 1], [1, 100, 100]).tolist() == pytest.approx([0.5, 0.5, 1 / 11])


@given(uses, ages)
def test_activation_is_the_sigmoid_of_the_base_level(n, age):
    assert float(activation(n, age)) == pytest.approx(
        1 / (1 + math.exp(-float(base_level(n, age)))), rel=1e-9
    )


@given(uses, ages)
def test_activation_is_a_probability(n, age):
    assert 0.0 < float(activation(n, age)) < 1.0


@given(uses, uses, ages)
def test_activation_never_falls_with_use(few, more, age):
    few, more = sorted((few, more))
    assert float(activation(few, age)) <= float(activation(more, age))


@given(uses, ages, ages)
def test_activation_never_rises_with_time(n, early, late):
    early, late = sorted((early, late))
    assert float(activation(n, early)) >= float(activation(n, late))


def test_a_memory_that_was_never_used_counts_as_used_once():
    assert float(activation(0, 50)) == float(activation(1, 50))


def test_a_future_age_counts_as_one_second():
    assert activation([3, 3], [-1e9, 1]).tolist() == [0.75, 0.75]


def test_columns_are_worked_on_at_once():
    column = activation(np.array([1, 2, 3]), np.array([1.0, 4.0, 9.0]))
    assert column.shape == (3,)
    assert column.tolist() == [0.5, 0.5, 0.5]
