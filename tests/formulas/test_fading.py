"""What fades, by kind, tier and trust: the documents' tables to the digit."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.fading import (
    confidence,
    daily_decay,
    faded,
    floating_threshold,
    kept_days,
    salience,
)

parts = st.floats(min_value=0.0, max_value=1.0)
days = st.floats(min_value=0.0, max_value=1e4)


@pytest.mark.parametrize(
    ("kind", "rate"),
    [
        ("preference", 0.0),
        ("entity", 0.0),
        ("correction", 0.0),
        ("fact", 0.005),
        ("decision", 0.02),
        ("note", 0.05),
    ],
)
@pytest.mark.parametrize(
    ("tier", "multiplier"), [("working", 10), ("episodic", 3), ("semantic", 1), ("dormant", 0)]
)
def test_decay_is_the_rate_of_the_kind_times_the_tiers_multiplier(kind, rate, tier, multiplier):
    assert daily_decay(kind, tier) == pytest.approx(rate * multiplier)


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("correction", math.inf),
        ("preference", math.inf),
        ("entity", math.inf),
        ("decision", 45),
        ("fact", 14),
        ("note", 7),
    ],
)
def test_every_kind_is_kept_for_its_time(kind, least):
    assert kept_days(kind) == least


@given(st.floats(min_value=0.0, max_value=1e6), parts, days)
def test_what_fades_never_grows_and_never_falls_below_the_least(value, daily, elapsed):
    left = float(faded(value, daily, elapsed, least=1.0))
    assert min(value, 1.0) <= left <= value


@given(st.floats(min_value=1.0, max_value=1e3), st.floats(min_value=0.0, max_value=0.5), st.integers(0, 60))
def test_many_short_nights_come_to_the_same_as_one_long_one(value, daily, nights):
    by_night = value
    for _ in range(nights):
        by_night = float(faded(by_night, daily, 1, least=1.0))
    assert by_night == pytest.approx(float(faded(value, daily, nights, least=1.0)))


@pytest.mark.parametrize(
    ("kind", "half_life_days"),
    [("correction", 365), ("preference", 90), ("fact", 30), ("procedure", 60), ("inferred", 7)],
)
def test_confidence_halves_after_the_half_life_of_its_kind(kind, half_life_days):
    assert float(confidence(0.8, half_life_days, kind)) == pytest.approx(0.4)


def test_confidence_rises_with_use_and_falls_with_distrust():
    assert float(confidence(0.5, 0, "fact", accesses=math.e - 1)) == pytest.approx(0.55)
    assert float(confidence(0.5, 0, "fact", trust=0.6)) == pytest.approx(0.3)


@given(parts, days, st.integers(0, 10**6), parts)
def test_confidence_is_a_probability(initial, age, accesses, trust):
    assert 0.0 <= float(confidence(initial, age, "fact", accesses, trust)) <= 1.0


def test_salience_loses_a_twentieth_a_day():
    assert salience(0.8, [0, 1, 2]).tolist() == pytest.approx([0.8, 0.76, 0.722])


def test_the_threshold_floats_with_the_mean_of_use():
    assert floating_threshold([0, 0, 3, 9]) == 3.0
    assert floating_threshold([]) == 0.0
