"""Messages as chat APIs have them."""

import pytest

from recollect.errors import InvalidInput
from recollect.write.messages import OF_A_TOOL, message_from

ASKED = {
    "OpenAI": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"type": "function", "function": {"name": "book", "arguments": '{"code": "X7Q2"}'}}],
    },
    "OpenAI before": {
        "role": "assistant",
        "content": "",
        "function_call": {"name": "book", "arguments": '{"code": "X7Q2"}'},
    },
    "OpenAI item": {"type": "function_call", "name": "book", "arguments": '{"code": "X7Q2"}'},
    "Anthropic": {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": "book", "input": {"code": "X7Q2"}}],
    },
}
GAVE = {
    "Anthropic": {
        "role": "user",
        "name": "Priya",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "Booked, ticket 8812."}],
    },
    "Anthropic, in parts": {
        "role": "user",
        "content": [{"type": "tool_result", "content": [{"type": "text", "text": "Booked, ticket 8812."}]}],
    },
    "OpenAI": {"role": "tool", "tool_call_id": "c1", "content": "Booked, ticket 8812."},
    "OpenAI item": {"type": "function_call_output", "call_id": "c1", "output": "Booked, ticket 8812."},
}


@pytest.mark.parametrize("message", ASKED.values(), ids=ASKED)
def test_what_a_tool_is_asked_for_is_the_text_of_a_message_without_one(message):
    found = message_from(message)
    assert (found.role, found.text, found.log_only) == ("assistant", 'book({"code": "X7Q2"})', OF_A_TOOL)


@pytest.mark.parametrize("message", GAVE.values(), ids=GAVE)
def test_what_a_tool_gave_is_said_by_the_tool(message):
    found = message_from(message)
    assert (found.role, found.text, found.speaker) == ("tool", "Booked, ticket 8812.", None)
    assert found.log_only == OF_A_TOOL


def test_what_stands_beside_somebodys_words_is_kept_beside_them():
    parts = [
        {"type": "tool_result", "content": "Booked."},
        {"type": "text", "text": "I live in Rome."},
        {"type": "tool_use", "name": "look"},
    ]
    found = message_from({"role": "user", "content": parts, "metadata": {"page": 3}})
    assert (found.role, found.text, found.log_only) == ("user", "I live in Rome.", None)
    assert found.metadata == {"tool_calls": ["look({})"], "tool_results": ["Booked."], "page": 3}


def test_the_words_of_tools_are_recalled(memory):
    memory.observe([*ASKED.values(), *GAVE.values()])
    assert "Booked, ticket 8812." in [hit.text for hit in memory.recall("which ticket number?")]


@pytest.mark.parametrize("message", [{"role": "user"}, {"type": "reasoning"}, {"content": 5}, 5])
def test_what_is_no_message_is_refused(message):
    with pytest.raises(InvalidInput, match="message"):
        message_from(message)
