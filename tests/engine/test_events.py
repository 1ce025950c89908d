"""Events of agents, on both stores: what is taken in, what is left out and why, and what comes back."""

from datetime import UTC, datetime

import pytest

from recollect import Action, Filter, Lane, Recollect
from recollect.errors import InvalidInput
from recollect.testing import HashEmbedder

LOG = Filter(lanes=(Lane.LOG,), any_session=True)
NOON = "2026-03-02T12:00:00Z"
STREAMS = {
    "coding": [
        {"type": "chat.user_msg", "text": "The login test is flaky, please find out why"},
        {
            "type": "conductor.run.started",
            "goal": "Fix the flaky login test",
            "plan": ["reproduce", "bisect"],
        },
        {"type": "conductor.assignment.dispatched", "task": "Reproduce the flake", "assignee": "terminal"},
        {
            "type": "terminal.command.completed",
            "command": "pytest -k login",
            "stdout": "1 failed",
            "exit_code": 1,
        },
        {
            "type": "conductor.run.completed",
            "goal": "Fix the flaky login test",
            "result": "A mutex was missing",
        },
    ],
    "research": [
        {"type": "chat.user_msg", "text": "What is known about consensus without clocks?"},
        {
            "type": "researcher.search.completed",
            "query": "asynchronous consensus",
            "results": ["FLP 1985", "Ben-Or 1983"],
        },
        {"type": "researcher.report.received", "finding": "Randomisation circumvents the FLP impossibility"},
        {
            "type": "inquiry.failed",
            "question": "deterministic asynchronous consensus",
            "reason": "a dead end",
        },
    ],
    "writing": [
        {"type": "session.started", "title": "Chapter three"},
        {
            "type": "writer.revision.created",
            "document": "Chapter three",
            "revision": 4,
            "diff": "+ The lighthouse keeper lies",
        },
        {"type": "editor.report", "text": "The keeper's voice shifted and it works"},
        {"type": "session.completed", "title": "Chapter three", "summary": "The lie sets up the storm"},
    ],
    "publishing": [
        {"type": "desk.assigned", "task": "Proofread the essay", "to": "Mara"},
        {"type": "site.published", "title": "On Lighthouses", "version": "1.0", "body": "The essay is out"},
        {"type": "analytics.report.received", "summary": "On Lighthouses was read 4,000 times in a week"},
    ],
}
ASKED = {
    "coding": ("why was the login test flaky? mutex", "A mutex was missing"),
    "research": ("what circumvents the FLP impossibility?", "Randomisation circumvents"),
    "writing": ("which lie sets up the storm?", "The lie sets up the storm"),
    "publishing": ("how often was On Lighthouses read?", "4,000 times"),
}


def opened(clock, **settings):
    chosen = {name.replace("__", "."): value for name, value in settings.items()}
    return Recollect(
        ":memory:", user="ada", channel="_global", embedder=HashEmbedder(), clock=clock, settings=chosen
    )


def log(memory):
    return memory.list(LOG, newest_first=False, limit=None)


@pytest.mark.parametrize("domain", STREAMS)
def test_streams_of_every_domain_go_through_the_same_primitives(memory, domain):
    stream = STREAMS[domain]
    results = memory.event(stream, session=domain, run="r1", actor="agent")
    assert [result.action for result in results] == [Action.CREATE] * len(stream)
    kept = log(memory)
    assert [turn.origin.event_type for turn in kept] == [event["type"] for event in stream]
    assert {(t.origin.session, t.origin.run, t.origin.actor) for t in kept} == {(domain, "r1", "agent")}
    question, answer = ASKED[domain]
    assert answer in memory.recall(question, session=domain)[0].text


def test_the_four_streams_in_one_memory_stay_apart_by_their_origin(memory):
    for domain, stream in STREAMS.items():
        memory.event(stream, session=domain)
    for domain, (question, answer) in ASKED.items():
        hits = memory.recall(question, only_session=domain)
        assert answer in hits[0].text
        assert {hit.memory.origin.session for hit in hits} == {domain}
    conductor = memory.recall("flaky login test", event_type_prefix="conductor.")
    assert {hit.memory.origin.event_type.split(".")[0] for hit in conductor} == {"conductor"}


def test_an_event_is_kept_with_who_when_and_what_its_text_does_not_say(memory):
    [kept] = memory.event(
        {
            "event_type": "conductor.run.completed",
            "event_id": 7,
            "session_id": "s",
            "run_id": "r",
            "actor_id": "conductor",
            "created_at": NOON,
            "payload": {"goal": "Fix the bug", "result": "Fixed", "tokens": 812},
        }
    )
    turn = memory.get(kept.id)
    assert turn.text == "Completed: Fix the bug\nFixed"
    assert turn.valid_from == datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert (turn.lane, turn.kind, turn.origin.speaker) == (Lane.LOG, "event", "conductor")
    assert turn.metadata["event"] == {"id": "7", "part": "outcome", "data": {"tokens": 812}}


def test_the_same_event_again_changes_nothing(memory):
    events = [
        {"type": "run.completed", "id": "e1", "timestamp": NOON, "result": "The tests pass again"},
        {"type": "worker.report", "timestamp": NOON, "text": "My key is AKIAIOSFODNN7EXAMPLE, I found it"},
    ]
    first = memory.event([*events, *events], session="s")
    assert [one.action for one in first] == [Action.CREATE] * 2 + [Action.SKIP] * 2
    again = memory.event(events, session="s")
    assert [one.reason for one in again] == ["the same event was kept before"] * 2
    assert [one.id for one in again] == [first[0].id, first[1].id]
    assert len(log(memory)) == 2


def test_what_differs_in_session_time_type_or_id_is_another_event(memory):
    one = {"type": "run.completed", "id": "e1", "timestamp": NOON, "result": "The tests pass again"}
    memory.event(one, session="s")
    for change in (
        {"id": "e2"},
        {"timestamp": "2026-03-02T12:00:01Z"},
        {"type": "task.completed"},
        {"session": "t"},
    ):
        assert memory.event({**one, **change}, session="s")[0].action is Action.CREATE
    assert len(log(memory)) == 5


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"events__enabled": False}, "events are paused (events.enabled)"),
        (
            {"events__types": "chat.*, run.started"},
            "events of the type run.failed are not listed (events.types)",
        ),
        ({"events__min_characters": 100}, "18 characters are too few; it takes 100 (events.min_characters)"),
        ({"memory__recording": False}, "recording is switched off (memory.enabled, memory.recording)"),
    ],
)
def test_what_is_left_out_says_why_and_writes_nothing(clock, settings, reason):
    memory = opened(clock, **settings)
    [result] = memory.event({"type": "run.failed", "error": "out of disk"})
    assert (result.action, result.reason) == (Action.SKIP, reason)
    assert log(memory) == []


def test_the_white_list_takes_whole_types_and_beginnings(clock):
    memory = opened(clock, events__types="chat.* run.failed")
    events = [
        {"type": t, "text": "Something happened here"}
        for t in ("chat.user_msg", "run.failed", "run.failed.late")
    ]
    assert [one.kept for one in memory.event(events)] == [True, True, False]


def test_events_are_paused_and_resumed_while_talk_is_still_kept(memory):
    memory.configure({"events.enabled": False})
    assert not memory.event({"type": "run.completed", "result": "All is well"})[0].kept
    assert memory.observe("I live in Porto.")[0].kept
    memory.configure({"events.enabled": True})
    assert memory.event({"type": "run.completed", "result": "All is well"})[0].kept


def test_talk_and_reports_form_memories_and_raw_output_does_not(clock):
    memory = opened(clock, formation__enabled=True)
    chat, report, output = memory.event(
        [
            {"type": "chat.user_msg", "speaker": "Ada", "text": "I live in Porto."},
            {
                "type": "worker.report",
                "actor": "Scout",
                "text": "The staging server runs PostgreSQL 16 in Frankfurt.",
            },
            {"type": "terminal.command.completed", "command": "whoami", "output": "I live in Lisbon."},
        ],
        session="s",
    )
    assert [one.text for one in chat.formed] == ["Ada lives in Porto"]
    assert [one.action for one in report.formed] == [Action.CREATE]
    assert [(one.action, one.reason) for one in output.formed] == [
        (Action.SKIP, "events of the type terminal.command.completed stay in the log")
    ]
    assert memory.get(chat.formed[0].id).origin.event_type == "chat.user_msg"


def test_nothing_is_formed_while_the_topic_changes_and_again_once_it_holds(clock):
    memory = opened(clock, formation__enabled=True, events__coherence=0.2)
    said = [
        "The database migration of our billing service is done.",
        "The database migration took our billing service two hours.",
        "My sister Clara lives in Valencia with her dog.",
        "My sister Clara feeds her dog in Valencia at seven.",
    ]
    results = [memory.event({"type": "chat.user_msg", "text": text}, session="s")[0] for text in said]
    reasons = [[one.reason for one in result.formed if "topic changes" in one.reason] for result in results]
    assert [bool(one) for one in reasons] == [False, False, True, False]
    assert len(log(memory)) == 4
    together = opened(clock, formation__enabled=True, events__coherence=0.2)
    batch = together.event([{"type": "chat.user_msg", "text": text} for text in said], session="s")
    assert [[one.reason for one in result.formed] for result in batch] == [
        [one.reason for one in result.formed] for result in results
    ]


def test_a_dry_run_decides_the_same_and_writes_nothing(memory):
    [result] = memory.event({"type": "run.completed", "result": "All is well"}, dry_run=True)
    assert (result.action, result.id) == (Action.CREATE, None)
    assert log(memory) == []


def test_secrets_are_in_neither_the_text_nor_what_is_beside_it(memory):
    [kept] = memory.event(
        {
            "type": "command.completed",
            "command": "env",
            "output": "password: hunter2!x",
            "data": {"token": "ghp_" + "a1B2" * 9},
        }
    )
    turn = memory.get(kept.id)
    assert "hunter2" not in turn.text
    assert "a1B2" not in str(turn.metadata)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ({"text": "no type"}, "needs a 'type'"),
        ({"type": "x" * 300, "text": "t"}, "at most 200"),
        ("run.completed", "a mapping with a 'type'"),
        ([{"type": "a", "text": "fine and good"}, 3], "event 2: an event is a mapping"),
        ({"type": "a", "text": "b", "timestamp": "yesterday-ish"}, "not a time"),
    ],
)
def test_what_is_no_event_is_refused_before_anything_is_written(memory, events, problem):
    with pytest.raises(InvalidInput, match=problem):
        memory.event(events)
    assert log(memory) == []
