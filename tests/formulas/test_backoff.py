"""Chances from few counts lean on what is known in general."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.backoff import backed_off

counts = st.integers(0, 1000).flatmap(lambda tries: st.tuples(st.just(tries), st.integers(0, tries)))


def test_the_chance_has_its_golden_values():
    assert float(backed_off([])) == 0.5
    assert float(backed_off([(3, 3)])) == pytest.approx(4.5 / 6)
    assert float(backed_off([(3, 3), (1, 0)])) == pytest.approx(3 * 0.75 / 4)


def test_one_lucky_run_does_not_win():
    lucky, proven = backed_off([(100, 30)]), backed_off([(100, 30), (20, 16)])
    assert float(backed_off([(100, 30), (1, 1)])) < float(proven)
    assert float(lucky) < float(proven)


def test_many_actions_are_scored_at_once():
    several = backed_off([(10, 5), (np.array([0, 8, 8]), np.array([0, 8, 0]))])
    assert several.tolist() == [float(backed_off([(10, 5), one])) for one in ((0, 0), (8, 8), (8, 0))]


@given(st.lists(counts, max_size=4))
def test_no_counts_make_us_certain(levels):
    assert 0.0 < float(backed_off(levels)) < 1.0


@given(st.lists(counts, max_size=3), counts)
def test_a_win_raises_the_chance_and_a_loss_lowers_it(levels, last):
    tries, wins = last
    now = float(backed_off([*levels, last]))
    assert float(backed_off([*levels, (tries + 1, wins + 1)])) >= now
    assert float(backed_off([*levels, (tries + 1, wins)])) <= now


def test_without_pseudo_counts_there_is_no_chance():
    with pytest.raises(InvalidInput, match="pseudo-counts"):
        backed_off([(1, 1)], pseudo_counts=0.0)
