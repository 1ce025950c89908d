"""A long conversation that is over is told once, in a few sentences that point at what was said."""

import pytest
from dream_values import only, view

from recollect import Lane
from recollect.dream.steps import compression
from recollect.dream.telling import LONGEST

TURNS = [f"The grey cat slept on sofa number {n} for an hour" for n in range(30)]


def histories(memory):
    return [one for one in memory.list(limit=None) if one.kind == "history"]


def dreamt(memory, **params):
    return only(memory, compression, **{"themes": True, **params})


def test_a_conversation_of_thirty_turns_is_told_thirty_days_after_its_last(memory, clock):
    turns = [one.id for one in memory.observe(TURNS, session="s1", channel="web")]
    clock.advance(days=29.9)
    dreamt(memory)
    assert histories(memory) == []
    clock.advance(days=0.2)
    before = view(memory)
    done = dreamt(memory)
    [one] = histories(memory)
    assert one.text.startswith("A conversation of 30 messages, on 2026-01-01: The grey cat slept")
    assert len(one.text) <= LONGEST
    assert (one.channel, one.lane, one.origin.session) == ("web", Lane.MEMORY, "s1")
    assert len(one.origin.sources) == 20
    assert set(one.origin.sources) < set(turns)
    assert {edge.target for edge in memory.edges(one.id)} == set(one.origin.sources)
    assert {memory.get(turn).version for turn in turns} == {1}, "the log stays as it was said"
    dreamt(memory)
    assert len(histories(memory)) == 1, "it is told once"
    assert memory.undo_dream(done.id).conflicts == ()
    assert view(memory) == before


@pytest.mark.parametrize(("turns", "themes"), [(29, True), (30, False)])
def test_a_short_conversation_is_not_told_nor_any_without_themes(memory, clock, turns, themes):
    memory.observe(TURNS[:turns], session="s1")
    clock.advance(days=31)
    dreamt(memory, themes=themes)
    assert histories(memory) == []


def test_a_conversation_that_went_on_is_told_as_a_whole(memory, clock):
    memory.observe(TURNS[:20], session="s1")
    clock.advance(days=20)
    dreamt(memory)
    memory.observe(TURNS[20:], session="s1")
    clock.advance(days=20)
    dreamt(memory)
    assert histories(memory) == []
    clock.advance(days=11)
    dreamt(memory)
    assert [one.metadata["members"] for one in histories(memory)] == [30]


def test_what_was_formed_of_it_is_quoted_before_what_was_said(memory, clock):
    turns = [one.id for one in memory.observe(TURNS, session="s1")]
    for n in range(3):
        memory.remember(f"Ada keeps cat number {n}", sources=[turns[n]])
    clock.advance(days=31)
    dreamt(memory)
    [one] = histories(memory)
    assert "Ada keeps cat number 1" in one.text
    assert "slept" not in one.text


def test_no_more_are_told_in_a_night_than_its_bound_and_the_others_in_the_next(memory, clock):
    for session in ("s1", "s2", "s3"):
        memory.observe([f"{session}: {turn}" for turn in TURNS], session=session)
    clock.advance(days=31)
    dreamt(memory, consolidated=2)
    assert len(histories(memory)) == 2
    dreamt(memory, consolidated=2)
    assert {one.origin.session for one in histories(memory)} == {"s1", "s2", "s3"}


def test_a_conversation_that_was_purged_is_passed_over(memory, clock):
    turns = [one.id for one in memory.observe(TURNS, session="s1")]
    memory.dream()
    memory.purge(*turns)
    clock.advance(days=31)
    dreamt(memory)
    assert histories(memory) == []
