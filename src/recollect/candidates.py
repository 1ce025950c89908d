"""What a question is to the index, and what the index proposes for it, one array a column."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the index takes it."""

    vector: NDArray[np.float32] | None
    terms: NDArray[np.uint32]
    """The hashes of what is searched for."""
    words: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    """The hashes of the words that have vectors, whose rarity is wanted."""
    also: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Contents that are candidates whatever the arms bring."""
    ahead: object = None
    """What the index looked up of the terms before the vector was there."""


@dataclass(frozen=True, slots=True)
class Arm:
    """What one way of searching did."""

    name: str
    eligible: int
    found: int
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the index proposes, one array a column; the store confirms it before it is shown."""

    contents: NDArray[np.int64]
    similarity: NDArray[np.float32]
    """Exact cosine with the question; nan where there is no vector."""
    centred: NDArray[np.float32]
    """The same after the mean of all was taken away from both."""
    text: NDArray[np.float32]
    """BM25; 0 where no term matches."""
    text_nearby: NDArray[np.float32]
    """BM25 where each term may also stand in a neighbouring turn, for less."""
    session_text: NDArray[np.float32]
    """How well the session as a whole answers; 0 outside of sessions."""
    own: NDArray[np.bool_]
    """Turns that the user spoke."""
    said: NDArray[np.bool_]
    """Which are of the log lane; the others are memories."""
    valid_from: NDArray[np.int64]
    """In microseconds, as the newest version says; so are the next two."""
    confidence: NDArray[np.float64]
    importance: NDArray[np.float64]
    around: NDArray[np.int64]
    """The contents of the turns before and after, the candidate in the middle; -1 where there is none."""
    rarity: NDArray[np.float64]
    """The idf of each of the question's words."""
    arms: tuple[Arm, ...]
    current: bool = True
    """Whether the newest versions are those that were asked for, so that what they say holds."""
    titled: bool = False
    """Whether any text at all has a title, so that it can be named."""
    ahead: object = None
    """What the index looked up of the terms, for a search of the same words that follows."""

    @property
    def mixed(self) -> bool:
        """Whether both lanes are among them, so that a turn may stand beside what was formed from it."""
        return bool(self.said.any() and not self.said.all())

    def taking(self, places: NDArray[np.intp]) -> "Candidates":
        """Only those at these places, in this order."""
        columns = {name: getattr(self, name)[places] for name in CANDIDATE_COLUMNS}
        return replace(self, **columns)


CANDIDATE_COLUMNS = (
    "contents",
    "similarity",
    "centred",
    "text",
    "text_nearby",
    "session_text",
    "own",
    "said",
    "valid_from",
    "confidence",
    "importance",
    "around",
)


@dataclass(frozen=True, slots=True)
class Alike:
    """What is most alike to a vector, most similar first."""

    contents: NDArray[np.int64]
    similarity: NDArray[np.float32]
    """Exact cosine."""
