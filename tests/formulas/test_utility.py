"""Utility learns slowly, forgets towards neutral, and only breaks ties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.utility import drifted, used, weighted

values = st.floats(min_value=0.0, max_value=1.0)
days = st.floats(min_value=-10.0, max_value=1e5)


def test_utility_moves_a_tenth_of_the_way_to_what_happened():
    assert used([0.5, 0.5, 0.9], [1, 0, 0]).tolist() == pytest.approx([0.55, 0.45, 0.81])


def test_utility_drifts_one_percent_of_the_way_a_day():
    assert drifted([0.9, 0.1, 0.5], [1, 30, 30]).tolist() == pytest.approx([0.896, 0.22, 0.5])


@given(values, st.floats(min_value=-5.0, max_value=5.0))
def test_utility_stays_within_its_bounds(utility, target):
    assert 0.0 <= float(used(utility, target)) <= 1.0


@given(values, days)
def test_drift_never_passes_neutral(utility, elapsed):
    after = float(drifted(utility, elapsed))
    assert min(utility, 0.5) - 1e-12 <= after <= max(utility, 0.5) + 1e-12


@given(values, days, days)
def test_more_time_brings_it_closer_to_neutral(utility, one, other):
    short, long = sorted((one, other))
    assert abs(float(drifted(utility, long)) - 0.5) <= abs(float(drifted(utility, short)) - 0.5) + 1e-12


def test_the_weighted_score_is_six_two_two():
    assert weighted([1, 0, 0], [0, 1, 0], [0, 0, 1]).tolist() == pytest.approx([0.6, 0.2, 0.2])
