"""What sort of memory something is within its tier: whose experience, or what kind of knowledge (C33)."""

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from recollect.language.phrases import anywhere, flat
from recollect.model import Lane, Memory


class SubTier(StrEnum):
    """The first three are of what was said, the others of what is known."""

    PERSONAL = "personal"
    """The user said it."""
    OBSERVED = "observed"
    """An agent or a tool said it."""
    VICARIOUS = "vicarious"
    """Somebody else went through it and shared it."""
    SCHEMATIC = "schematic"
    """A rule."""
    PROCEDURAL = "procedural"
    """How something is done."""
    FACTUAL = "factual"
    """Anything else."""


BOOSTS: Final = MappingProxyType(
    {
        SubTier.PERSONAL: 1.1,
        SubTier.OBSERVED: 1.0,
        SubTier.VICARIOUS: 0.9,
        SubTier.SCHEMATIC: 1.1,
        SubTier.PROCEDURAL: 1.05,
        SubTier.FACTUAL: 1.0,
    }
)
"""What a score is multiplied by."""
SHARED_BY_OTHERS: Final = "federation"
"""The data source of what came from another's memory."""
RULES: Final = frozenset({"pattern", "warning"})
PROCEDURES: Final = frozenset({"procedure", "skill"})


def sub_tier(memory: Memory) -> SubTier:
    """By where it comes from and what it says.

    >>> from datetime import UTC, datetime
    >>> day = datetime(2026, 3, 2, tzinfo=UTC)
    >>> str(sub_tier(Memory("m", "Never deploy on a Friday", day, day)))
    'schematic'
    """
    if memory.origin.data_source == SHARED_BY_OTHERS:
        return SubTier.VICARIOUS
    if memory.lane is Lane.LOG:
        return SubTier.PERSONAL if memory.origin.role == "user" else SubTier.OBSERVED
    said = flat(memory.text)
    if memory.kind in RULES or anywhere("sub_tiers", "schematic").search(said):
        return SubTier.SCHEMATIC
    if memory.kind in PROCEDURES or anywhere("sub_tiers", "procedural").search(said):
        return SubTier.PROCEDURAL
    return SubTier.FACTUAL
