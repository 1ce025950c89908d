"""What a recall gives back: hits with reasons, and a trace of how they were found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import overload

from recollect.language.validity import validity
from recollect.model import Memory

OWN, SHARED, LIBRARY = "own", "shared", "library"
"""Where a hit comes from: one's own memory, a channel that somebody shared, what was published."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers, and what each signal gave to its score: they add up to it."""

    memory: Memory
    score: float
    signals: Mapping[str, float]
    values: Mapping[str, float]
    """Each signal before its weight."""
    similarity: float = 0.0
    """Cosine with the question, 0 to 1, whatever the profile weighs: unlike the score, it compares across recalls."""
    relevance: float | None = None
    """How likely it is about what was asked, 0 to 1; None where that was not measured for the embedder."""
    whence: str = OWN
    outdated_by: str | None = None
    """Of a turn: the id of what replaced what it states, where the question is about that."""

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def text(self) -> str:
        return self.memory.text

    @property
    def since(self) -> datetime:
        """Since when it holds."""
        return self.memory.valid_from

    @property
    def until(self) -> datetime | None:
        """Until when it held; None where it still does."""
        return self.memory.valid_until

    @property
    def replaces(self) -> str | None:
        """The id of what it replaced."""
        return self.memory.supersedes

    @property
    def replaced_by(self) -> str | None:
        """The id of what replaced it, or what it states."""
        return self.memory.superseded_by or self.outdated_by

    @property
    def holds(self) -> str:
        """All four in words."""
        return validity(self.memory, replaced_by=self.replaced_by)

    @property
    def sources(self) -> tuple[str, ...]:
        return self.memory.origin.sources


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did and how long it took."""

    stage: str
    elapsed_ms: float
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """How a recall came to its hits; with `as_of` it can be replayed."""

    at: datetime
    profile: str
    weights: Mapping[str, float]
    steps: tuple[Step, ...]
    settings: Mapping[str, object] = field(default_factory=dict)
    """The settings that were not at their default."""

    @property
    def elapsed_ms(self) -> float:
        return sum(step.elapsed_ms for step in self.steps)


@dataclass(frozen=True, slots=True)
class Recall(Sequence[Hit]):
    """The hits, best first, as a sequence, with the question and the trace."""

    query: str
    hits: tuple[Hit, ...]
    trace: Trace

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]
