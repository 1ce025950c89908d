"""Every threshold of a dream, in one place."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from math import inf
from typing import Any

from recollect.formulas.fading import FadingParams
from recollect.formulas.strength import StrengthParams
from recollect.formulas.tiers import TierParams
from recollect.formulas.utility import UtilityParams


@dataclass(frozen=True, slots=True)
class DreamParams:
    """What each step goes by; the documents' values, except where a bound would lose what others keep."""

    tiers: TierParams = field(default_factory=TierParams)
    fading: FadingParams = field(default_factory=FadingParams)
    strength: StrengthParams = field(default_factory=StrengthParams)
    utility: UtilityParams = field(default_factory=UtilityParams)
    curve: str = "power"
    """Which forgetting curve: `power` or `fsrs6`."""
    batch: int = 500
    """How many memories one transaction changes at most."""
    least_stability: float = 1.0
    flashbulb: float = 0.8
    """From which arousal on a memory is one that is never forgotten."""
    flashbulb_boost: float = 1.5
    together: int = 3
    """How often two came to mind together until that is a relation."""
    together_days: float = 7.0
    """After how many days a pair that came together more rarely is not counted any more."""
    common_entity: float = 0.1
    """An entity that more than this part of the memories name tells them apart no more."""
    few_memories: int = 50
    """Up to so many memories no entity is common."""
    endangered: float = 0.3
    rehearsals: int = 50
    rehearsal_boost: float = 1.5
    utility_floor: float = 0.15
    floor_days: float = 30.0
    redundant: float = 0.9
    compared: int = 2_000
    """How many memories a night are compared with all the others at most."""
    capacity: int = 100_000
    trimmed_to: float = 0.9
    themes: bool = False
    """Whether memories are made of those that belong together."""
    cluster: int = 3
    """How many memories make a cluster at least."""
    clustered: int = 2_000
    """How many of a channel's newest memories are clustered."""
    consolidated: int = 5
    """How many clusters a night get a theme at most."""
    theme_importance: float = 0.8
    grown: int = 3
    """By how many memories, and by which part of them, a group has to grow until it is told anew."""
    grown_part: float = 0.25
    abstracted: int = 3
    """Of how many of the largest clusters patterns are looked for."""
    pattern_days: int = 3
    """On how many days something has to come up until it is a pattern."""
    pattern_importance: float = 0.85
    summarised: int = 10
    """From how many memories on a kind has a summary."""
    history_turns: int = 30
    """From how many turns on a conversation is told, and after how many days without another one."""
    history_days: float = 30.0
    backfilled: int = 2_000
    """How many texts without a vector a night embeds at most."""
    close: float = 0.6
    """From which similarity on what is new is compared with another memory for a contradiction or a relation."""
    linked: float = 0.85
    """From which similarity on two memories are related; from the next one if they name the same entity."""
    linked_by_entity: float = 0.75
    replayed: float = 0.5
    """From which similarity to its goal on a memory is what an episode was about."""
    relations: int = 50
    """How many relations that may be pruned a memory keeps."""
    weak_confidence: float = 0.05
    """Below which confidence, and up to which strength, a memory is too weak to stay awake."""
    weak_strength: float = 1.0
    global_confidence: float = 0.85
    """From which confidence, accesses and conversations on a project's memory is everybody's."""
    global_accesses: int = 5
    global_conversations: int = 2
    archive_days: float = 90.0
    """After how many days without use a memory that has not proved itself sleeps; 0 is never."""

    @property
    def told(self) -> dict[str, Any]:
        """Every threshold, as a report can hold it."""
        return {one.name: _told(getattr(self, one.name)) for one in fields(self)}


DEFAULT = DreamParams()


def _told(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: _told(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: _told(one) for name, one in value.items()}
    return None if value == inf else value
