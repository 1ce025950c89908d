"""Fact consolidation: facts in the order in which they are told, some of which a later one replaces."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from recollect.evals.sets.files import document, shaped

_FACT = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_VALUE_FOLLOWS = frozenset({"is", "of", "by", "to", "for", "in"})
_VERB = re.compile(r" (?:is|was|[a-z]+s|[a-z]+ed) ")
_DESCRIBED = re.compile(r"The [a-z]")


@dataclass(frozen=True, slots=True)
class Telling:
    """Facts in order."""

    name: str
    facts: tuple[str, ...]


def read(path: Path) -> tuple[Telling, ...]:
    """The contexts of a file; those with the same facts once."""
    found = document(path)
    with shaped(path, "a fact consolidation file"):
        told = {tuple(_FACT.findall(one["context"])): str(one["metadata"]["source"]) for one in found}
    return tuple(Telling(name, facts) for facts, name in told.items())


@dataclass(frozen=True, slots=True)
class Replacement:
    """A fact that a later one replaces, by their places, and the words that both begin with."""

    older: int
    newer: int
    about: str


def replaced(facts: Sequence[str]) -> set[int]:
    """The places of the facts that a later one replaces.

    >>> replaced(["The capital of Peru is Lima.", "Ada is married to Bob.", "The capital of Peru is Cusco."])
    {0}
    """
    return {one.older for one in replacements(facts)}


def replacements(facts: Sequence[str]) -> list[Replacement]:
    """Facts that a later one replaces: the same words up to the value, another value; each with the last such one.

    The value follows a verb and one of a few small words; after "is" it has a capital, unless the sentence starts
    with a description ("The genre of … is"). It knows no relation and shares nothing with the rules measured.

    >>> replacements(["The capital of Peru is Lima.", "The capital of Peru is Cusco."])
    [Replacement(older=0, newer=1, about='The capital of Peru is')]
    """
    seen: dict[str, list[tuple[int, str]]] = defaultdict(list)
    found: dict[int, Replacement] = {}
    for at, fact in enumerate(facts):
        for left, value in _splits(fact.rstrip(".")):
            found |= {
                earlier: Replacement(earlier, at, left) for earlier, other in seen[left] if other != value
            }
            seen[left].append((at, value))
    return list(found.values())


def _splits(fact: str) -> Iterator[tuple[str, str]]:
    words = fact.split()
    for end in range(2, len(words)):
        left, value = " ".join(words[:end]), " ".join(words[end:])
        described = _DESCRIBED.match(left) is not None
        stated = " is " in f" {left} " if described else _VERB.search(f" {left} ") is not None
        if words[end - 1] not in _VALUE_FOLLOWS or not stated:
            continue
        if described or words[end - 1] in {"of", "by"} or not value[0].islower():
            yield left, value
