"""Contrasts teach what neighbours are worth: in versions that are checked, held and can be gone back to."""

import pytest

from recollect import Recollect
from recollect.errors import NotFound
from recollect.learn import lessons
from recollect.testing import FakeClock, HashEmbedder

BATCH = 4
ON = {"learning.gnn": True}
THINGS = ("billing", "search", "login", "orders", "news", "maps")


def filled(memory):
    """Of each thing a problem, its cause, which is told in other words, and what only sounds like the question."""
    ids = {}
    for thing in THINGS:
        problem = memory.remember(f"The {thing} page was down on Sunday").id
        ids[thing, "cause"] = memory.remember(f"An expired certificate of {thing}").id
        ids[thing, "noise"] = memory.remember(f"Why the {thing} page is down is asked a lot").id
        memory.link(ids[thing, "cause"], problem, "causes")
    return ids


def asked(thing):
    return f"why was the {thing} page down?"


def taught(memory, ids, times=BATCH, things=THINGS[:4], better="cause", worse="noise"):
    for number in range(times):
        thing = things[number % len(things)]
        memory.contrast(asked(thing), better=ids[thing, better], worse=ids[thing, worse])


def margin(memory, ids, thing):
    score = {hit.id: hit.score for hit in memory.recall(asked(thing), 20, deep=True, learn=False)}
    return score[ids[thing, "cause"]] - score[ids[thing, "noise"]]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(lessons, "BATCH", BATCH)


@pytest.fixture
def memory(clock):
    with Recollect(":memory:", user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        yield engine


@pytest.fixture
def ids(memory):
    memory.configure(ON)
    return filled(memory)


def test_a_batch_makes_a_version_that_serves_other_questions_too(memory, ids):
    before = {thing: margin(memory, ids, thing) for thing in THINGS}
    taught(memory, ids, BATCH - 1)
    assert (memory.gnn().version, memory.gnn().pending) == (0, BATCH - 1)
    assert margin(memory, ids, "maps") == pytest.approx(before["maps"])
    taught(memory, ids, 1)
    state = memory.gnn()
    assert (state.version, state.lessons, state.pending, state.versions) == (1, BATCH, 0, (0, 1))
    assert all(margin(memory, ids, thing) > before[thing] + 0.05 for thing in THINGS)


def test_switched_off_nothing_is_kept_and_nothing_is_heard(memory, ids):
    before = margin(memory, ids, "maps")
    taught(memory, ids)
    learnt = margin(memory, ids, "maps")
    assert learnt != pytest.approx(before)
    memory.configure({"learning.gnn": False})
    assert margin(memory, ids, "maps") == pytest.approx(before)
    taught(memory, ids, 1)
    memory.configure(ON)
    assert memory.gnn().pending == 0
    assert margin(memory, ids, "maps") == pytest.approx(learnt)


def test_one_can_go_back_to_an_earlier_version(memory, ids):
    before = margin(memory, ids, "maps")
    taught(memory, ids)
    first = margin(memory, ids, "maps")
    memory.configure({"learning.canary": False, "learning.consolidation": 0.0})
    taught(memory, ids, better="noise", worse="cause")
    assert memory.gnn().version == 2
    assert margin(memory, ids, "maps") < first - 0.01
    memory.reset_gnn(1)
    assert margin(memory, ids, "maps") == pytest.approx(first)
    assert (memory.gnn().version, memory.gnn().pending) == (1, 0)
    with pytest.raises(NotFound, match="no version 2"):
        memory.reset_gnn(2)
    memory.reset_gnn()
    assert margin(memory, ids, "maps") == pytest.approx(before)
    assert memory.gnn().versions == (0,)
    taught(memory, ids)
    assert memory.gnn().version == 1


def test_lessons_that_make_past_ones_worse_are_left_out(memory, ids, monkeypatch):
    enough = 16
    monkeypatch.setattr(lessons, "BATCH", enough)
    taught(memory, ids, enough)
    learnt = margin(memory, ids, "maps")
    taught(memory, ids, enough, better="noise", worse="cause")
    state = memory.gnn()
    assert (state.version, state.rolled_back, state.pending, state.lessons) == (1, 1, 0, enough)
    assert margin(memory, ids, "maps") == pytest.approx(learnt)
    memory.configure({"learning.canary": False})
    taught(memory, ids, enough, better="noise", worse="cause")
    assert memory.gnn().version == 2


def test_what_mattered_before_is_held(memory, ids):
    def lost(consolidation):
        memory.reset_gnn()
        memory.configure({"learning.consolidation": consolidation, "learning.canary": False})
        taught(memory, ids)
        learnt = margin(memory, ids, "maps")
        taught(memory, ids, better="noise", worse="cause")
        return learnt - margin(memory, ids, "maps")

    assert lost(1e6) < 0.8 * lost(0.0)


def test_the_last_versions_are_kept_and_other_processes_see_them(tmp_path, monkeypatch):
    monkeypatch.setattr(lessons, "KEPT", 2)

    def opened():
        return Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(), clock=FakeClock())

    with opened() as memory:
        memory.configure(ON)
        ids = filled(memory)
        for _ in range(4):
            taught(memory, ids)
        state, learnt = memory.gnn(), margin(memory, ids, "maps")
        assert (state.version, state.versions) == (4, (0, 3, 4))
    with opened() as again:
        assert again.gnn() == state
        assert margin(again, ids, "maps") == pytest.approx(learnt)
        assert again.verify() == []


def test_nobody_learns_from_anybody_else(tmp_path):
    with (
        Recollect(tmp_path / "one.db", user="ada", embedder=HashEmbedder()) as ada,
        Recollect(tmp_path / "one.db", user="bob", embedder=HashEmbedder()) as bob,
    ):
        for memory in (ada, bob):
            memory.configure(ON)
        mine, theirs = filled(ada), filled(bob)
        before = margin(bob, theirs, "maps")
        taught(ada, mine)
        assert ada.gnn().version == 1
        assert bob.gnn().version == 0
        assert margin(bob, theirs, "maps") == pytest.approx(before)


def test_a_lesson_holds_no_word_of_what_was_asked_or_found(memory, ids):
    taught(memory, ids, 1)
    records = memory.store.records("ada", "gnn_lesson")
    assert len(records) == 1
    assert "page" not in str(records[0].value)
