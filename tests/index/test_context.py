"""What was said around a turn: its own session, what may be seen, and not too far away."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_stub import START, asked_for, unit_vector

from recollect.index.context import NONE, SPAN, around
from recollect.index.documents import NO_THREAD
from recollect.index.search import REACH
from recollect.index.view import View
from recollect.model import Filter, Lane, State

# Mostly few sessions, so that they interleave; long runs of others, so that the span ends.
threads = st.lists(st.sampled_from([NO_THREAD, 11, 11, 11, 22, 22, 33]), max_size=30) | st.lists(
    st.sampled_from([11, *[NO_THREAD] * 9]), max_size=90
)


def viewed(of):
    nothing, count = np.zeros(len(of), np.bool_), len(of)
    return View(
        (), np.arange(count), nothing, np.array(of, np.int64), nothing, np.zeros(4, np.float32), count
    )


def plainly(of, row, eligible, reach):
    """A walk to either side, one row at a time."""
    found = [NONE] * reach + [row] + [NONE] * reach
    if of[row] == NO_THREAD:
        return found
    for step in (-1, 1):
        turns = 0
        for distance in range(1, SPAN + 1):
            at = row + step * distance
            if 0 <= at < len(of) and of[at] == of[row] and eligible[at] and turns < reach:
                turns += 1
                found[reach + step * turns] = at
    return found


@given(threads, st.integers(0, 4), st.data())
def test_neighbours_are_those_of_a_plain_walk(of, reach, data):
    eligible = data.draw(st.lists(st.booleans(), min_size=len(of), max_size=len(of)))
    rows = data.draw(st.lists(st.sampled_from(range(len(of))), unique=True)) if of else []
    found = around(viewed(of), np.array(rows, np.int64), np.array(eligible, np.bool_), reach)
    assert found.shape == (len(rows), 2 * reach + 1)
    assert found.tolist() == [plainly(of, row, eligible, reach) for row in rows]


@pytest.mark.parametrize(("between", "is_seen"), [(SPAN - 1, True), (SPAN, False)])
def test_a_neighbour_is_looked_for_only_so_far_away(between, is_seen):
    of = [11, *[22] * between, 11]
    found = around(viewed(of), np.array([0, len(of) - 1]), np.ones(len(of), np.bool_), 1)
    assert found[:, 1].tolist() == [0, len(of) - 1]
    assert [found[0, 2], found[1, 0]] == ([len(of) - 1, 0] if is_seen else [NONE, NONE])


def test_what_may_not_be_seen_is_passed_over_and_the_next_turn_takes_its_place():
    eligible = np.array([True, False, True, True])
    assert around(viewed([11] * 4), np.array([3]), eligible, 2).tolist() == [[0, 2, 3, NONE, NONE]]


def test_a_turn_that_is_asked_for_stands_in_the_middle_even_where_it_is_no_context_itself():
    assert around(viewed([11] * 3), np.array([1]), np.array([True, False, True]), 1).tolist() == [[0, 1, 2]]


@pytest.fixture
def said(store):
    """Turns of one session with others between them; answers content numbers by name."""
    made = {}

    def say(name, **how):
        number = store.remember(
            [len(made) + 1], unit_vector(len(made)), **{"session": "s1", "lane": Lane.LOG, **how}
        )
        made[name] = store.memories[number].content
        return number

    say("first")
    say("another session", session="s2")
    say("another channel", channel="work")
    say("a memory", session=None, lane=Lane.MEMORY)
    store.change(say("forgotten"), state=State.DORMANT)
    store.change(say("expired"), valid_until=START + timedelta(days=1))
    say("asked", own=True)
    say("last")
    return made


@pytest.fixture
def seen(said, opened):
    """The candidates' surroundings, by name, for a search that the turn "asked" answers."""
    names = {content: name for name, content in said.items()} | {-1: None}

    def search(where):
        found = opened().search(asked_for(None, [list(said).index("asked") + 1]), where, 5)
        lines = [[names[content] for content in row] for row in found.around.tolist()]
        return {row[REACH]: row for row in lines}

    return search


NOW = Filter(channels=("_global",), unexpired_at=START + timedelta(days=9))


def test_only_turns_of_the_same_session_that_may_be_seen_now_are_around(seen):
    assert seen(NOW) == {
        "first": [None, None, None, "first", "asked", "last", None],
        "asked": [None, None, "first", "asked", "last", None, None],
        "last": [None, "first", "asked", "last", None, None, None],
    }


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("another channel", Filter(channels=("_global", "work"), unexpired_at=NOW.unexpired_at)),
        ("expired", Filter(channels=("_global",))),
        (
            "forgotten",
            Filter(
                channels=("_global",),
                states=(State.ACTIVE, State.DORMANT),
                unexpired_at=NOW.unexpired_at,
            ),
        ),
    ],
)
def test_what_a_filter_lets_through_is_around_too(seen, name, where):
    found = seen(where)
    assert found["asked"][REACH - 1] == name
    assert name in found, "and beside an answer it is a candidate"


def test_a_session_scoped_turn_is_no_context_outside_of_its_session(store, opened):
    for number in range(3):
        only = "s1" if number == 1 else None
        store.remember([number + 1], None, session="s1", only_session=only)
    contents = [memory.content for memory in store.memories]
    outside = opened().search(asked_for(None, [1]), Filter(), 5)
    assert contents[1] not in outside.around
    inside = opened().search(asked_for(None, [1]), Filter(visible_session="s1"), 5)
    assert inside.around[-1].tolist() == [-1, -1, -1, *contents, -1]


def test_a_filter_on_what_answers_does_not_narrow_what_is_around(store, opened):
    for number in range(3):
        store.remember([7 + number], None, session="s1", tags=("ops",) if number == 1 else ())
    contents = [memory.content for memory in store.memories]
    found = opened().search(asked_for(None, [7]), Filter(tags=("ops",)), 5)
    assert found.contents.tolist() == [], "a neighbour's word does not make it found"
    found = opened().search(asked_for(None, [8]), Filter(tags=("ops",)), 5)
    assert found.contents.tolist() == [contents[1]], "its neighbours are no candidates"
    assert found.around.tolist() == [[-1, -1, *contents, -1, -1]], "but they are what was said around it"


def test_a_purged_turn_is_around_nothing(store, opened):
    partition = opened()
    for number in range(20):
        store.remember([number + 1], None, session="s1")
    partition.refresh(maintain=True)
    gone = store.purge(9)
    partition.drop(gone)
    for again in (partition, opened()):
        found = again.search(asked_for(None, [11]), Filter(), 5)
        assert not np.isin(gone, found.around).any()
        middle = found.around[found.contents == store.memories[10].content][0].tolist()
        assert middle == [store.memories[number].content for number in (6, 7, 8, 10, 11, 12, 13)]


def test_a_term_counts_less_with_every_turn_away(store, opened):
    for number in range(9):
        store.remember([50] if number == 4 else [number + 1], None, session="s1")
    also = [memory.content for memory in store.memories]
    found = opened().search(asked_for(None, [50], also=also), Filter(), 5)
    nearby = found.text_nearby[::-1].tolist()
    assert nearby[4] == found.text[::-1][4] > 0
    assert nearby[:4] == pytest.approx([0, *(0.7**away * nearby[4] for away in (3, 2, 1))])
    assert nearby[5:] == pytest.approx(nearby[3::-1])
    assert np.count_nonzero(found.text) == 1


def test_a_session_answers_as_a_whole(store, opened):
    for session, words in (("s1", [5]), ("s1", [6]), ("s2", [5]), (None, [5, 6]), ("s2", [9])):
        store.remember(words, None, session=session)
    for word in range(20, 40):
        store.remember([word], None)
    found = opened().search(asked_for(None, [5, 6]), Filter(), 9)
    scores = dict(zip(found.contents.tolist(), found.session_text.tolist(), strict=True))
    s1_first, s1_second, s2_first, outside, s2_second = (scores[m.content] for m in store.memories[:5])
    assert s1_first == s1_second > s2_first == s2_second > 0
    assert outside == 0
