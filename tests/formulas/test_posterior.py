"""The usage posterior starts undecided and follows the evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.posterior import usage_success

records = st.integers(min_value=0, max_value=10**9).flatmap(
    lambda uses: st.tuples(st.integers(min_value=0, max_value=uses), st.just(uses))
)


def test_the_posterior_has_its_golden_values():
    assert usage_success([0, 1, 0, 3], [0, 1, 1, 4]).tolist() == pytest.approx([1 / 2, 2 / 3, 1 / 3, 4 / 6])


@given(records)
def test_no_record_makes_us_certain(record):
    wins, uses = record
    assert 0.0 < float(usage_success(wins, uses)) < 1.0


@given(records)
def test_a_win_raises_it_and_a_loss_lowers_it(record):
    wins, uses = record
    now = float(usage_success(wins, uses))
    assert float(usage_success(wins + 1, uses + 1)) >= now >= float(usage_success(wins, uses + 1))


@given(records)
def test_wins_and_losses_mirror_each_other(record):
    wins, uses = record
    assert float(usage_success(wins, uses)) == pytest.approx(1 - float(usage_success(uses - wins, uses)))


def test_more_wins_than_uses_count_as_all_wins():
    assert float(usage_success(9, 2)) == float(usage_success(2, 2)) == 0.75
