"""Exports as others write them, made small: each function writes one and gives its path."""

import json
import zipfile


def written(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def json_lines(path, *values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in values))
    return path


def packed(path, inner):
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(inner, inner.name)
        archive.writestr("user.json", "{}")
    return path


def chatgpt_node(name, parent, role, content, at=1_700_000_000.0, **metadata):
    author = {"role": role, "name": None, "metadata": {}}
    content = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {"id": name, "author": author, "create_time": at, "content": content, "metadata": metadata}
    return {name: {"id": name, "message": message, "parent": parent, "children": []}}


def chatgpt(folder, *more):
    """A conversation with a hidden message, a picture, code, and an answer that was made anew."""
    mapping = {
        "root": {"id": "root", "message": None, "parent": None, "children": ["hidden"]},
        **chatgpt_node("hidden", "root", "system", "", None, is_visually_hidden_from_conversation=True),
        **chatgpt_node("ask", "hidden", "user", "How do I brew oolong tea?"),
        **chatgpt_node("old", "ask", "assistant", "Boil it for an hour", 1_700_000_010.0),
        **chatgpt_node("new", "ask", "assistant", "Three minutes at 90 degrees", 1_700_000_020.5),
        **chatgpt_node(
            "picture",
            "new",
            "user",
            {
                "content_type": "multimodal_text",
                "parts": [{"asset_pointer": "file://x"}, "Is this leaf fine?"],
            },
            1_700_000_030.0,
        ),
        **chatgpt_node(
            "code",
            "picture",
            "assistant",
            {"content_type": "code", "language": "python", "text": "look(leaf)"},
        ),
        **chatgpt_node("nothing", "code", "assistant", {"content_type": "text", "parts": [""]}),
    }
    conversation = {
        "title": "Tea",
        "conversation_id": "conv-1",
        "create_time": 1_700_000_000.0,
        "mapping": mapping,
        "current_node": "nothing",
    }
    return written(folder / "conversations.json", [conversation, *more])


def claude(folder, *more):
    def said(name, sender, text, **extra):
        return {
            "uuid": name,
            "sender": sender,
            "text": text,
            "content": [{"type": "text", "text": text}, {"type": "tool_use", "name": "x", "input": {}}],
            "created_at": "2024-05-02T10:00:00.000000Z",
            "attachments": [],
            "files": [],
            **extra,
        }

    plan = {"file_name": "plan.txt", "extracted_content": "Water the roses in March"}
    messages = [
        said("m1", "human", "What is in my plan?", attachments=[plan]),
        said("m2", "assistant", "Roses, in March.", content=[]),
        said("m3", "human", "", content=[]),
    ]
    conversation = {
        "uuid": "c1",
        "name": "Garden",
        "created_at": "2024-05-02T10:00:00Z",
        "chat_messages": messages,
    }
    return written(folder / "conversations.json", [conversation, *more])


def claude_code(folder):
    def line(kind, name, role, content, **extra):
        return {
            "type": kind,
            "uuid": name,
            "parentUuid": None,
            "sessionId": "s-1",
            "timestamp": "2025-05-26T07:27:40.079Z",
            "cwd": "/home/ada/atlas",
            "message": {"role": role, "content": content},
            **extra,
        }

    json_lines(
        folder / "-home-ada-atlas" / "s-1.jsonl",
        {"type": "summary", "summary": "Fix the build", "leafUuid": "x"},
        line("user", "u0", "user", "Caveat: made by a command", isMeta=True),
        line("user", "u1", "user", "Why does the build fail?"),
        line(
            "assistant",
            "a1",
            "assistant",
            [
                {"type": "thinking", "thinking": "hm", "signature": "x"},
                {"type": "text", "text": "I look at the log."},
                {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "make"}},
            ],
        ),
        line(
            "user",
            "u2",
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_1",
                    "content": [{"type": "text", "text": "linker error"}],
                }
            ],
        ),
        "{ broken",
        '"a text"',
        {"type": "assistant", "uuid": "a9", "message": "odd"},
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        line("assistant", "a2", "assistant", [{"type": "text", "text": "The linker flag was missing."}]),
    )
    json_lines(folder / "-home-ada-atlas" / "agent-7.jsonl", line("user", "u9", "user", "Look for the flag"))
    return folder


def codex(folder):
    def item(**payload):
        return {"timestamp": "2025-10-29T00:59:38.317Z", "type": "response_item", "payload": payload}

    def message(role, text):
        kind = "input_text" if role == "user" else "output_text"
        return item(type="message", role=role, content=[{"type": kind, "text": text}])

    json_lines(
        folder / "2025/10/29" / "rollout-2025-10-29T00-59-38-abc.jsonl",
        {
            "timestamp": "2025-10-29T00:59:38.317Z",
            "type": "session_meta",
            "payload": {"id": "abc", "cwd": "/x"},
        },
        message("developer", "Be brief"),
        message("user", "<environment_context>...</environment_context>"),
        message("user", "Which port does the server use?"),
        {
            "timestamp": "2025-10-29T00:59:38Z",
            "type": "event_msg",
            "payload": {"type": "user_message", "message": "x"},
        },
        item(type="reasoning", summary=[], encrypted_content="xyz"),
        item(type="function_call", name="shell", arguments='{"command": ["grep", "port"]}', call_id="c1"),
        item(type="function_call_output", call_id="c1", output='{"output": "port = 8080", "metadata": {}}'),
        message("assistant", "It listens on 8080."),
    )
    json_lines(
        folder / "rollout-old.jsonl",
        {"id": "old", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "An older question"}]},
    )
    return folder


def mem0(path):
    return written(
        path,
        {
            "results": [
                {
                    "id": "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
                    "memory": "Likes oolong tea",
                    "user_id": "ada",
                    "metadata": {"topic": "tea"},
                    "categories": ["food"],
                    "created_at": "2024-05-02T10:00:00-07:00",
                    "updated_at": None,
                },
                {"id": "2", "memory": "Keeps the soup warm", "agent_id": "cook", "run_id": "r1"},
                {"id": "3", "memory": "Belongs to nobody yet"},
                {"id": "4", "memory": ""},
                "odd",
            ]
        },
    )


def messages(path):
    return json_lines(
        path,
        {
            "role": "user",
            "content": "The boat leaves at nine",
            "session": "b",
            "timestamp": "2024-05-02T10:00:00Z",
        },
        {"role": "assistant", "content": "Noted", "session": "b", "name": "Guide"},
        {"role": "user", "content": "Without a session"},
        {"role": "user"},
        {"role": "user", "content": "late", "timestamp": "never"},
        "",
        "not json",
    )


def notes(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "garden").mkdir()
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "x.md").write_text("# settings\nhidden")
    (folder / "garden" / "roses.md").write_text(
        "---\ntags: [x]\n---\nAll about roses.\n\n# Watering\nEvery morning.\n\n## Winter\n\n```\n# no heading\n```\n"
        "\n# Empty\n\n# Watering\nAgain.\n"
    )
    (folder / "bad.md").write_bytes(b"\xff\xfe\xff")
    (folder / "secrets.md").write_text("# Codes\nThe gate is green\n")
    return folder
