"""ChatGPT's export: `conversations.json`, alone or in its archive."""

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


def parts(path: Path) -> list[Part]:
    """A part a conversation."""
    return conversations(path, _conversation, "ChatGPT", ("chat_messages", "Claude", "claude"))


def _conversation(where: str, value: Any) -> Iterator[Item]:
    mapping = value.get("mapping") if isinstance(value, Mapping) else None
    name = None if mapping is None else value.get("conversation_id") or value.get("id")
    if not isinstance(mapping, Mapping) or not isinstance(name, str):
        yield Problem(where, "no conversation: it lacks its id or its messages")
        return
    branch = _branch(mapping, value.get("current_node"))
    said: list[Said] = []
    for node in branch:
        try:
            message = _said(node, mapping[node].get("message"))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            yield Problem(f"{where} {node}", f"no message: {error!r}")
            continue
        if message is not None:
            said.append(message)
    yield Conversation(name, tuple(said), as_text(value.get("title")))


def _branch(mapping: Mapping[str, Any], current: Any) -> list[str]:
    """The messages that were shown last, in order: where an answer was made anew, the one that was kept."""
    if not isinstance(current, str) or current not in mapping:
        return list(mapping)
    path: list[str] = []
    node: Any = current
    while isinstance(node, str) and node in mapping and node not in path:
        path.append(node)
        node = mapping[node].get("parent") if isinstance(mapping[node], Mapping) else None
    return path[::-1]


def _said(node: str, message: Any) -> Said | None:
    if message is None:
        return None
    metadata = message.get("metadata") or {}
    author = message["author"]
    text = _text(message.get("content") or {})
    if metadata.get("is_visually_hidden_from_conversation") or text is None:
        return None
    return Said(
        str(message.get("id") or node),
        str(author["role"]),
        text,
        known_moment(message.get("create_time")),
        as_text(author.get("name")),
    )


def _text(content: Mapping[str, Any]) -> str | None:
    """What is said in any of the shapes that a message's content has; pictures say nothing."""
    found = [*(content.get("parts") or ()), content.get("text"), content.get("result")]
    return joined(one.get("text") if isinstance(one, Mapping) else one for one in found)
