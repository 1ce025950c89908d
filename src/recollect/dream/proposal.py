"""What a step would change, as far as one transaction goes; nothing is changed by it yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from recollect.model import Edge, Memory
from recollect.ports import RecordChange

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a step leaves for somebody to decide: the memories, and why."""

    rule: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sleep:
    """Why a memory becomes dormant, and which one stays awake in its place, if one does."""

    rule: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """What the next version of a memory says otherwise, under which rule: never its text."""

    rule: str
    values: Mapping[str, Any]
    """Fields of `Memory`."""
    version: int
    """Of which version: one that somebody changed since is left alone."""


@dataclass(frozen=True, slots=True)
class Made:
    """A memory that a dream makes of others, under a rule, and the one that it takes the place of."""

    memory: Memory
    rule: str
    replaces: str | None = None
    instead_of: str | None = None
    """The memory that sleeps for it; where that one stays awake, nothing is made."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes of one step, each under the rule that asks for it."""

    counters: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: NOTHING)
    """By memory, the learnt counters to set."""
    asleep: Mapping[str, Sleep] = field(default_factory=lambda: NOTHING)
    """The memories that become dormant."""
    revised: Mapping[str, Revision] = field(default_factory=lambda: NOTHING)
    made: tuple[Made, ...] = ()
    rules: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Why the counters of each of them change."""
    edges: tuple[Edge, ...] = ()
    reweighed: tuple[Edge, ...] = ()
    unlinked: tuple[Edge, ...] = ()
    records: tuple[RecordChange, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    noted: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    """What was tried and changed nothing, for the report."""
    cursor: str = ""
    """Up to which id, or key, a step has come that may do each only once; interrupted, it goes on behind it."""
