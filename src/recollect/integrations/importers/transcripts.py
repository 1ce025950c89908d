"""What coding agents write down of their sessions, a file of JSON lines each: Claude Code and Codex."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from recollect.integrations.importers.files import files, lines
from recollect.integrations.importers.values import (
    Conversation,
    Item,
    Part,
    Problem,
    Said,
    as_text,
    joined,
    known_moment,
)

NAME = "*.jsonl"
MADE_UP = ("<environment_context>", "<user_instructions>", "<system-reminder>", "# AGENTS.md instructions")
"""How messages begin that an agent puts into the user's mouth."""
Read = Callable[[int, Mapping[str, Any]], Iterator[Said]]
"""What one line says."""


def claude_code(path: Path) -> list[Part]:
    """A part a session file of Claude Code (`~/.claude/projects`)."""
    return [partial(_session, file, _claude_code_line) for file in files(path, NAME)]


def codex(path: Path) -> list[Part]:
    """A part a session file of Codex (`~/.codex/sessions`)."""
    return [partial(_session, file, _codex_line) for file in files(path, NAME)]


def _session(path: Path, read: Read) -> Iterator[Item]:
    """A file is a session, and named for it; those of agents within a session have files of their own."""
    said: list[Said] = []
    for found in lines(path):
        if isinstance(found, Problem):
            yield found
            continue
        number, line = found
        try:
            said += read(number, line)
        except (AttributeError, KeyError, TypeError) as error:
            yield Problem(f"{path}:{number}", f"no message: {error!r}")
    if said:
        yield Conversation(path.stem, tuple(said))


def _claude_code_line(number: int, line: Mapping[str, Any]) -> Iterator[Said]:
    if line.get("type") not in {"user", "assistant"} or line.get("isMeta"):
        return
    message = line["message"]
    role, content = str(message["role"]), message.get("content")
    name, at = str(line.get("uuid") or number), known_moment(line.get("timestamp"))
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
    for place, part in enumerate(parts):
        key = name if len(parts) == 1 else f"{name}/{place}"
        yield from _part(key, role, part, at)


def _part(key: str, role: str, part: Mapping[str, Any], at: Any) -> Iterator[Said]:
    match part.get("type"):
        case "text" if (text := as_text(part.get("text"))) and not text.startswith(MADE_UP):
            yield Said(key, role, text, at)
        case "tool_use":
            given = json.dumps(part.get("input"), ensure_ascii=False)
            yield Said(key, "assistant", f"{part['name']}({given})", at, as_text(part["name"]), is_call=True)
        case "tool_result" if text := _joined(part.get("content")):
            yield Said(key, "tool", text, at)


def _codex_line(number: int, line: Mapping[str, Any]) -> Iterator[Said]:
    item = line["payload"] if line.get("type") == "response_item" else line
    key, at = str(number), known_moment(line.get("timestamp"))
    match item.get("type"):
        case "message" if item.get("role") in {"user", "assistant"}:
            text = _joined(item.get("content"))
            if text and not text.startswith(MADE_UP):
                yield Said(key, str(item["role"]), text, at)
        case "function_call" | "custom_tool_call":
            given = item.get("arguments") or item.get("input") or ""
            yield Said(key, "assistant", f"{item['name']}({given})", at, as_text(item["name"]), is_call=True)
        case "function_call_output" | "custom_tool_call_output" if text := _joined(
            _output(item.get("output"))
        ):
            yield Said(key, "tool", text, at)


def _output(value: Any) -> Any:
    """What a call gave: as it is, or out of the wrapping that older versions put around it."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            inside = json.loads(value)
        except ValueError:
            return value
        return inside.get("output", value) if isinstance(inside, dict) else value
    return value


def _joined(content: Any) -> str | None:
    """The texts of a content that is one, or a list of parts."""
    if isinstance(content, str):
        return as_text(content)
    if not isinstance(content, Sequence):
        return None
    return joined(part.get("text") for part in content if isinstance(part, Mapping))
