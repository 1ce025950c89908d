"""What is observed again, purged, written by others at the same time, or of somebody else."""

import pytest

from recollect import Action, Filter, Lane, Recollect
from recollect.errors import Conflict, StoreFull
from recollect.model import KEYED
from recollect.testing import HashEmbedder

MEMORIES = Filter(lanes=(Lane.MEMORY,), any_session=True)
TALK = [
    {"role": "user", "name": "Ada", "content": "I live in Porto. My cat is called Max.", "timestamp": 1_000},
    {"role": "assistant", "content": "Nice, you live in Porto with Max!", "timestamp": 1_060},
    {"role": "user", "name": "Ada", "content": "I moved to Lisbon. Never push to main!", "timestamp": 1_120},
    {"role": "user", "name": "Ada", "content": "Kız kardeşim Roma'da yaşıyor.", "timestamp": 1_180},
    {
        "role": "user",
        "name": "Ada",
        "content": "The demo for the board is on 4 May 2026.",
        "timestamp": 1_240,
    },
    {
        "role": "user",
        "name": "Ada",
        "content": "Actually, the demo for the board is on 6 May 2026.",
        "timestamp": 1_300,
    },
]


@pytest.fixture(params=["reference", "sqlite"])
def learning(request, tmp_path, clock):
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with opened(path, clock) as engine:
        yield engine


def opened(path, clock, user="ada", channel="_global", *, forms=True):
    settings = {"formation.enabled": forms}
    return Recollect(
        path, user=user, channel=channel, embedder=HashEmbedder(), clock=clock, settings=settings
    )


def told(memory):
    """Everything about the memory lane but its ids and when it was written."""
    return sorted(
        (m.text, m.kind, m.valid_from, m.valid_until, m.superseded_by is None, m.tags, m.importance)
        for m in memory.list(MEMORIES, limit=None)
    )


def formed(results):
    return [one for result in results for one in result.formed]


def test_the_same_conversation_twice_changes_no_memory(learning, clock):
    learning.observe(TALK, session="s")
    before = learning.list(MEMORIES, limit=None)
    assert {m.superseded_by is None for m in before} == {True, False}
    clock.advance(days=3)
    again = learning.observe(TALK, session="s")
    assert learning.list(MEMORIES, limit=None) == before
    assert {(one.action, one.stage) for one in formed(again)} == {(Action.SKIP, "observe")}
    assert all(turn.kept for turn in again)


def test_the_same_message_of_another_moment_is_another_message(learning):
    learning.observe(TALK[:1], session="s")
    later = learning.observe([TALK[0] | {"timestamp": 9_000}], session="s")
    assert {one.action for one in formed(later)} == {Action.REINFORCE}


def test_what_was_only_logged_can_be_learnt_from_later(tmp_path, clock):
    path = tmp_path / "agent.db"
    with opened(path, clock, forms=False) as memory:
        memory.observe(TALK[:1], session="s")
    with opened(path, clock) as memory:
        assert {one.action for one in formed(memory.observe(TALK[:1], session="s"))} == {Action.CREATE}


def test_a_conversation_in_two_halves_teaches_the_same_as_in_one(tmp_path, clock):
    with opened(tmp_path / "whole.db", clock) as whole:
        whole.observe(TALK, session="s")
    with opened(tmp_path / "halves.db", clock) as first:
        first.observe(TALK[:3], session="s")
    with opened(tmp_path / "halves.db", clock) as second:
        second.observe(TALK[3:], session="s")
        with opened(tmp_path / "whole.db", clock) as whole:
            assert told(second) == told(whole)


def test_one_by_one_is_the_same_as_all_at_once(learning, tmp_path, clock):
    learning.observe(TALK, session="s")
    with opened(tmp_path / "steps.db", clock) as steps:
        for message in TALK:
            steps.observe(message, session="s")
        assert told(steps) == told(learning)


def test_a_purged_memory_is_not_formed_again(learning):
    [porto, _] = formed(learning.observe(TALK[:1], session="s"))
    learning.purge(porto.id)
    later = [TALK[0] | {"timestamp": 9_000}]
    dry = formed(learning.observe(later, session="s", dry_run=True))
    done = formed(learning.observe(later, session="s"))
    assert [(one.action, one.reason) for one in dry] == [(one.action, one.reason) for one in done]
    assert done[0].action is Action.SKIP
    assert "purged" in done[0].reason
    assert all("Porto" not in m.text for m in learning.list(MEMORIES))


def test_nothing_is_formed_from_a_purged_message(learning):
    [turn] = learning.observe(TALK[:1], session="s")
    learning.purge(turn.id, *(one.id for one in turn.formed))
    [again] = learning.observe(
        [TALK[0] | {"content": "I live in PORTO.  My cat is called Max.", "timestamp": 9_000}], session="s"
    )
    assert again.action is Action.SKIP
    assert [(one.action, one.stage) for one in again.formed] == [(Action.SKIP, "observe")]
    assert learning.list(MEMORIES) == []


def test_users_and_channels_do_not_touch_each_others_memories(tmp_path, clock):
    path = tmp_path / "agent.db"
    with opened(path, clock) as ada, opened(path, clock, user="bob") as bob:
        ada.observe(TALK[:1], session="s")
        before = ada.list(MEMORIES)
        bob.observe(TALK, session="s")
        ada.observe([TALK[2]], session="s", channel="atlas")
        assert [m for m in ada.list(MEMORIES) if m.channel == "_global"] == before
        assert all(m.channel == "atlas" or m in before for m in ada.list(MEMORIES))


def test_the_turn_and_what_it_teaches_are_one_transaction(learning):
    learning.observe(TALK[:1], session="s")
    entries = learning.store.witness("ada")
    assert len(entries) == 1
    first, last = entries[0].versions
    assert last - first + 1 == 3


def test_a_write_that_fails_leaves_nothing(learning, monkeypatch):
    def full(user, changes):
        raise StoreFull("no space")

    with monkeypatch.context() as patched:
        patched.setattr(learning.store, "write", full)
        with pytest.raises(StoreFull):
            learning.observe(TALK, session="s")
    assert learning.list() == []
    learning.observe(TALK, session="s")
    assert learning.verify() == []


def test_what_others_change_in_between_is_decided_again(learning, clock, monkeypatch):
    [porto, _] = formed(learning.observe(TALK[:1], session="s"))
    write, calls = learning.store.write, []

    def interrupted(user, changes):
        calls.append(changes.operation)
        if len(calls) == 1:
            learning.forget(porto.id)
            raise Conflict("changed in the meantime")
        return write(user, changes)

    monkeypatch.setattr(learning.store, "write", interrupted)
    [moved, _] = formed(learning.observe(TALK[2:3], session="s"))
    # What it would have superseded is dormant now, so that it is simply new.
    assert moved.action is Action.CREATE
    assert learning.get(porto.id).superseded_by is None


def test_a_twin_that_another_process_wrote_first_is_reinforced(learning, monkeypatch):
    write, twin = learning.store.write, []

    def overtaken(user, changes):
        if changes.operation == "observe" and not twin:
            twin.append(None)
            twin[0] = learning.remember("Ada lives in Porto").id
        return write(user, changes)

    monkeypatch.setattr(learning.store, "write", overtaken)
    first = formed(learning.observe(TALK[:1], session="s"))[0]
    assert (first.action, first.stage, first.id) == (Action.REINFORCE, "commit", twin[0])
    assert learning.verify() == []


@pytest.mark.parametrize("kind", KEYED)
@pytest.mark.parametrize(
    "kept", ["Ada lives in Porto", "Ada lives in Lisbon", "Ada lives in Porto and is allergic to nuts"]
)
def test_nothing_that_is_formed_concerns_what_an_application_keeps(learning, clock, kind, kept):
    one = learning.remember(kept, kind=kind, tags=["key:home"], once=False)
    before = learning.get(one.id)
    clock.advance(days=1)
    [said] = formed(learning.observe({"role": "user", "name": "Ada", "content": "I live in Lisbon."}))
    assert (said.action, said.supersedes) == (Action.CREATE, ())
    assert said.id != one.id
    assert learning.get(one.id) == before
    assert not [edge for edge in learning.edges(one.id) if edge.type == "derived_from"]


def test_however_much_an_application_keeps_what_is_said_again_is_found(learning):
    said = {"role": "user", "name": "Ada", "content": "My sister plays the cello in Porto."}
    [first] = formed(learning.observe(said, session="s1"))
    for number in range(100):
        learning.remember(first.text, kind="item", tags=[f"key:{number}"], once=False)
    [again] = formed(learning.observe(said, session="s2"))
    assert (again.action, again.stage, again.id) == (Action.REINFORCE, "gate", first.id)


@pytest.mark.parametrize("kind", KEYED)
def test_what_is_remembered_does_not_rest_on_what_an_application_keeps(learning, kind):
    kept = learning.remember("Deploys go through staging", kind=kind, once=False).id
    noted = learning.remember("Deploys go through staging")
    assert noted.action is Action.CREATE
    learning.forget(kept)
    assert [one.id for one in learning.list()] == [noted.id]
