"""`session`: transcripts in, memories out, through the command line."""

import json

import pytest

LINES = [
    {"role": "user", "name": "Ada", "content": "I live in Porto.", "session": "standup"},
    {"role": "assistant", "content": "Noted!", "session": "standup"},
]


@pytest.fixture
def chat(tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)))
    return path


@pytest.fixture
def log_alone(monkeypatch):
    """Nothing is formed while it is observed."""
    monkeypatch.setenv("RECOLLECT_FORMATION_ENABLED", "off")


def memories(cli):
    return [one["text"] for one in cli("list", "--lane", "memory", "--json").json["memories"]]


def test_a_transcript_goes_in_and_memories_come_out_once(cli, chat):
    told = cli("session", "end", str(chat), "--json").json
    assert told["imported"]["created"] == 2
    [ended] = told["sessions"]
    assert (ended["session"], [one["text"] for one in ended["memories"]]) == (
        "messages:standup",
        ["Ada lives in Porto"],
    )
    assert memories(cli) == ["Ada lives in Porto"]
    assert cli("session", "end", str(chat)).out == (
        "1 conversations, 0 created, 0 updated, 2 unchanged, 0 refused, 0 problems\n"
        "messages:standup: 1 memories formed\n"
        "  Ada lives in Porto\n"
    )
    assert memories(cli) == ["Ada lives in Porto"]


def test_a_transcript_is_read_at_its_end_where_nothing_is_formed_before(cli, chat, log_alone):
    [ended] = cli("session", "end", str(chat), "--json").json["sessions"]
    assert (ended["turns"], ended["statements"]["create"], len(ended["memories"])) == (2, 1, 1)


def test_a_folder_of_a_coding_agent_is_read_and_its_calls_and_tools_form_nothing(cli, tmp_path):
    lines = [
        {
            "type": "user",
            "uuid": "1",
            "message": {"role": "user", "content": "My sister Clara lives in Porto."},
        },
        {
            "type": "assistant",
            "uuid": "2",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "name": "Write", "input": {"text": "My boss Bob lives in Rome."}}
                ],
            },
        },
        {
            "type": "user",
            "uuid": "3",
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "content": [{"text": "My aunt Eve lives in Oslo."}]}],
            },
        },
    ]
    folder = tmp_path / "projects" / "app"
    folder.mkdir(parents=True)
    (folder / "session-1.jsonl").write_text("\n".join(map(json.dumps, lines)))
    told = cli("session", "end", str(tmp_path / "projects"), "--from", "claude-code", "--json").json
    assert told["imported"]["created"] == 3
    assert [("Porto" in one, "Rome" in one, "Oslo" in one) for one in memories(cli)] == [(True, False, False)]


def test_a_session_that_crashed_is_listed_and_picked_up_later(cli, log_alone):
    cli("observe", "--session", "s1", given=json.dumps(LINES[0]))
    assert [one["session"] for one in cli("session", "--json").json["sessions"]] == ["s1"]
    assert cli("session", "end", "--missed").out == "no session waits to be ended\n"
    assert cli("session", "end", "--missed", "--idle", "0", "--dry-run").out == (
        "s1: nothing formed, would read 1 turns: 1 create\n"
    )
    assert memories(cli) == []
    assert cli("session", "end", "--missed", "--idle", "0").out == (
        "s1: 1 memories formed, read 1 turns: 1 create\n  Ada lives in Porto\n"
    )
    assert memories(cli) == ["Ada lives in Porto"]
    assert cli("session", "list").out == "no session waits to be ended\n"


def test_a_session_of_the_log_is_ended_by_its_name(cli):
    cli("observe", "--session", "s1", given=json.dumps(LINES[0]))
    assert cli("session", "end", "--session", "s1").out == "s1: 1 memories formed\n  Ada lives in Porto\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("session", "end"), "say what is over"),
        (("session", "end", "x", "--missed"), "say what is over"),
        (("session", "end", "x", "--dry-run"), "observe --dry-run"),
    ],
)
def test_wrong_endings_are_told(cli, words, told):
    ran = cli(*words)
    assert ran.code == 2
    assert told in ran.err
