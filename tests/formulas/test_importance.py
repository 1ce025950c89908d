"""Importance: the weights of its channels, the bounds of its boost, and the borders of priority."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.importance import ImportanceParams, importance, priority

shares = st.floats(min_value=0, max_value=1)
boosts = st.floats(min_value=0.7, max_value=1.3)


@pytest.mark.parametrize(
    ("channels", "weight"),
    [
        ((1, 0, 0, 0), 0.25),
        ((0, 1, 0, 0), 0.30),
        ((0, 0, 1, 0), 0.25),
        ((0, 0, 0, 1), 0.20),
        ((1, 1, 1, 1), 1.0),
    ],
)
def test_each_channel_has_its_weight(channels, weight):
    assert float(importance(*channels)) == pytest.approx(weight)


def test_importance_has_its_golden_values():
    assert float(importance(0.8, 0.9, 0.5, 0.6)) == pytest.approx(0.715)
    assert float(importance(0.8, 0.9, 0.5, 0.6, boost=1.2)) == pytest.approx(0.858)
    assert float(importance(0.8, 0.9, 0.5, 0.6, boost=0.7)) == pytest.approx(0.5005)


@given(shares, shares, shares, shares, st.floats(min_value=-9, max_value=9))
def test_importance_is_between_nothing_and_all(novelty, arousal, reward, attention, boost):
    assert 0.0 <= float(importance(novelty, arousal, reward, attention, boost)) <= 1.0


@given(shares, shares, shares, shares, shares, boosts)
def test_more_of_a_channel_is_never_less_important(low, high, reward, attention, novelty, boost):
    low, high = sorted((low, high))
    less = importance(novelty, low, reward, attention, boost)
    more = importance(novelty, high, reward, attention, boost)
    assert float(more) >= float(less)


@given(shares, st.floats(min_value=1.3, max_value=9), st.floats(min_value=-9, max_value=0.7))
def test_the_boost_stays_between_its_bounds(share, above, below):
    channels = (share, share, share, share)
    assert float(importance(*channels, boost=above)) == float(importance(*channels, boost=1.3))
    assert float(importance(*channels, boost=below)) == float(importance(*channels, boost=0.7))


def test_channels_outside_their_range_are_cut():
    assert float(importance(9, 9, 9, 9)) == pytest.approx(1.0)
    assert float(importance(-9, -9, -9, -9)) == 0.0


def test_many_at_once_are_as_each_alone():
    together = importance([0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6], [1.0, 0.8])
    alone = [importance(0.1, 0.2, 0.3, 0.4, 1.0), importance(0.9, 0.8, 0.7, 0.6, 0.8)]
    assert together.tolist() == [float(each) for each in alone]


@pytest.mark.parametrize(
    ("value", "level"),
    [
        (1.0, "critical"),
        (0.8, "critical"),
        (0.7999, "high"),
        (0.6, "high"),
        (0.5999, "normal"),
        (0.4, "normal"),
        (0.3999, "low"),
        (0.0, "low"),
    ],
)
def test_priority_has_its_borders(value, level):
    assert priority(value) == level


def test_weights_can_be_others():
    assert float(importance(1, 0, 0, 0, params=ImportanceParams(novelty=0.5))) == pytest.approx(0.5)
