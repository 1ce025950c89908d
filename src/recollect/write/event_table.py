"""Which events there are and how each is told as a text: a table, so that a new one is a row and no code."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from types import MappingProxyType
from typing import Any, Final

ANY: Final = "*"


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes of the events whose types end in one of these ways."""

    name: str
    endings: tuple[str, ...]
    role: str
    part: str
    """What it is in an episode: trigger, context, action or outcome."""
    lines: tuple[str, ...]
    forms: bool
    """Whether memories may be formed from it."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event as a text, and what the text does not say."""

    text: str
    rest: Mapping[str, Any]


@cache
def rows() -> tuple[Row, ...]:
    """The table, in its order."""
    return tuple(
        Row(**{**row, "endings": tuple(row["endings"]), "lines": tuple(row["lines"])})
        for row in _table()["row"]
    )


def row_for(event_type: str) -> Row:
    """The row with the longest ending that the type has.

    >>> row_for("conductor.run.completed").name, row_for("terminal.command.completed").name
    ('a run ends well', 'a command ends')
    >>> row_for("user.renamed").name
    'anything else that says something'
    """
    words = event_type.lower().split(".")
    endings = _by_ending()
    for start in range(len(words)):
        row = endings.get(".".join(words[start:]))
        if row is not None:
            return row
    return endings[ANY]


def told(row: Row, data: Mapping[str, Any]) -> Told:
    r"""The event in words: the lines whose fields are there.

    >>> told(row_for("command.completed"), {"cmd": "pytest -x", "exit_code": 1, "took": 3.2})
    Told(text='$ pytest -x\nexit code 1', rest={'took': 3.2})
    """
    spoken: dict[str, str] = {}
    lines: list[str] = []
    for line in row.lines:
        found = dict(_fields(line, data, spoken))
        if all(key is not None for key, _ in found.values()):
            lines.append(line.format(**{name: value for name, (_, value) in found.items()}))
            spoken |= {key: value for key, value in found.values() if key is not None}
    return Told("\n".join(lines), {name: value for name, value in data.items() if name not in spoken})


def _fields(
    line: str, data: Mapping[str, Any], spoken: Mapping[str, str]
) -> Iterator[tuple[str, tuple[str | None, str]]]:
    """Each field of a line with the key that has it and what it says; what another line says is not said twice."""
    for _, field, _, _ in Formatter().parse(line):
        if field is not None:
            known = ((key, _said(data.get(key))) for key in _table()["fields"][field] if key not in spoken)
            yield field, next(((key, said) for key, said in known if said), (None, ""))


def _said(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value.strip()
        case list() if value and all(isinstance(one, str) for one in value):
            return "\n".join(value)
        case list() | dict() if not value:
            return ""
        case _:
            return json.dumps(value, ensure_ascii=False)


@cache
def _by_ending() -> Mapping[str, Row]:
    return MappingProxyType({ending: row for row in rows() for ending in row.endings})


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files("recollect.write") / "events.toml").read_text("utf-8"))
