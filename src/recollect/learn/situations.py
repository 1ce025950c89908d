"""A situation in parts, from the general to the particular: the goal, what was done, what is seen."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.errors import InvalidInput
from recollect.formulas.pooling import pooled
from recollect.language.parts import in_parts, parts_of
from recollect.learn.marks import mark
from recollect.learn.regions import Vector, region_vectors
from recollect.ports import Embedder

State = str | Sequence[str] | Mapping[str, str]
"""A text, or its parts from the general to the particular."""


DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Situation:
    """A state with its vectors: as a whole, and as each level of regions sees it."""

    text: str
    vector: Vector
    levels: tuple[Vector, ...]


def situation_mark(text: str) -> int:
    """The number by which a state is known as the same: to the letter, but for its numbers.

    >>> situation_mark("host web-3: disk is full") == situation_mark("host web-41: disk is full")
    True
    """
    return mark(DIGITS.sub("0", text))


def state_text(state: State) -> str:
    """A state as it is kept: one text, in parts where it has several; one that was kept is given back as it is."""
    if isinstance(state, str):
        parts: Sequence[str] = parts_of(state)
    else:
        told = state.values() if isinstance(state, Mapping) else state
        parts = list(told) if isinstance(told, Iterable) else []
    if not all(isinstance(part, str) for part in parts) or not (text := in_parts(parts)):
        raise InvalidInput("a state is a text, or texts from the general to the particular, not all empty")
    return text


def situation(text: str, embedder: Embedder) -> Situation:
    """The vectors of a state."""
    parts = embedder.embed(parts_of(text))
    return Situation(text, pooled(parts), region_vectors(list(np.asarray(parts, np.float32))))
