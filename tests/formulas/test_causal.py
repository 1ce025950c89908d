"""What a way of doing something is worth: by what it brought and how long it takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.causal import causal_uplift, causal_utility

shares = st.floats(0.0, 1.0)
records = st.integers(0, 10**6).flatmap(lambda uses: st.tuples(st.integers(0, uses), st.just(uses)))


def test_the_utility_has_its_golden_values():
    assert causal_utility(0.9, 0.0) == pytest.approx(0.63)
    assert causal_utility(0.8, 0.5, 60.0) == pytest.approx(0.56 + 0.10 - 0.05)


@given(shares, st.floats(-1.0, 1.0), st.floats(0.0, 1e6))
def test_what_takes_longer_is_worth_less(similarity, uplift, seconds):
    assert causal_utility(similarity, uplift, seconds + 1.0) <= causal_utility(similarity, uplift, seconds)


def test_no_time_is_negative():
    with pytest.raises(InvalidInput, match="at least 0"):
        causal_utility(0.5, 0.0, -1.0)


def test_the_uplift_has_its_golden_values():
    assert causal_uplift([0, 3, 0, 9], [0, 3, 3, 12], 0.6).tolist() == pytest.approx(
        [0.0, 0.24, -0.36, (9 - 7.2) / 14]
    )


@given(records, shares)
def test_an_uplift_never_leaves_what_a_share_can_differ_by(record, usual):
    assert -usual - 1e-12 <= float(causal_uplift(*record, usual)) <= 1.0 - usual + 1e-12


@given(records, shares)
def test_a_success_raises_the_uplift_and_a_failure_lowers_it(record, usual):
    wins, uses = record
    now = float(causal_uplift(wins, uses, usual))
    won, lost = float(causal_uplift(wins + 1, uses + 1, usual)), float(causal_uplift(wins, uses + 1, usual))
    assert won >= now - 1e-12
    assert lost <= now + 1e-12


@given(st.integers(1, 1000), st.floats(0.01, 0.99))
def test_the_more_often_it_was_tried_the_more_it_says(uses, usual):
    assert float(causal_uplift(uses + 1, uses + 1, usual)) > float(causal_uplift(uses, uses, usual)) > 0.0


def test_a_usual_success_is_a_share():
    with pytest.raises(InvalidInput, match="0 to 1"):
        causal_uplift(1, 1, 1.5)
