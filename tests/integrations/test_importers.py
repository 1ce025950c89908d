"""Taking in what others export, on both stores."""

from datetime import UTC, datetime

import exports_made as made
import pytest

from recollect.errors import InvalidInput, NotFound
from recollect.integrations.importers import SOURCES, import_from
from recollect.integrations.mem0_api import Memory as Mem0
from recollect.model import Filter, State
from recollect.testing import HashEmbedder

MAKERS = {
    "chatgpt": made.chatgpt,
    "claude": made.claude,
    "claude-code": made.claude_code,
    "codex": made.codex,
    "mem0": lambda folder: made.mem0(folder / "mem0.json"),
    "messages": lambda folder: made.messages(folder / "chat.jsonl"),
    "notes": lambda folder: made.notes(folder / "notes"),
}


def turns(memory, session):
    found = memory.list(Filter(session=session, any_session=True), newest_first=False, limit=None)
    return [(m.origin.role, m.text) for m in found]


def everything(memory):
    every = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)
    return {
        user: [(m.id, m.version, m.state, m.text) for m in memory.store.find(user, every)]
        for user in memory.store.users()
    }


def test_every_source_is_tried_here():
    assert MAKERS.keys() == SOURCES.keys()


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_export_twice_changes_nothing(memory, tmp_path, source):
    path = MAKERS[source](tmp_path)
    first = import_from(source, path, memory)
    before = everything(memory)
    assert first.created > 0
    again = import_from(source, path, memory)
    assert everything(memory) == before
    assert (again.created, again.updated, again.unchanged) == (0, 0, first.created)


@pytest.mark.parametrize("source", SOURCES)
def test_what_was_forgotten_is_not_brought_back(memory, tmp_path, source):
    path = MAKERS[source](tmp_path)
    import_from(source, path, memory)
    for one in memory.list(Filter(any_session=True), limit=None):
        memory.forget(one.id)
    import_from(source, path, memory)
    assert memory.list(Filter(any_session=True)) == []


def test_chatgpt_gives_the_branch_that_was_kept_with_roles_and_times(memory, tmp_path):
    report = import_from("chatgpt", made.chatgpt(tmp_path), memory)
    assert (report.conversations, report.created, report.problems) == (1, 4, [])
    assert turns(memory, "chatgpt:conv-1") == [
        ("user", "How do I brew oolong tea?"),
        ("assistant", "Three minutes at 90 degrees"),
        ("user", "Is this leaf fine?"),
        ("assistant", "look(leaf)"),
    ]
    first = memory.recall("brew oolong tea")[0].memory
    assert first.valid_from == datetime.fromtimestamp(1_700_000_000, UTC)
    assert first.metadata["imported"] == {"from": "chatgpt", "id": "ask", "conversation": "Tea"}


def test_a_conversation_that_went_on_is_continued(memory, tmp_path):
    import_from("chatgpt", made.chatgpt(tmp_path), memory)
    path = made.chatgpt(tmp_path)
    longer = path.read_text().replace('"current_node": "nothing"', '"current_node": "more"')
    node = made.json.dumps(made.chatgpt_node("more", "nothing", "user", "And for green tea?"))[1:-1]
    path.write_text(longer.replace('"mapping": {', '"mapping": {' + node + ", ", 1))
    report = import_from("chatgpt", path, memory)
    assert (report.created, report.unchanged) == (1, 4)
    assert turns(memory, "chatgpt:conv-1")[-1] == ("user", "And for green tea?")


@pytest.mark.parametrize(("source", "make"), [("chatgpt", made.chatgpt), ("claude", made.claude)])
def test_an_archive_and_a_folder_are_read_like_the_file_in_them(memory, tmp_path, source, make):
    path = make(tmp_path / "export")
    archive = made.packed(tmp_path / "export.zip", path)
    assert import_from(source, archive, memory).created > 0
    assert import_from(source, path.parent, memory).created == 0


@pytest.mark.parametrize(
    "odd",
    [
        3,
        None,
        [],
        {},
        {"conversation_id": "x", "mapping": 3},
        {"conversation_id": 3, "mapping": {}},
        {"uuid": "x", "chat_messages": {}},
        {"conversation_id": "x", "mapping": {"a": None}, "current_node": "a"},
        {"conversation_id": "x", "mapping": {"a": {"message": "x"}}},
        {"conversation_id": "x", "mapping": {"a": {"message": {"author": {}}}}},
        {
            "conversation_id": "x",
            "mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}},
            "current_node": "a",
        },
        {"uuid": "x", "chat_messages": [None, 3, {}, {"uuid": "m", "sender": ["x"]}]},
    ],
)
@pytest.mark.parametrize("source", ["chatgpt", "claude"])
def test_odd_conversations_are_named_and_the_others_taken(memory, tmp_path, source, odd):
    make = made.chatgpt if source == "chatgpt" else made.claude
    report = import_from(source, make(tmp_path, odd), memory)
    assert report.created > 0
    assert all("conversations.json[1]" in problem for problem in report.problems)


def test_the_one_is_not_taken_for_the_other(memory, tmp_path):
    with pytest.raises(InvalidInput, match="--from claude"):
        import_from("chatgpt", made.claude(tmp_path), memory)
    with pytest.raises(InvalidInput, match="--from chatgpt"):
        import_from("claude", made.chatgpt(tmp_path), memory)


def test_claude_gives_messages_and_what_was_attached(memory, tmp_path):
    import_from("claude", made.claude(tmp_path), memory)
    assert turns(memory, "claude:c1") == [
        ("user", "What is in my plan?"),
        ("user", "plan.txt:\nWater the roses in March"),
        ("assistant", "Roses, in March."),
    ]


def test_claude_code_gives_what_was_said_and_done(memory, tmp_path):
    report = import_from("claude-code", made.claude_code(tmp_path), memory)
    assert turns(memory, "claude-code:s-1") == [
        ("user", "Why does the build fail?"),
        ("assistant", "I look at the log."),
        ("assistant", 'Bash({"command": "make"})'),
        ("tool", "linker error"),
        ("assistant", "The linker flag was missing."),
    ]
    assert turns(memory, "claude-code:agent-7") == [("user", "Look for the flag")]
    assert [problem.partition("s-1.jsonl:")[2].split(":")[0] for problem in report.problems] == [
        "6",
        "7",
        "8",
    ]
    assert memory.recall("why did the build fail?")[0].memory.valid_from.year == 2025


def test_codex_gives_what_was_said_and_done(memory, tmp_path):
    import_from("codex", made.codex(tmp_path), memory)
    assert turns(memory, "codex:rollout-2025-10-29T00-59-38-abc") == [
        ("user", "Which port does the server use?"),
        ("assistant", 'shell({"command": ["grep", "port"]})'),
        ("tool", "port = 8080"),
        ("assistant", "It listens on 8080."),
    ]
    assert turns(memory, "codex:rollout-old") == [("user", "An older question")]


def test_mem0s_memories_go_to_their_users_and_are_there_in_its_own_interface(memory, tmp_path, clock):
    report = import_from("mem0", made.mem0(tmp_path / "mem0.json"), memory)
    assert (report.created, len(report.problems)) == (3, 2)
    ada = memory.store.find("ada", Filter(tags=("food",)))
    assert [m.valid_from for m in ada] == [datetime(2024, 5, 2, 17, tzinfo=UTC)]
    mem0 = Mem0(store=memory.store, embedder=HashEmbedder(), clock=clock)
    [tea] = mem0.search("oolong tea", filters={"user_id": "ada", "topic": "tea"})["results"]
    assert (tea["memory"], tea["metadata"]) == ("Likes oolong tea", {"topic": "tea"})
    [soup] = mem0.get_all(filters={"agent_id": "cook"})["results"]
    assert (soup["memory"], soup["run_id"]) == ("Keeps the soup warm", "r1")
    texts = {m.text for m in memory.list(Filter(any_session=True))}
    assert texts == {"Likes oolong tea", "Belongs to nobody yet"}


def test_messages_keep_sessions_speakers_and_times(memory, tmp_path):
    report = import_from("messages", made.messages(tmp_path / "chat.jsonl"), memory)
    assert turns(memory, "messages:b") == [("user", "The boat leaves at nine"), ("assistant", "Noted")]
    assert turns(memory, "messages:chat") == [("user", "Without a session")]
    assert [problem.partition("jsonl:")[2][0] for problem in report.problems] == ["4", "5", "7"]
    assert memory.recall("when does the boat leave?")[0].memory.valid_from == datetime(
        2024, 5, 2, 10, tzinfo=UTC
    )
    assert [m.origin.speaker for m in memory.list() if m.text == "Noted"] == ["Guide"]


def test_notes_are_a_memory_a_section_with_its_title(memory, tmp_path):
    report = import_from("notes", made.notes(tmp_path / "notes"), memory)
    found = {m.metadata["imported"]["id"]: m for m in memory.list(limit=None)}
    assert {key: m.text for key, m in found.items()} == {
        "garden/roses.md#roses": "All about roses.",
        "garden/roses.md#Watering": "# Watering\nEvery morning.",
        "garden/roses.md#Winter": "## Winter\n\n```\n# no heading\n```",
        "garden/roses.md#Watering#2": "# Watering\nAgain.",
    }
    assert found["garden/roses.md#Winter"].metadata["title"] == "Winter"
    assert len(report.problems) == 1
    assert "bad.md" in report.problems[0]
    assert report.refused == ["secrets.md#Codes: secrets.md: files named like secrets.md hold secrets"]


def test_a_note_that_was_changed_is_edited_and_keeps_its_history(memory, tmp_path):
    folder = made.notes(tmp_path / "notes")
    import_from("notes", folder, memory)
    path = folder / "garden" / "roses.md"
    path.write_text(path.read_text().replace("Every morning.", "Every evening."))
    report = import_from("notes", folder, memory)
    assert (report.created, report.updated) == (0, 1)
    one = memory.recall("watering every evening")[0]
    assert [m.text for m in memory.history(one.id)] == [
        "# Watering\nEvery morning.",
        "# Watering\nEvery evening.",
    ]


def test_an_immutable_note_is_left_and_said_so(memory, tmp_path):
    folder = made.notes(tmp_path / "notes")
    import_from("notes", folder, memory)
    for one in memory.list():
        memory.pin(one.id, immutable=True)
    path = folder / "garden" / "roses.md"
    path.write_text(path.read_text().replace("Every morning.", "Every evening."))
    report = import_from("notes", folder, memory)
    assert report.updated == 0
    assert any("immutable" in one for one in report.refused)


def test_secrets_stay_out_and_a_purged_text_is_refused(memory, tmp_path):
    path = made.json_lines(
        tmp_path / "chat.jsonl",
        {"role": "user", "content": "my password is hunter2secret!"},
        {"role": "user", "content": "the tulips are red"},
    )
    purged = memory.remember("the tulips are red")
    memory.purge(purged.id)
    report = import_from("messages", path, memory)
    assert (report.created, len(report.refused)) == (1, 1)
    assert "hunter2secret" not in memory.list()[0].text


def test_progress_is_told_by_parts(memory, tmp_path):
    heard = []
    import_from("claude-code", made.claude_code(tmp_path), memory, progress=lambda *now: heard.append(now))
    assert heard == [(1, 2), (2, 2)]


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_not_there_is_said(memory, tmp_path, source):
    with pytest.raises(NotFound):
        import_from(source, tmp_path / "nowhere", memory)
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound):
        import_from(source, tmp_path / "empty", memory)
    with pytest.raises(InvalidInput, match="there are: chatgpt"):
        import_from("elsewhere", tmp_path, memory)
