"""Messages of a conversation in the shapes that people have them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import NO_MAPPING, Origin
from recollect.write.metadata import plain_metadata
from recollect.write.tool_parts import CALLS, RESULTS, calls, results, text_of

TIME_KEYS = ("timestamp", "time", "created_at", "date")
SPEAKER_KEYS = ("name", "speaker", "author")
TOOL_ROLES = ("tool", "function")
NOT_LEARNT = "its sender wants nothing formed from it"
OF_A_TOOL = "what tools give stays in the log"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: who said what, and when if that is known."""

    text: str
    role: str = "user"
    speaker: str | None = None
    at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING, hash=False)
    kind: str = "message"
    origin: Origin | None = None
    """Where it comes from, if that is not where the others of its conversation do."""
    log_only: str | None = None
    """Why nothing is formed from it, if nothing is."""


def message_from(value: Any) -> Message:
    """A message from a plain text or from a mapping with `role` and `content`, as chat APIs have them."""
    if isinstance(value, str):
        return Message(value)
    if not isinstance(value, Mapping):
        raise InvalidInput(
            f"a message is a text or a mapping with 'role' and 'content', not {type(value).__name__}"
        )
    if not value.keys() & {"content", "text"} and value.get("type") not in (*CALLS, *RESULTS):
        raise InvalidInput(
            f"a message needs 'content'; this one has: {', '.join(map(str, value)) or 'nothing'}"
        )
    role = value.get("role", "user")
    if not isinstance(role, str) or not role:
        raise InvalidInput(f"a message's 'role' is a word such as user or assistant, not {role!r}")
    speaker = next((value[key] for key in SPEAKER_KEYS if isinstance(value.get(key), str)), None)
    at = next((value[key] for key in TIME_KEYS if value.get(key) is not None), None)
    text, metadata = _text(value.get("content", value.get("text"))), _mapping(value.get("metadata"))
    asked, given = calls(value), results(value)
    of_tool = role in TOOL_ROLES
    if text and (asked or given):
        # Beside what somebody says they are no part of it.
        beside = {name: told for name, told in (("tool_calls", asked), ("tool_results", given)) if told}
        metadata = {**beside, **(metadata or {})}
    elif asked or given:
        text, speaker, of_tool = "\n".join((*asked, *given)), None, True
        role = "tool" if given else "assistant"
    return Message(
        text,
        role,
        speaker,
        None if at is None else moment_from(at),
        plain_metadata(metadata),
        log_only=NOT_LEARNT if value.get("learn") is False else OF_A_TOOL if of_tool else None,
    )


def _mapping(metadata: Any) -> Mapping[str, Any] | None:
    if metadata is None or isinstance(metadata, Mapping):
        return metadata
    raise InvalidInput(f"a message's 'metadata' is a mapping, not {type(metadata).__name__}")


def _text(content: Any) -> str:
    if content is None or isinstance(content, str | Mapping):
        return text_of(content)
    if isinstance(content, Sequence) and not isinstance(content, bytes | bytearray):
        return text_of(content)
    raise InvalidInput(f"a message's 'content' is a text or a list of parts, not {type(content).__name__}")
