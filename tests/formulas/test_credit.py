"""A success teaches the steps that it needed, and the nearer they were to it the more."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.credit import Move, causal_steps, steps_to_go_value


def at(*possible):
    return frozenset(possible)


HALL = at("go desk", "go shelf", "go fridge")
DESK = at("go shelf", "go fridge", "look")
SHELF = at("go desk", "go fridge", "take book")
HELD = at("go desk", "go shelf", "go fridge")

PLACES = [None, *(frozenset(some) for some in ("", "a", "ab", "bc", "cd", "abcd"))]
moves = st.lists(
    st.builds(Move, st.sampled_from("abcd"), st.sampled_from(PLACES), st.booleans()), max_size=12
)


def test_wandering_before_the_right_place_is_left_out():
    walk = [
        Move("go fridge", HALL),
        Move("go desk", HALL),
        Move("look", DESK),
        Move("go shelf", DESK),
        Move("take book", SHELF, touches_goal=True),
    ]
    assert causal_steps(walk) == [3, 4]


def test_what_touched_the_goal_stays_though_nothing_that_follows_needed_it():
    walk = [Move("wash book", HELD, touches_goal=True), Move("go desk", HELD), Move("put book", DESK)]
    assert causal_steps(walk) == [0, 1, 2]


def test_a_way_round_to_where_one_was_is_left_out():
    walk = [
        Move("go shelf", HALL),
        Move("go desk", SHELF),
        Move("go shelf", DESK),
        Move("take book", SHELF, touches_goal=True),
    ]
    assert causal_steps(walk) == [0, 3]


def test_a_way_round_on_which_the_goal_was_touched_is_needed():
    walk = [
        Move("go sink", at("go sink", "put book")),
        Move("wash book", at("go desk", "wash book"), touches_goal=True),
        Move("go desk", at("go desk", "wash book")),
        Move("put book", at("go sink", "put book"), touches_goal=True),
    ]
    assert causal_steps(walk) == [0, 1, 2, 3]


def test_without_possible_commands_only_the_last_of_a_repetition_counts():
    walk = [Move("ls"), Move("grep mutex"), Move("ls"), Move("edit"), Move("run tests")]
    assert causal_steps(walk) == [1, 2, 3, 4]


def test_taking_a_thing_and_putting_it_back_came_to_nothing():
    walk = [
        Move("take book", SHELF, touches_goal=True),
        Move("put book", at("put book"), touches_goal=True),
        Move("take book", SHELF, touches_goal=True),
        Move("go desk", at("put book"), touches_goal=False),
    ]
    assert causal_steps(walk) == [2, 3]


def test_what_touched_the_goal_and_left_no_trace_stays_on_a_way_round():
    sink = at("wash book", "go desk")
    walk = [
        Move("go sink", DESK),
        Move("wash book", sink, touches_goal=True),
        Move("go desk", sink),
        Move("read book", DESK, touches_goal=True),
    ]
    assert causal_steps(walk) == [0, 1, 2, 3]


def test_of_a_step_that_is_repeated_at_once_the_last_stays():
    sink = at("wash book", "go desk")
    walk = [Move("wash book", sink, touches_goal=True)] * 3
    assert causal_steps(walk) == [2]


@given(moves)
def test_the_last_step_is_always_kept_and_the_order_stays(walk):
    kept = causal_steps(walk)
    assert kept == sorted(set(kept))
    assert kept[-1:] == [len(walk) - 1][: len(walk)]


@given(moves)
def test_the_trimmed_success_could_be_trimmed_no_further(walk):
    kept = [walk[place] for place in causal_steps(walk)]
    for move, following in pairwise(kept):
        assert move.touches_goal or move.possible is None or following.command not in move.possible


def test_value_rises_to_one_at_the_success():
    assert steps_to_go_value(3, 0.95).tolist() == pytest.approx([0.9025, 0.95, 1.0])
    assert steps_to_go_value(0, 0.95).tolist() == []
    assert steps_to_go_value(2, 1.0).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("gamma", [0.0, -1.0, 1.1, float("nan")])
def test_a_discount_that_is_none_is_refused(gamma):
    with pytest.raises(InvalidInput, match="gamma"):
        steps_to_go_value(3, gamma)
