"""Retention falls with time and rises with stability, on the document's curve and on FSRS-6."""

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Card, Scheduler
from fsrs import Rating as Given
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.fsrs import (
    Rating,
    first_difficulty,
    first_stability,
    fsrs_retention,
    next_difficulty,
    next_stability,
)
from recollect.formulas.retention import retention

days = st.floats(min_value=-1e4, max_value=1e5)
stabilities = st.floats(min_value=0.0, max_value=1e5)
curves = pytest.mark.parametrize("curve", [retention, fsrs_retention])
RATINGS = {
    Rating.AGAIN: Given.Again,
    Rating.HARD: Given.Hard,
    Rating.GOOD: Given.Good,
    Rating.EASY: Given.Easy,
}
START = datetime(2026, 1, 1, tzinfo=UTC)


def test_the_documents_curve_has_its_golden_values():
    found = retention([0, 0.5, 1, 9, 30, 365], 1.0).tolist()
    assert found == pytest.approx([1.0, 0.8975069252, 0.81, 0.25, 9**2 / 39**2, 9**2 / 374**2], abs=1e-10)
    assert float(retention(90, 10)) == pytest.approx(0.25)


@curves
@given(st.data())
def test_retention_is_a_probability_and_never_rises_with_time(curve, data):
    young, old = sorted((data.draw(days), data.draw(days)))
    stability = data.draw(stabilities)
    assert 0.0 < float(curve(old, stability)) <= float(curve(young, stability)) <= 1.0


@curves
@given(days, stabilities, stabilities)
def test_retention_never_falls_with_stability(curve, elapsed, one, other):
    weak, strong = sorted((one, other))
    assert float(curve(elapsed, weak)) <= float(curve(elapsed, strong))


@curves
def test_a_part_of_a_day_counts(curve):
    assert 1.0 > float(curve(1 / 24, 1.0)) > float(curve(23 / 24, 1.0)) > float(curve(1.0, 1.0))


@pytest.mark.parametrize("elapsed", [1, 2, 7, 30, 365])
@pytest.mark.parametrize("stability", [0.212, 1.0, 8.2956, 120.0])
def test_fsrs_retention_is_the_packages(elapsed, stability):
    card = Card(stability=stability, difficulty=5.0, last_review=START)
    theirs = Scheduler().get_card_retrievability(card, START + timedelta(days=elapsed))
    assert float(fsrs_retention(elapsed, stability)) == pytest.approx(theirs, rel=1e-12)


@given(
    st.sampled_from(Rating),
    st.lists(st.tuples(st.integers(1, 400), st.sampled_from(Rating)), max_size=8),
)
def test_stability_and_difficulty_grow_as_the_packages_do(first, reviews):
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    at = START
    card, _ = scheduler.review_card(Card(), RATINGS[first], at)
    stability, difficulty = first_stability(first), first_difficulty(first)
    assert (stability, difficulty) == pytest.approx((card.stability, card.difficulty), rel=1e-12)
    for later, rating in reviews:
        at += timedelta(days=later)
        card, _ = scheduler.review_card(card, RATINGS[rating], at)
        recalled = float(fsrs_retention(later, stability))
        stability = next_stability(stability, difficulty, recalled, rating)
        difficulty = next_difficulty(difficulty, rating)
        assert (stability, difficulty) == pytest.approx((card.stability, card.difficulty), rel=1e-9)
