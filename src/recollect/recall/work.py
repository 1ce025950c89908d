"""One recall in progress, and what its stages read from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Asked, Candidates
from recollect.formulas.ball import Ball
from recollect.formulas.message_passing import Gnn
from recollect.language.framing import Framed
from recollect.language.intents import IntentPlan
from recollect.language.periods import Period
from recollect.model import Filter, Memory
from recollect.ports import Columns, Embedder, Store, Words
from recollect.recall.hits import Hit
from recollect.recall.profiles import Profile
from recollect.recall.query import Query
from recollect.recall.search import Search

LEVEL_WEIGHT = 1.0
"""What the level that is asked for weighs, before any outcome."""


class Reached(NamedTuple):
    """What lies nearest in the ball: how many of how many had to be measured."""

    contents: NDArray[np.int64]
    measured: int
    of: int


def _unreached(*_: object) -> Reached:
    return Reached(np.empty(0, np.int64), 0, 0)


@dataclass(frozen=True, slots=True)
class Geometry:
    """What was learnt of levels; before anything was, they weigh what they weigh, and every channel lies alike."""

    ball: Callable[[str, str], Ball] = lambda _channel, _question: Ball()
    """How a channel's memories lie, for a question."""
    weight: Callable[[], float] = lambda: LEVEL_WEIGHT
    near: Callable[[Sequence[str], str, NDArray[np.float32], int, int], Reached] = _unreached
    """From channels, a question, its vector, a level and a number to what lies nearest there."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What the stages read from."""

    store: Store
    user: str
    embedder: Embedder
    index: Search
    candidates: int
    """How many each search arm brings at least."""
    geometry: Geometry = Geometry()
    gnn: Gnn | None = None
    """What was learnt about neighbours; None: what comes with the package."""
    usual_success: float = 0.5
    """The share of the episodes that went well, for the signals that compare with it."""


@dataclass(slots=True)
class Work:
    """One recall in progress; each stage fills in its part."""

    query: Query
    profile: Profile
    layers: frozenset[str]
    now: datetime
    where: Filter
    refusal: str | None = None
    """Why nothing is looked up."""
    doubted: bool = False
    """Whether the index proposed what the store does not give, so that the store is asked about every candidate."""
    period: Period | None = None
    plan: IntentPlan | None = None
    level: int | None = None
    """The depth of the level that is asked for."""
    framed: Framed | None = None
    """What a request for a summary or an order is about."""
    goes_on: bool = False
    """Whether it is a message that goes on with a conversation."""
    variants: tuple[str, ...] = ()
    """Statements that an answer might look like."""
    parts: tuple["Work", ...] = ()
    """The same for each question that the question holds."""
    asked: Asked = field(default_factory=lambda: Asked(None, np.empty(0, np.uint32)))
    words: Words | None = None
    ahead: object = None
    """What the index has of the question's terms already."""
    leads: Mapping[int, float] = field(default_factory=dict)
    shared: Mapping[int, Sequence[tuple[int, float]]] = field(default_factory=dict)
    """By content, the best hits that share a name with it, and how strongly each leads there."""
    outdated: Mapping[int, Memory] = field(default_factory=dict)
    """By the content of a turn that states what was replaced, what stands in its place."""
    spread: dict[str, Mapping[int, float]] = field(default_factory=dict)
    """By signal, what the graph leads to, and by how much."""
    standing: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """By signal and content, how well each candidate is of that level."""
    candidates: Candidates | None = None
    weighed: Candidates | None = None
    """Those that were weighed, by their content."""
    matches: NDArray[np.float32] | None = None
    """How well each word of the question is matched in each of them, where they were read closely."""
    columns: Columns | None = None
    own: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    """Whether the asker said it."""
    said: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    """Whether anybody did; what was formed was not said."""
    similarity: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    relevance: NDArray[np.float64] | None = None
    """How likely each is about what was asked, where the embedder's numbers say so."""
    values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    scores: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    order: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    """Places of the candidates, best first."""
    shown: dict[int, Memory] = field(default_factory=dict)
    """Candidates that were loaded already, by their content."""
    named: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """By content, whom and what its text names, where it was read for it."""
    newly_named: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Those of them that the question does not name."""
    bearing: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    """By the term of a title, the contents that bear it, where it was looked up."""
    hits: tuple[Hit, ...] = ()

    @property
    def moment(self) -> datetime:
        """When the question is asked."""
        return self.query.as_of or self.now

    @property
    def searched(self) -> str:
        """The text that is looked for."""
        return self.query.text if self.framed is None else self.framed.topic

    def count(self, signal: str, column: NDArray[np.float64], weight: float) -> None:
        """Has one more signal count, and ranks anew; what scores the same stands newest first."""
        self.values = {**self.values, signal: column}
        self.profile = self.profile.weighing(**{signal: weight})
        self.scores = self.scores + weight * column
        self.order = np.lexsort((-self.confirmed.contents, -self.scores))

    @property
    def found(self) -> Candidates:
        assert self.candidates is not None  # noqa: S101 - the search sets it
        return self.candidates

    @property
    def read_from(self) -> Candidates:
        assert self.weighed is not None  # noqa: S101 - the weighing sets it
        return self.weighed

    @property
    def confirmed(self) -> Columns:
        assert self.columns is not None  # noqa: S101 - the weighing sets it
        return self.columns


Stage = Callable[[Work, Sources], dict[str, object]]
"""Fills in its part of the work and says what it did. One that bears a layer's name runs only where that is on."""
