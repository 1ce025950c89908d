"""Attacks that were written one by one for this, and ordinary texts beside them: `training/written.jsonl.xz`, a text a line.

Most of what others collected is loud. These are as quiet as attacks are that work: a note in a mail, a tip in a
changelog, a line in a form; and half of the ordinary ones have the words of attacks. Those of the field `held_out` were
written by somebody who saw none of the others, and are only measured with.
"""

import json
import lzma
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

FILE = Path(__file__).with_name("written.jsonl.xz")
HELD_OUT = "held_out"


@cache
def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lzma.decompress(FILE.read_bytes()).decode().splitlines()]


FIELDS = tuple(sorted({row["field"] for row in _rows()} - {HELD_OUT}))
"""By what an agent reads, or who speaks to it."""


def name_of(field: str) -> str:
    """The source that a field is called."""
    return f"written-{field}"


def attacks_of(field: str) -> Callable[[Path, Random], Iterator[str]]:
    """Reads the attacks of a field."""
    return lambda _packages, _rng: _texts(field, attack=True)


def ordinary_of(field: str) -> Callable[[Path, Path, Random], Iterator[str]]:
    """Reads the ordinary texts of a field."""
    return lambda _packages, _data, _rng: _texts(field, attack=False)


def _texts(field: str, *, attack: bool) -> Iterator[str]:
    return (row["text"] for row in _rows() if row["field"] == field and row["attack"] is attack)
