"""The rules of the tiers turn at their thresholds and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.tiers import (
    DEFAULT,
    converging,
    demoted,
    eviction_score,
    hot,
    long_useful,
    often_used,
    outlives_session,
)


def test_three_accesses_promote():
    assert often_used([0, 2, 3, 4]).tolist() == [False, False, True, True]


def test_a_utility_from_seven_tenths_promotes_after_seven_days():
    assert long_useful([0.7, 0.699, 0.7, 0.9], [7, 7, 6.99, 30]).tolist() == [True, False, False, True]


def test_three_memories_of_one_entity_promote():
    assert converging([1, 2, 3]).tolist() == [False, False, True]


def test_demotion_needs_sixty_idle_days_and_a_utility_below_a_fifth():
    assert demoted([60, 60, 59.99], [0.199, 0.2, 0.0]).tolist() == [True, False, False]


def test_the_hot_tier_is_useful_often_used_and_young():
    found = hot([0.8, 0.799, 0.8, 0.8], [10, 10, 9, 10], [29.99, 1, 1, 30])
    assert found.tolist() == [True, False, False, False]
    assert (DEFAULT.hot_items, DEFAULT.working_items) == (15, 9)


def test_eviction_has_its_golden_values():
    found = eviction_score([0.8, 0.8, 0.8], [0, 30, 60], [0, 0, 5]).tolist()
    assert found == pytest.approx([0.8, 0.4, 0.3])


@given(st.floats(0, 1), st.floats(0, 1e4), st.floats(0, 1e4), st.integers(0, 1000))
def test_what_was_used_longer_ago_goes_first(importance, one, other, accesses):
    recent, old = sorted((one, other))
    assert float(eviction_score(importance, old, accesses)) <= float(
        eviction_score(importance, recent, accesses)
    )


def test_two_uses_or_importance_outlive_a_session():
    assert outlives_session([2, 1, 0], [0.0, 0.59, 0.6]).tolist() == [True, False, True]
