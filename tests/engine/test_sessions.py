"""The end of a session, on both stores: turns that the log has are read once, whatever stopped the last attempt."""

import pytest

from recollect import Action, Filter, Lane, Recollect
from recollect.errors import InvalidInput
from recollect.testing import HashEmbedder
from recollect.write import sessions
from recollect.write.observer import Observer

MEMORIES = Filter(lanes=(Lane.MEMORY,), any_session=True)
TALK = [
    {"role": "user", "name": "Ada", "content": "I live in Porto."},
    {"role": "assistant", "content": "Noted, thank you!"},
    {"role": "user", "name": "Ada", "content": "We deploy to Frankfurt on Fridays."},
    {"role": "tool", "content": "The user lives in Lisbon."},
    {"role": "assistant", "content": "The user lives in Madrid.", "learn": False},
]


def known(memory):
    return [one.text for one in memory.list(MEMORIES, newest_first=False, limit=None)]


def everything(memory):
    every = memory.list(Filter(any_session=True), newest_first=False, limit=None)
    return [(m.id, m.version, m.text, m.tags, m.metadata) for m in every], [memory.edges(m.id) for m in every]


def test_a_session_that_was_only_kept_is_read_when_it_is_over(memory):
    memory.observe(TALK, session="s1")
    assert known(memory) == []
    read = memory.form_session("s1")
    first, second = memory.list(MEMORIES, newest_first=False)
    assert first.text == "Ada lives in Porto"
    assert "Frankfurt" in second.text
    assert (first.origin.session, first.origin.sources) == ("s1", (read[0].id,))
    assert ("derived_from", read[0].id) in [(e.type, e.target) for e in memory.edges(first.id)]


def test_what_tools_give_and_what_is_not_to_be_learnt_is_never_read(memory):
    memory.observe(TALK, session="s1")
    memory.form_session("s1")
    assert not any("Lisbon" in text or "Madrid" in text for text in known(memory))


def test_the_same_session_again_changes_nothing(memory):
    memory.observe(TALK, session="s1")
    memory.form_session("s1")
    before = everything(memory)
    assert memory.form_session("s1") == []
    assert everything(memory) == before


def test_a_session_that_went_on_is_read_from_where_it_was(memory):
    memory.observe(TALK[:1], session="s1")
    memory.form_session("s1")
    memory.observe(TALK[2:3], session="s1")
    [read] = memory.form_session("s1")
    assert read.text == TALK[2]["content"]


def test_what_was_formed_as_it_came_is_not_formed_again(forming):
    memory = forming
    memory.observe(TALK, session="s1")
    before = everything(memory)
    assert memory.unread_sessions() == []
    assert memory.form_session("s1") == []
    assert everything(memory) == before


def test_it_forms_what_observing_would_have_formed(memory, tmp_path, clock):
    memory.observe(TALK, session="s1")
    memory.form_session("s1")
    with Recollect(
        tmp_path / "live.db",
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        clock=clock,
        settings={"formation.enabled": True},
    ) as live:
        live.observe(TALK, session="s1")
        assert known(memory) == known(live)


def test_sessions_that_nobody_ended_are_found_once_they_are_quiet(memory, clock):
    memory.observe(TALK, session="crashed")
    clock.advance(minutes=40)
    memory.observe(TALK[:1], session="alive")
    memory.observe(TALK[:1], session="project talk", channel="project")
    memory.observe(TALK[:1])
    [crashed] = memory.unread_sessions(idle_minutes=30)
    assert (crashed.session, crashed.channel, crashed.turns) == ("crashed", "_global", 3)
    assert [one.session for one in memory.unread_sessions()] == ["crashed", "alive", "project talk"]
    memory.form_session("crashed")
    assert memory.unread_sessions(idle_minutes=30) == []


def test_channels_and_users_have_sessions_of_their_own(memory):
    memory.observe(TALK[:1], session="s1", channel="project")
    other = memory.beside("bob")
    other.observe(TALK[2:3], session="s1")
    assert memory.form_session("s1") == []
    assert len(memory.form_session("s1", channel="project")) == 1
    assert [one.channel for one in memory.list(MEMORIES)] == ["project"]
    assert known(other) == []


def test_a_dry_run_decides_the_same_and_reads_nothing(memory):
    memory.observe(TALK, session="s1")
    before = everything(memory)
    dry = memory.form_session("s1", dry_run=True)
    assert everything(memory) == before
    done = memory.form_session("s1")
    assert [[one.text for one in turn.formed] for turn in dry] == [[o.text for o in t.formed] for t in done]
    assert all(one.id is None for turn in dry for one in turn.formed if one.action is Action.CREATE)


def test_one_that_is_stopped_in_the_middle_goes_on_where_it_was(memory, monkeypatch):
    monkeypatch.setattr(sessions, "BATCH", 2)
    towns = ["Porto", "Oslo", "Rome", "Bern", "Paris"]
    memory.observe(
        [{"role": "user", "content": f"My friend {t}ia lives in {t}."} for t in towns], session="s1"
    )
    learn, calls = Observer.learn, []

    def stopping(self, *args, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return learn(self, *args, **options)

    monkeypatch.setattr(Observer, "learn", stopping)
    with pytest.raises(KeyboardInterrupt):
        memory.form_session("s1")
    assert len(known(memory)) == 2
    assert len(memory.form_session("s1")) == 3
    assert len(known(memory)) == 5


def test_two_who_end_the_same_session_read_each_turn_once(memory, monkeypatch):
    """The other one comes in between looking and writing."""
    monkeypatch.setattr(sessions, "BATCH", 2)
    memory.observe(TALK[:3], session="s1")
    learn, other = Observer.learn, []

    def overtaken(self, *args, **options):
        if not other:
            other.append(None)
            other[0] = len(memory.form_session("s1"))
        return learn(self, *args, **options)

    monkeypatch.setattr(Observer, "learn", overtaken)
    assert (memory.form_session("s1"), other) == ([], [3])
    assert len(known(memory)) == 2


def test_a_session_needs_a_name(memory):
    with pytest.raises(InvalidInput, match="a session has an id"):
        memory.form_session(" ")
