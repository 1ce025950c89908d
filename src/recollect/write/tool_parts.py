"""What tools were asked for and what they gave, as chat APIs put it into messages beside their texts.

OpenAI has `tool_calls` (before: `function_call`) and items of the type `function_call` and `function_call_output`,
Anthropic has parts of the types `tool_use` and `tool_result`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

RESULTS = ("tool_result", "function_call_output")
CALLS = ("tool_use", "function_call")


def calls(message: Mapping[str, Any]) -> list[str]:
    """What a message asks tools for, one text a call.

    >>> calls({"content": None, "tool_calls": [{"function": {"name": "book", "arguments": '{"seats": 2}'}}]})
    ['book({"seats": 2})']
    """
    given = message.get("tool_calls")
    listed = given if isinstance(given, Sequence) and not isinstance(given, str) else []
    asked = [one.get("function") for one in listed if isinstance(one, Mapping)]
    asked.append(message.get("function_call"))
    asked += [part for part in _parts(message) if part.get("type") in CALLS]
    return [_call(one) for one in asked if isinstance(one, Mapping)]


def results(message: Mapping[str, Any]) -> list[str]:
    """What tools gave, one text a result.

    >>> results({"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "Sent, ticket 8812."}]})
    ['Sent, ticket 8812.']
    """
    given = [part for part in _parts(message) if part.get("type") in RESULTS]
    return [text for one in given if (text := text_of(one.get("content", one.get("output"))))]


def text_of(content: Any) -> str:
    """The texts among what stands for a content: a text, a part or a list of parts; anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, Mapping):
        content = [content]
    if isinstance(content, Sequence) and not isinstance(content, bytes | bytearray):
        parts = (part if isinstance(part, str) else _part_text(part) for part in content)
        return "\n".join(part for part in parts if isinstance(part, str))
    return json.dumps(content, ensure_ascii=False, default=str)


def _part_text(part: Any) -> Any:
    return part.get("text") if isinstance(part, Mapping) else None


def _parts(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The message itself, where it is an item that is a call or a result, and its parts."""
    if message.get("type") in (*CALLS, *RESULTS):
        yield message
        return
    content = message.get("content")
    listed = [content] if isinstance(content, Mapping) else content
    if isinstance(listed, Sequence) and not isinstance(listed, str):
        yield from (part for part in listed if isinstance(part, Mapping))


def _call(asked: Mapping[str, Any]) -> str:
    given = asked.get("arguments", asked.get("input"))
    told = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False, default=str)
    return f"{asked.get('name') or 'a tool'}({told})"
