"""Trying the same again is judged by what trying again has brought."""

import pytest

from recollect.language.parts import in_parts
from recollect.learn.marks import mark
from recollect.learn.repeats import MOST, Repeats, Try, earlier_tries, patience, place_of

OPEN, LOOK, DO = mark("open a drawer"), mark("look"), mark("do")


def known(*tries):
    repeats = Repeats()
    repeats.count(tries)
    return repeats


def test_what_never_helped_again_loses_and_what_did_does_not():
    repeats = known(
        *[Try(LOOK, DO, 0, 10.0, 5.0), Try(LOOK, DO, 1, 10.0, 0.0)],
        *[Try(OPEN, mark("open"), 0, 10.0, 2.0), Try(OPEN, mark("open"), 1, 10.0, 2.0)],
    )
    look, opening = patience([repeats], [(LOOK, DO), (OPEN, mark("open"))], [1, 1], 3.0)
    assert look < 0.3
    assert opening > 0.6


def test_the_first_try_is_worth_itself():
    repeats = known(Try(LOOK, DO, 1, 10.0, 0.0))
    assert patience([repeats], [(LOOK, DO), (OPEN, DO)], [0, 0], 3.0).tolist() == [1.0, 1.0]
    assert patience([], [(LOOK, DO)], [3], 3.0).tolist() == [1.0]


def test_an_action_that_was_never_repeated_is_judged_by_the_others():
    repeats = known(Try(LOOK, DO, 0, 50.0, 25.0), Try(LOOK, DO, 1, 50.0, 0.0))
    assert patience([repeats], [(mark("sing"), mark("sing"))], [1], 3.0)[0] < 0.5


def test_tries_are_counted_by_place_and_up_to_a_number():
    here, there = in_parts(["goal", "nothing", "a desk"]), in_parts(["goal", "nothing", "a shelf"])
    later = in_parts(["goal", "took it", "a desk"])
    assert earlier_tries([(here, "look"), (there, "look"), (later, "look"), (here, "go")]) == [0, 1, 0, 0]
    assert earlier_tries([(here, "look")] * (MOST + 5))[-1] == MOST


def test_a_place_is_all_but_what_is_seen():
    assert place_of(in_parts(["goal", "nothing", "a desk"])) == place_of(
        in_parts(["goal", "nothing", "a bed"])
    )
    assert place_of("a desk") == "a desk"


def test_channels_are_added_up():
    one, two = known(Try(LOOK, DO, 0, 4.0, 4.0)), known(Try(LOOK, DO, 1, 4.0, 0.0))
    both = patience([one, two], [(LOOK, DO)], [1], 3.0)[0]
    assert both < patience([one], [(LOOK, DO)], [1], 3.0)[0]
    assert both == pytest.approx(patience([two, one], [(LOOK, DO)], [1], 3.0)[0])
