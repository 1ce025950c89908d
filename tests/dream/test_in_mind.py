"""A session has at most nine memories in mind; the least worth goes, and the best outlive it."""

import pytest
from dream_values import keep

from recollect.dream.in_mind import SESSIONS, InMind
from recollect.testing import FakeClock

NINE = [(f"m{n}", 0.5) for n in range(9)]


@pytest.fixture
def working():
    return InMind()


def ids(working, session="s1", now=None):
    return [one.id for one in working.items(session, now or FakeClock().now())]


def test_the_tenth_drives_out_the_least_important(working):
    now = FakeClock().now()
    working.take("s1", [*NINE[:8], ("least", 0.1), ("most", 0.9)], now)
    assert ids(working)[0] == "most"
    assert (len(ids(working)), "least" in ids(working)) == (9, False)


def test_what_came_up_longest_ago_goes_before_what_is_as_important(working):
    clock = FakeClock()
    working.take("s1", NINE, clock.now())
    clock.advance(minutes=30)
    working.take("s1", [(one, 0.5) for one, _ in NINE[1:]], clock.now())
    working.take("s1", [("new", 0.5)], clock.now())
    assert "m0" not in ids(working, now=clock.now())


def test_the_same_again_stays_once_and_counts(working):
    clock = FakeClock()
    working.take("s1", [*NINE, NINE[0]], clock.now())
    assert len(ids(working)) == 9
    assert ids(working)[0] == "m0"


@pytest.mark.parametrize(
    ("importance", "times", "outlives"), [(0.59, 1, False), (0.59, 2, True), (0.6, 1, True)]
)
def test_what_came_up_twice_or_is_important_outlives_the_session(working, importance, times, outlives):
    for _ in range(times):
        working.take("s1", [("one", importance)], FakeClock().now())
    assert [one.id for one in working.clear("s1")] == ["one"] * outlives
    assert ids(working) == []


def test_sessions_are_apart_and_the_oldest_are_let_go(working):
    now = FakeClock().now()
    for n in range(SESSIONS + 1):
        working.take(f"s{n}", [("one", 0.5)], now)
    assert (ids(working, "s0"), ids(working, f"s{SESSIONS}")) == ([], ["one"])


def test_what_a_session_recalls_is_in_its_mind_until_it_ends(memory):
    one = keep(memory, "Ada likes tea", importance=0.9)
    memory.recall("what does Ada like?", session="s1")
    memory.recall("what does Ada like?", session="s2", learn=False)
    memory.recall("what does Ada like?")
    assert [found.id for found in memory.in_mind("s1")] == [one]
    assert memory.in_mind("s2") == []
    used = memory.counters(one).access_count
    assert memory.end_session("s1") == [one]
    assert memory.counters(one).access_count == used + 1
    assert (memory.in_mind("s1"), memory.end_session("s1")) == ([], [])


def test_what_was_forgotten_meanwhile_is_not_in_mind(memory):
    one = keep(memory, "Ada likes tea")
    memory.recall("what does Ada like?", session="s1")
    memory.forget(one)
    assert memory.in_mind("s1") == []
