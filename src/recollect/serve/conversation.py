"""Messages from what people have: JSON Lines, a JSON array, or plain text."""

import json
from collections.abc import Iterator
from typing import Any

from recollect.errors import InvalidInput

LEAST = "with --role or --speaker it is taken as plain text"


def messages(text: str, role: str | None = None, speaker: str | None = None) -> list[Any]:
    """The messages of an input; a role or a speaker says that it is plain text.

    >>> messages('{"role": "user", "content": "hi"}')
    [{'role': 'user', 'content': 'hi'}]
    >>> messages("hello", speaker="Ada")
    [{'role': 'user', 'content': 'hello', 'speaker': 'Ada'}]
    """
    if not text.strip():
        raise InvalidInput("the input is empty: there is nothing to observe")
    if role is None and speaker is None and text.lstrip()[0] in "[{":
        return _structured(text)
    turn = {"role": role or "user", "content": text.removesuffix("\n").removesuffix("\r"), "speaker": speaker}
    return [{name: value for name, value in turn.items() if value is not None}]


def events(text: str) -> list[Any]:
    r"""The events of an input: objects, one a line, or an array of them.

    >>> events('{"type": "run.started"}\n{"type": "run.failed"}')
    [{'type': 'run.started'}, {'type': 'run.failed'}]
    """
    if not text.strip():
        raise InvalidInput("the input is empty: there is no event")
    return _structured(text, "an event is a JSON object with a type")


def _structured(text: str, hint: str = LEAST) -> list[Any]:
    try:
        whole = json.loads(text)
    except ValueError:
        return list(_lines(text, hint))
    except RecursionError:
        raise InvalidInput("the input is nested too deeply to be read") from None
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        return list(whole["messages"])
    return whole if isinstance(whole, list) else [whole]


def _lines(text: str, hint: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InvalidInput(f"line {number} is not JSON ({error}); {hint}") from None
