"""What a LangGraph value says, whether it satisfies a filter, and whether a namespace matches."""

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from recollect.errors import InvalidInput
from recollect.integrations.extras import extra

with extra("langgraph"):
    from langgraph.store.base import get_text_at_path

ALL_OF_IT: Final = "$"


class Match(Protocol):
    """LangGraph's condition on a namespace."""

    @property
    def match_type(self) -> str: ...
    @property
    def path(self) -> tuple[str, ...]: ...


def text_of(value: Mapping[str, Any], paths: Iterable[str]) -> str:
    """The text that is searched: what stands at the paths, one a line."""
    found = [
        text
        for path in paths
        for text in ([whole(value)] if path == ALL_OF_IT else get_text_at_path(value, path))
    ]
    return "\n".join(text for text in found if text.strip())


def whole(value: Mapping[str, Any]) -> str:
    r"""All of a value as a person would write it, so that it is searched and read by its words.

    >>> whole({"text": "likes tea"})
    'likes tea'
    >>> whole({"food": "pizza", "sizes": [1, 2]})
    'food: pizza\nsizes: [1, 2]'
    """
    told = {
        name: one if isinstance(one, str) else json.dumps(one, default=str) for name, one in value.items()
    }
    if len(told) == 1:
        return next(iter(told.values()))
    return "\n".join(f"{name}: {one}" for name, one in told.items())


def holds(wanted: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Whether every field is as wanted: equal, alike inside, or as operators such as `$gte` say.

    >>> holds({"user.age": {"$gte": 18}, "tags": ["a"]}, {"user": {"age": 20}, "tags": ["a"]})
    True
    """
    return all(_alike(_at(value, name), one) for name, one in wanted.items())


def _at(value: Mapping[str, Any], name: str) -> Any:
    """The field of that name; where there is none, what its dots lead to."""
    if name in value:
        return value[name]
    first, _, rest = name.partition(".")
    inside = value.get(first) if rest else None
    return _at(inside, rest) if isinstance(inside, Mapping) else None


def matches(condition: Match, namespace: tuple[str, ...]) -> bool:
    """Whether a namespace begins or ends so; `*` stands for any label."""
    path = condition.path
    if len(namespace) < len(path):
        return False
    if condition.match_type not in {"prefix", "suffix"}:
        raise InvalidInput(f"a namespace matches by prefix or suffix, not by {condition.match_type!r}")
    part = (
        namespace[: len(path)]
        if condition.match_type == "prefix"
        else namespace[len(namespace) - len(path) :]
    )
    return all(wanted in {"*", label} for label, wanted in zip(part, path, strict=True))


def _alike(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compared(value, name, to) for name, to in wanted.items())
        return isinstance(value, Mapping) and all(
            _alike(value.get(name), one) for name, one in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same and all(_alike(one, other) for one, other in zip(value, wanted, strict=True))
    return bool(value == wanted)


def _compared(value: Any, operator: str, to: Any) -> bool:
    if operator not in OPERATORS:
        raise InvalidInput(f"no operator {operator!r}; there are: {', '.join(OPERATORS)}")
    if operator in {"$eq", "$ne"}:
        return bool(OPERATORS[operator](value, to))
    try:
        return bool(OPERATORS[operator](float(value), float(to)))
    except (TypeError, ValueError):
        # What is no number, or not there, is neither above nor below one.
        return False


OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "$eq": lambda value, to: value == to,
        "$ne": lambda value, to: value != to,
        "$gt": lambda value, to: value > to,
        "$gte": lambda value, to: value >= to,
        "$lt": lambda value, to: value < to,
        "$lte": lambda value, to: value <= to,
    }
)
