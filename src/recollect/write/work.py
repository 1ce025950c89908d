"""What goes from stage to stage: a message that is read, and a statement that is decided on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.language.claims import Claim
from recollect.language.coreference import Person
from recollect.language.emotion import Emotion
from recollect.model import NO_MAPPING, Action, Memory
from recollect.ports import NewText
from recollect.write.result import Formed


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something goes no further, and at which stage."""

    stage: str
    reason: str
    text: str

    @property
    def formed(self) -> Formed:
        return Formed(Action.SKIP, self.stage, self.reason, self.text)


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement that could be remembered."""

    text: str
    """Standalone: in the third person, with its dates written out."""
    kind: str
    confidence: float
    feeling: Emotion
    valid_until: datetime | None = None
    entities: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    corrects: bool = False
    """Whether it takes something back that was said before."""
    metadata: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING, hash=False)


class Said(NamedTuple):
    """The end of a message, as far as it helps to understand the next."""

    who: str
    text: str


@dataclass(slots=True)
class Heard:
    """A message that is being read, and what was found in it so far, in the order in which it was said."""

    turn: Memory
    role: str
    speaker: str | None = None
    listener: str | None = None
    """By name; None where only the role is known."""
    people: tuple[Person, ...] = ()
    """Who was spoken of right before."""
    before: tuple[Said, ...] = ()
    """What was said right before, oldest first."""
    was_heard: bool = False
    """Whether the same message of the same session and moment was read before."""
    was_erased: bool = False
    """Whether its text was purged."""
    log_only: str | None = None
    """Why nothing is formed from it, if nothing is."""
    parts: list[Draft | Refusal] = field(default_factory=list)

    @property
    def drafts(self) -> list[Draft]:
        return [part for part in self.parts if isinstance(part, Draft)]


@dataclass(frozen=True, slots=True)
class Near:
    """A memory, and how similar it is (cosine)."""

    memory: Memory
    similarity: float


@dataclass(slots=True)
class Choice:
    """A draft that is being decided on."""

    draft: Draft
    heard: Heard
    memory: Memory
    """What would be created."""
    new: NewText
    vector: NDArray[np.float32]
    was_erased: bool = False
    """Whether its text was purged."""
    near: tuple[Near, ...] = ()
    """Closest first."""
    outcome: Formed | None = None
