"""Whether a value has the shape that a JSON schema asks for: as much of the language as our schemas use."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "object": Mapping,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def problem(value: Any, schema: Mapping[str, Any]) -> str | None:
    """The first thing that is wrong with a value; None where it has the shape. Values are not quoted.

    >>> problem({"facts": [1]}, {"type": "object", "properties": {"facts": {"type": "array", "items": {"type": "string"}}}})
    'answer.facts[0] is no string'
    """
    return next(_problems(value, schema, "answer"), None)


def _problems(value: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    if not _is(value, schema.get("type", ())):
        yield f"{at} is no {_named(schema['type'])}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is none of {', '.join(map(str, schema['enum']))}"
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get(
        "maxLength", len(value)
    ):
        yield f"{at} is too short or too long"
    if isinstance(value, Mapping):
        yield from _fields(value, schema, at)
    elif isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            yield f"{at} has more than {schema['maxItems']} parts"
        for place, one in enumerate(value):
            yield from _problems(one, schema.get("items", {}), f"{at}[{place}]")


def _fields(value: Mapping[str, Any], schema: Mapping[str, Any], at: str) -> Iterator[str]:
    yield from (f"{at} has no {name}" for name in schema.get("required", ()) if name not in value)
    # What nobody asked for is not looked at, and does no harm.
    for name, part in schema.get("properties", {}).items():
        if name in value:
            yield from _problems(value[name], part, f"{at}.{name}")


def _is(value: Any, kinds: str | list[str] | tuple[()]) -> bool:
    names = [kinds] if isinstance(kinds, str) else kinds
    # True is an int to Python, and not to JSON.
    return not names or any(
        isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))
        for name in names
    )


def _named(kinds: str | list[str]) -> str:
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
