"""The audit: what was written and what was read, at each level, and never in the way of who reads."""

import json
import threading

import pytest

from recollect.engine import reads
from recollect.engine.auditing import acting
from recollect.errors import InvalidInput, NotFound, StoreFull

SECRET = (
    "sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vW5xY7zA9bC1dE3fG5hJ7-AAAAAA"
)


def told(memory, **asked):
    return [(one.operation, one.ids) for one in memory.audit(**asked)]


@pytest.fixture
def kept(memory, clock):
    found = memory.remember("Deploys go through staging first", session="s1").id
    clock.advance(hours=1)
    return found


@pytest.mark.parametrize("level", ["off", "writes"])
def test_by_default_and_when_it_is_off_nothing_is_kept_of_what_is_read(memory, kept, level):
    if level == "off":
        memory.configure({"audit.level": "off"})
    memory.recall("how do we deploy?")
    memory.get(kept)
    assert memory.audit(only="reads").entries == ()
    assert ("remember", (kept,)) in told(memory)
    memory.configure({"audit.level": "reads"})
    assert memory.audit(only="reads").entries == ()


def test_each_way_of_reading_is_told(memory, kept):
    memory.configure({"audit.level": "reads"})
    memory.recall("how do we deploy?")
    memory.context("how do we deploy?")
    memory.get(kept[:-1])
    memory.list()
    memory.history(kept)
    memory.timeline()
    list(memory.export())
    expected = [("export", ()), *((name, (kept,)) for name in ("timeline", "history", "list", "get"))]
    assert told(memory, only="reads") == [*expected, ("recall", (kept,)), ("recall", (kept,))]


def test_what_the_engine_reads_for_itself_is_not_told(memory, kept, clock):
    memory.configure({"audit.level": "reads", "dream.rehearsals": 5})
    clock.advance(days=30)
    memory.dream()
    assert told(memory, only="reads") == []


def test_reads_stay_out_of_the_chain_which_holds_every_write_at_every_level(memory):
    for level in ("off", "verbose"):
        memory.configure({"audit.level": level})
        memory.remember(f"written while it was {level}")
        before = len(memory.store.witness("ada"))
        memory.recall("written", learn=False)
        memory.flush()
        assert len(memory.store.witness("ada")) == before
    assert [one.operation for one in memory.store.witness("ada")] == ["config", "remember"] * 2
    assert memory.verify() == []


def test_a_recall_tells_its_session_channel_and_what_came_from_another_channel(memory):
    everywhere = memory.remember("Prefers tabs over spaces").id
    here = memory.remember("Atlas prefers tabs", channel="atlas").id
    memory.configure({"audit.level": "reads"})
    with acting("key 7"):
        memory.recall("prefers tabs", channel="atlas", session="s9")
    (one,) = memory.audit(only="reads")
    assert (one.actor, one.session, one.channel) == ("key 7", "s9", "atlas")
    assert set(one.ids) == {here, everywhere}
    assert one.cross_channel == (everywhere,)
    assert dict(one.detail) == {}, "the question is told at `verbose` alone"


def test_a_verbose_entry_is_enough_to_ask_the_same_again(memory, clock):
    for number in range(4):
        memory.remember(f"Deploy number {number} went through staging", tags=["ops"])
    memory.configure({"audit.level": "verbose", "recall.k": 3})
    clock.advance(hours=1)
    found = memory.recall(
        "which deploy went through staging?", tags=["ops"], since="2020-01-01", lanes="memory"
    )
    clock.advance(hours=1)
    memory.remember("Deploy number 9 went through staging", tags=["ops"])
    (one,) = memory.audit(only="reads")
    assert one.detail["settings"]["recall.k"] == 3
    assert set(one.detail["stages"]) == {step.stage for step in found.trace.steps}
    assert one.detail["scores"] == {hit.id: round(hit.score, 6) for hit in found}
    again = memory.recall(one.detail["question"], **one.detail["query"], as_of=one.at)
    assert tuple(hit.id for hit in again) == one.ids == tuple(hit.id for hit in found)


def test_switched_layers_are_told_as_they_were_given(memory, kept):
    memory.configure({"audit.level": "verbose", "layers.hop": False})
    memory.recall("deploys", ablate=["newest"])
    (one,) = memory.audit(only="reads")
    assert one.detail["query"]["ablate"] == ["newest"]


def test_no_secret_and_no_masked_data_of_a_question_is_kept(memory):
    memory.configure({"audit.level": "verbose", "privacy.personal_data": "mask"})
    memory.recall(f"does ada@example.org use {SECRET} or half a \ud800 character?", session="\ud800")
    (one,) = memory.audit(only="reads")
    text = json.dumps(dict(one.detail))
    assert "ada@example.org" not in text
    assert SECRET not in text
    assert "half a" in text


def test_one_list_by_time_page_by_page(memory, clock):
    memory.configure({"audit.level": "reads"})
    for number in range(4):
        clock.advance(minutes=1)
        memory.remember(f"fact number {number}")
        clock.advance(minutes=1)
        memory.recall("fact", learn=False)
    whole = memory.audit(limit=100)
    assert [one.operation for one in whole] == ["recall", "remember"] * 4 + ["config"]
    assert list(whole) == sorted(whole, key=lambda one: one.at, reverse=True)
    assert whole.next is None
    found, after = [], None
    while True:
        page = memory.audit(limit=2, after=after)
        found += page
        if (after := page.next) is None:
            break
    assert found == list(whole)


def test_it_is_filtered(memory, kept, clock):
    memory.configure({"audit.level": "reads"})
    clock.advance(hours=1)
    memory.recall("deploys", session="s1", learn=False)
    clock.advance(hours=1)
    other = memory.remember("The office cat is called Pixel").id
    assert told(memory, session="s1") == [("recall", (kept,)), ("remember", (kept,))]
    assert told(memory, memory_id=other) == [("remember", (other,))]
    assert told(memory, operation="recall") == [("recall", (kept,))]
    assert told(memory, since=clock.now()) == [("remember", (other,))]
    assert told(memory, until="2026-01-01T00:30:00Z") == [("remember", (kept,))]
    assert {one for one, _ in told(memory, only="writes")} == {"config", "remember"}


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": 9_999}, {"only": "x"}, {"after": "x"}, {"since": "?"}]
)
def test_a_wrong_question_is_told(memory, wrong):
    with pytest.raises(InvalidInput):
        memory.audit(**wrong)


def test_off_shows_nothing_of_what_an_earlier_level_kept(memory, kept):
    memory.configure({"audit.level": "reads"})
    memory.recall("deploys")
    memory.configure({"audit.level": "off"})
    assert memory.audit(only="reads").entries == ()
    memory.configure({"audit.level": None})
    assert told(memory, only="reads") == [("recall", (kept,))]


def test_what_was_purged_is_not_quoted_and_who_saw_it_is_still_known(memory, kept):
    memory.configure({"audit.level": "verbose"})
    memory.recall("how do we deploy?")
    memory.recall("is it true that deploys go through STAGING first?", k=1, tags=["none"])
    memory.recall("something else altogether", tags=["none"])
    memory.purge(kept)
    other, quoting, bringing = memory.audit(only="reads")
    assert (dict(bringing.detail), bringing.ids) == ({"erased": True}, (kept,))
    assert dict(quoting.detail) == {"erased": True}
    assert other.detail["question"] == "something else altogether"
    assert {one.operation for one in memory.audit(memory_id=kept)} == {"recall", "purge"}
    with pytest.raises(NotFound):
        memory.get(kept)


def test_reads_are_noted_by_themselves_within_moments(memory, kept, monkeypatch):
    monkeypatch.setattr(reads, "LINGER_SECONDS", 0.01)
    memory.configure({"audit.level": "reads"})
    noted, note = threading.Event(), memory.store.note

    def heard(user, entries):
        note(user, entries)
        noted.set()

    monkeypatch.setattr(memory.store, "note", heard)
    memory.recall("deploys")
    assert noted.wait(10)


def test_a_store_that_takes_nothing_stops_nobody_and_the_gap_is_told(memory, kept, monkeypatch, caplog):
    monkeypatch.setattr(reads, "MOST_WAITING", 3)
    memory.configure({"audit.level": "reads"})

    def full(user, entries):
        raise StoreFull("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(memory.store, "note", full)
        for _ in range(5):
            assert memory.recall("deploys")
        memory.flush()
    assert "the disk is full" in caplog.text
    found = memory.audit(only="reads")
    assert sum(one.operation == "recall" for one in found) == 3
    assert [dict(one.detail) for one in found if one.operation == "left out"] == [{"reads": 2}]


def test_the_job_removes_what_is_older_than_it_is_to_be_kept_and_nothing_by_default(memory, kept, clock):
    memory.configure({"audit.level": "reads"})
    memory.recall("deploys")
    clock.advance(days=400)
    assert memory.work("w")["audit"].changed == 0
    memory.recall("deploys")
    memory.configure({"audit.retention_days": 30})
    clock.advance(days=1)
    assert memory.work("w")["audit"].changed == 1
    assert len(memory.audit(only="reads")) == 1
    how = memory.stats()["jobs"]["audit"]
    assert (how["changed"], how["runs"], how["error"]) == (1, 2, None)


def test_an_audit_job_that_fails_is_told_in_the_stats(memory, kept, monkeypatch):
    def broken(*_):
        raise StoreFull("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(memory.store, "forget_reads", broken)
        memory.work("w")
    assert memory.stats()["jobs"]["audit"]["error"] == "StoreFull: no space left"


def test_nobody_sees_anothers_audit(memory, kept):
    memory.configure({"audit.level": "reads"})
    memory.recall("deploys")
    ben = memory.beside("ben")
    assert ben.audit().entries == ()
    assert ben.audit(memory_id=kept).entries == ()
