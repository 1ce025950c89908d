"""The forms in which each language states a fact, read from `data/<language>/claims.toml`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, get_args

from recollect.language.lexicon import tables

Holds = Literal["one", "many", "event"]
General = Literal["", "noun", "inverse", "whose", "around", "relation", "verb"]

# Each form starts where the clause does and each piece of it has a largest length, so reading stays linear.
_MACRO: Final = re.compile(r"\{([a-z_]+)\}")
_CARDINALITY: Final = (
    "one",
    "many",
    "sole",
    "named",
    "people",
    "doings",
    "qualities",
    "origins",
    "parts",
    "many_relations",
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A way to state a fact: what it looks like, and what it is about.

    A clause is compared with the form only where it has one of the `cues`, if there are any.
    `general` frames take the attribute's name from the text; the others have it in `attribute`. `begins`: it tells
    what happened, so that a date beside it says since when.
    """

    form: re.Pattern[str]
    cues: frozenset[str] = frozenset()
    attribute: str = ""
    holds: Holds = "one"
    who: str = ""
    value: str = "any"
    is_: str = ""
    tail: str = ""
    polarity: bool = True
    timeless: bool = False
    begins: bool = False
    general: General = ""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a language's claims are read with."""

    frames: tuple[Frame, ...]
    reading: Mapping[str, re.Pattern[str]]
    subjects: Mapping[str, str]
    attributes: Mapping[str, str]
    spellings: Mapping[str, str]
    levels: Mapping[str, str]
    one: frozenset[str]
    many: frozenset[str]
    sole: frozenset[str]
    named: frozenset[str]
    people: frozenset[str]
    doings: frozenset[str]
    qualities: frozenset[str]
    origins: frozenset[str]
    parts: frozenset[str]
    many_relations: frozenset[str]


@cache
def grammars() -> Mapping[str, Grammar]:
    """The grammar of every language that has one."""
    return {language: _grammar(table) for language, table in tables("claims").items()}


def _grammar(table: Mapping[str, Any]) -> Grammar:
    cardinality = {name: frozenset(words) for name, words in table["cardinality"].items()}
    return Grammar(
        frames=tuple(_frame(frame, table["macros"]) for frame in table["frames"]),
        reading={name: re.compile(form) for name, form in table["reading"].items()},
        subjects={word: name for name, words in table["subjects"].items() for word in words},
        attributes=_inverted(table["attributes"]),
        spellings=table.get("spellings", {}),
        levels={word: level for level, words in table.get("levels", {}).items() for word in words},
        **{name: cardinality.get(name, frozenset()) for name in _CARDINALITY},
    )


def _frame(table: Mapping[str, Any], macros: Mapping[str, str]) -> Frame:
    fields = dict(table)
    cue = fields.pop("cue", "")
    words = {**macros, "cue": f"(?:{cue})"}
    form = _MACRO.sub(lambda found: words[found[1]], fields.pop("form"))
    fields["cues"] = frozenset(idiom.split()[0] for idiom in cue.split("|") if idiom)
    fields["is_"] = fields.pop("is", "")
    frame = Frame(form=re.compile(rf"(?:{form})$"), **fields)
    if frame.holds not in get_args(Holds) or frame.general not in get_args(General):
        raise ValueError(f"no such kind of frame: {table}")
    return frame


def _inverted(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: name for name, words in table.items() for word in (name, *words)}
