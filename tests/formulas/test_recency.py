"""Recency: a half-life halves, a boost fades, and no clock can break either."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.recency import by_later_days, half_life, recency_boost

ages = st.floats(min_value=-1e6, max_value=1e6)
half_lives = st.floats(min_value=1e-3, max_value=1e6)


@given(half_lives)
def test_half_is_left_after_one_half_life(days):
    assert float(half_life(days, days)) == 0.5


def test_half_life_has_its_golden_values():
    assert half_life([0, 1, 7, 30], 7).tolist() == pytest.approx([1.0, 0.9057236643, 0.5, 0.0512709598])


@given(ages, half_lives)
def test_what_is_left_is_between_nothing_and_all(age, days):
    assert 0.0 <= float(half_life(age, days)) <= 1.0


@given(ages, ages, half_lives)
def test_what_is_left_never_rises_with_age(young, old, days):
    young, old = sorted((young, old))
    assert float(half_life(young, days)) >= float(half_life(old, days))


@given(st.floats(max_value=0, allow_nan=False), half_lives)
def test_a_future_age_counts_as_now(age, days):
    assert float(half_life(age, days)) == 1.0
    assert float(recency_boost(age)) == 1.5


@pytest.mark.parametrize("days", [0, -1, math.nan])
def test_a_half_life_that_is_no_time_is_refused(days):
    with pytest.raises(InvalidInput, match="above 0"):
        half_life(1, days)


def test_a_half_life_without_end_never_fades():
    assert float(half_life(1e9, math.inf)) == 1.0


def test_the_boost_has_its_golden_values():
    assert recency_boost([0, 24, 48]).tolist() == pytest.approx([1.5, 1.1839397206, 1.0676676416])


@given(ages)
def test_the_boost_never_takes_away_and_never_passes_one_and_a_half(hours):
    assert 1.0 <= float(recency_boost(hours)) <= 1.5


@given(ages, ages)
def test_the_boost_never_rises_with_time(young, old):
    young, old = sorted((young, old))
    assert float(recency_boost(young)) >= float(recency_boost(old))


DAY = 86_400_000_000


def test_later_days_have_their_golden_values():
    moments = np.array([0, 5, DAY, 30 * DAY, 400 * DAY])
    assert by_later_days(moments).tolist() == pytest.approx([0.5**0.15, 0.5**0.15, 0.5**0.1, 0.5**0.05, 1.0])


@given(st.lists(st.integers(-(10**17), 10**17), max_size=30))
def test_a_pause_makes_nothing_older(moments):
    """Only which day comes after which counts."""
    found = by_later_days(np.array(moments, np.int64))
    later = [len({m // DAY for m in moments if m // DAY > one // DAY}) for one in moments]
    assert found.tolist() == pytest.approx([0.5 ** (n / 20) for n in later])
