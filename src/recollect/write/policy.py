"""What is told to those who take something in and form memories from it, where there is a choice."""

from dataclasses import dataclass, field
from typing import Final

from recollect.formulas.gate import GateParams
from recollect.write.rules import Rule

CONFLICTS: Final = ("prefer_new", "prefer_old", "flag_review")
PERSONAL_DATA: Final = ("store", "mask", "refuse")


@dataclass(frozen=True, slots=True)
class Policy:
    """Who wins where two statements contradict, what is done with personal data, and where the gate's steps lie."""

    conflicts: str = "prefer_new"
    rules: tuple[Rule, ...] = ()
    """Who may write what."""
    personal_data: str = "store"
    gate: GateParams = field(default_factory=GateParams)
    corrects: float = 0.7
    """How alike a correction and what it corrects are at least."""
    surely_corrects: float = 0.8
    """How alike they are at least where the correction names no other value."""
    most_merged: int = 500
    """Characters of a memory that takes others in: more would be a heap, not a memory."""
    elaborates: float = 0.7
    """From which similarity something that adds values to a memory elaborates it."""
    same_entity: float = 0.45
    """From which similarity two memories that name the same thing are about it."""
    related: float = 0.6
    """From which similarity two memories are related."""
    most_relations: int = 3
    """How many memories one new memory is related to at most, beside its sources."""


@dataclass(frozen=True, slots=True)
class EventParams:
    """Which events are taken in."""

    enabled: bool = True
    types: str = ""
    min_characters: int = 8
    coherence: float = 0.0
