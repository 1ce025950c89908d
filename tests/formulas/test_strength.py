"""Bringing something back makes it deeper and slower to fade, within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.strength import spread, stabilised, stored

storages = st.floats(min_value=1.0, max_value=10.0)
stabilities = st.floats(min_value=0.001, max_value=1e6)
parts = st.floats(min_value=-1.0, max_value=2.0)
times = st.integers(0, 10_000)


def test_storage_has_its_golden_values():
    assert stored([1, 1, 5, 10], [1, 3, 1, 5]).tolist() == pytest.approx([1.9, 3.439, 5.5, 10.0])


@given(storages, times)
def test_storage_stays_between_one_and_ten_and_never_falls(storage, count):
    assert storage <= float(stored(storage, count)) + 1e-12
    assert 1.0 <= float(stored(storage, count)) <= 10.0


@given(storages, times, times)
def test_storage_comes_to_the_same_in_one_batch_or_two(storage, one, other):
    assert float(stored(stored(storage, one), other)) == pytest.approx(float(stored(storage, one + other)))


def test_stability_has_its_golden_values():
    assert stabilised(4.0, [1, 0.5, 0.3, 0]).tolist() == pytest.approx([4.0, 5.0, 5.4, 6.0])


@given(stabilities, parts, parts)
def test_the_harder_it_was_the_more_stability_it_gains(stability, one, other):
    hard, easy = sorted((one, other))
    assert float(stabilised(stability, hard)) >= float(stabilised(stability, easy)) >= stability
    assert float(stabilised(stability, hard)) <= 1.5 * stability


def test_a_neighbour_gains_two_percent_a_time():
    assert spread(10.0, [1, 2, 3]).tolist() == pytest.approx([10.2, 10.404, 10.61208])


@given(stabilities, times)
def test_no_number_of_neighbours_makes_a_memory_last_longer_than_a_hundred_years(stability, count):
    assert stability <= float(spread(stability, count)) <= max(stability, 36_500.0)
