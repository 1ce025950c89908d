"""JSON that every reader takes: without numbers that are none, and nested no deeper than parsers go."""

import json
from collections.abc import Mapping
from typing import Any, Final

MOST_LEVELS: Final = 100
NESTING: Final = (dict, list, tuple)
NO_NUMBERS: Final = ("NaN", "Infinity")


def is_too_deep(value: Any) -> bool:
    """Whether lists and objects lie in each other beyond MOST_LEVELS.

    >>> is_too_deep({"a": [1]}), is_too_deep(json.loads("[" * 600 + "]" * 600))
    (False, True)
    """
    level = [value]
    for _ in range(MOST_LEVELS):
        held = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, NESTING))
        # Each once: what holds itself would be met ever more often.
        level = list({id(inner): inner for inners in held for inner in inners}.values())
    return any(isinstance(one, NESTING) for one in level)


def without_no_numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same with null for what is not a number: JSON has no word for it.

    >>> without_no_numbers({"heat": [float("inf"), 2.5], "said": "NaN"})
    {'heat': [None, 2.5], 'said': 'NaN'}
    """
    text = json.dumps(dict(values))
    if not any(word in text for word in NO_NUMBERS):
        return dict(values)
    told: dict[str, Any] = json.loads(text, parse_constant=lambda _: None)
    return told
