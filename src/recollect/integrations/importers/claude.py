"""Claude's export: `conversations.json`, alone or in its archive."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.integrations.importers.files import conversations
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

ROLES = {"human": "user"}


def parts(path: Path) -> list[Part]:
    """A part a conversation."""
    return conversations(path, _conversation, "Claude", ("mapping", "ChatGPT", "chatgpt"))


def _conversation(where: str, value: Any) -> Iterator[Item]:
    messages = value.get("chat_messages") if isinstance(value, Mapping) else None
    if not isinstance(messages, list) or not isinstance(value.get("uuid"), str):
        yield Problem(where, "no conversation: it lacks its uuid or its messages")
        return
    said: list[Said] = []
    for place, message in enumerate(messages):
        try:
            said += _said(message)
        except (AttributeError, KeyError, TypeError) as error:
            yield Problem(f"{where} message {place}", f"no message: {error!r}")
    yield Conversation(value["uuid"], tuple(said), as_text(value.get("name")))


def _said(message: Mapping[str, Any]) -> Iterator[Said]:
    name, role = str(message["uuid"]), ROLES.get(message["sender"], str(message["sender"]))
    at = known_moment(message.get("created_at"))
    parts = message.get("content") or ()
    text = joined(part.get("text") for part in parts if part.get("type") == "text")
    text = text or as_text(message.get("text"))
    if text is not None:
        yield Said(name, role, text, at)
    for place, file in enumerate(message.get("attachments") or ()):
        content = as_text(file.get("extracted_content"))
        if content is not None:
            yield Said(f"{name}/{place}", role, f"{file.get('file_name') or 'attachment'}:\n{content}", at)
