"""What the engine needs from the outside, as small protocols."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.model import (
    NO_MAPPING,
    AuditEntry,
    AuditFilter,
    Calibration,
    Counters,
    Edge,
    Fault,
    Filter,
    Lane,
    Memory,
    Record,
    State,
    WitnessEntry,
)

BOTH_ENDS = ("source", "target")
Progress = Callable[[int, int], None]
"""Called with (done, total) while something long goes on."""


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime: ...


class Embedder(Protocol):
    """Texts to unit vectors. The name says the model and its weights; another name, other vectors."""

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]: ...


class Guard(Protocol):
    """Tells attacks by vectors of its own, in texts that an embedder's vectors leave in doubt."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """One row a text, or nothing where its model can't be had: then there is no guard."""
        ...


class Generator(Protocol):
    """A language model that does named tasks. Nothing here needs one: rules serve wherever it does not answer."""

    @property
    def name(self) -> str: ...
    @property
    def counts(self) -> Mapping[tuple[str, str], int]:
        """How often it was asked, by task and by what came of it: `answered`, `failed`, `malformed`, `resting`."""
        ...

    def answer(self, task: str, given: Mapping[str, Any]) -> Any | None:
        """What it makes of what is given, in the shape that the task asks for; None where it failed."""
        ...


WORD_BYTES = 32
"""A word's vector as it is stored: 64 dimensions of 4 bits."""


@dataclass(frozen=True, slots=True)
class Words:
    """The vectors of a text's words in their context: row i of `codes` is the word with the hash `terms[i]`."""

    terms: NDArray[np.uint32]
    codes: NDArray[np.uint8]


@runtime_checkable
class WordEmbedder(Embedder, Protocol):
    """An embedder that also gives the vectors of a text's words, from the same pass over the text."""

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]: ...


def calibration_of(embedder: Embedder) -> Calibration | None:
    """What its numbers mean, where that was measured."""
    found: Calibration | None = getattr(embedder, "calibration", None)
    return found


def for_questions(embedder: Embedder) -> Embedder:
    """What embeds questions: a quicker form of the same model, where it has one."""
    found: Embedder = getattr(embedder, "for_questions", embedder)
    return found


def guard_of(embedder: Embedder) -> Guard | None:
    """What is asked about texts that its vectors leave in doubt, where it has something for it."""
    found: Guard | None = getattr(embedder, "guard", None)
    return found


def gives_words(embedder: Embedder) -> TypeGuard[WordEmbedder]:
    """Whether it is a `WordEmbedder`; asked in every recall, and `isinstance` of a protocol is slow."""
    return hasattr(embedder, "encode")


@dataclass(frozen=True, slots=True)
class NewText:
    """A text that is new to the store, with what is searched: its terms, its vector, its words' vectors."""

    terms: bytes
    vector: bytes | None
    words: bytes | None = None
    """`Words.codes` as bytes, empty where the text has no word; only beside a vector."""


@dataclass(frozen=True, slots=True)
class Change:
    """The next version of a memory; `new` when its text is new to the store.

    Without `new`, a memory whose `content` is 0 keeps the text of the version before it.
    """

    memory: Memory
    new: NewText | None = None
    once: bool = False
    """Leave it out where the same text is active in the same channel and lane already."""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """The next value of a record."""

    kind: str
    key: str
    value: Any
    """What JSON can hold; None removes the record."""
    expected: int | None = None
    """The revision that it must have now, 0 for none at all, so that nobody's change is lost; None for any."""


@dataclass(frozen=True, slots=True)
class Changes:
    """All that one transaction writes: it happens wholly or not at all."""

    operation: str
    at: datetime
    memories: tuple[Change, ...] = ()
    edges: tuple[Edge, ...] = ()
    """Added; one that is there already keeps the greater weight."""
    reweighed: tuple[Edge, ...] = ()
    """Edges that are there, with the weight that they get."""
    unlinked: tuple[Edge, ...] = ()
    """Edges that are taken away; a record says when, and that an edge that is added came back (`removals`)."""
    records: tuple[RecordChange, ...] = ()
    counters: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: NO_MAPPING)
    """By memory, the learnt counters to set; whoever adds to one guards it by `LEARNT_GUARD`."""
    accesses: Mapping[str, tuple[int, datetime]] = field(default_factory=lambda: NO_MAPPING)
    """By memory, how often it was accessed and when last; one that is purged by now is left out."""
    detail: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING)
    model: str | None = None
    """The embedder's name, where vectors are written."""
    hurried: bool = False
    """Whether it is rather given up, as `StoreBusy`, than that anybody waits long for another writer."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one change: the memory's id, and why if it was left out."""

    id: str
    refusal: str | None = None
    """`tombstone` or `duplicate`; the id of a duplicate is that of the one already there."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the index needs of one stored text."""

    content: int
    terms: bytes
    vector: bytes | None
    session: str | None = None
    """Of a turn of a conversation: the session that it belongs to."""
    is_own: bool = False
    """Whether the user said it, had it remembered, or it was formed of what they said."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What the index needs of one version: which text it shows, to whom and when, and what it is worth."""

    version: int
    content: int
    past_content: int | None
    lane: Lane
    state: State
    channel: str
    only_session: str | None
    valid_from: datetime
    valid_until: datetime | None
    confidence: float
    importance: float


@dataclass(frozen=True, slots=True)
class Columns:
    """What the ranker needs of the versions that satisfy a filter, one array a column; moments in microseconds."""

    contents: NDArray[np.int64]
    confidence: NDArray[np.float64]
    importance: NDArray[np.float64]
    valid_from: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Accesses:
    """How often and when last the memories that satisfy a filter were recalled, one array a column."""

    contents: NDArray[np.int64]
    counts: NDArray[np.int64]
    last: NDArray[np.int64]
    """In microseconds; of a memory that was never recalled: when it was recorded."""


class Stated(NamedTuple):
    """What was formed of a turn, and what stands in its place by now."""

    turn: int
    """By its content, as the other two."""
    formed: int
    newer: int | None = None
    """None where nothing took its place, or what did was forgotten."""
    newer_id: str | None = None


class ContentEdge(NamedTuple):
    """An edge by the contents of the memories that it relates; the moment in microseconds."""

    source: int
    target: int
    type: str
    weight: float
    recorded_at: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What a dream needs of the memories that satisfy a filter, by id, one array a column; moments in microseconds."""

    ids: NDArray[np.object_]
    contents: NDArray[np.int64]
    kinds: NDArray[np.object_]
    channels: NDArray[np.object_]
    sessions: NDArray[np.object_]
    """The session that alone sees it; None where all do."""
    pinned: NDArray[np.bool_]
    immutable: NDArray[np.bool_]
    superseded: NDArray[np.bool_]
    """Whether something else took its place."""
    arousal: NDArray[np.float64]
    """How strongly it was felt, as its metadata tell."""
    entities: NDArray[np.object_]
    """The ids of those that its metadata name, as a tuple."""
    confidence: NDArray[np.float64]
    importance: NDArray[np.float64]
    began_at: NDArray[np.int64]
    """When its first version was recorded."""
    valid_until: NDArray[np.int64]
    """`NO_END` where it has none."""
    access_count: NDArray[np.int64]
    last_accessed_at: NDArray[np.int64]
    """Of a memory that was never accessed: when its first version was recorded."""
    stability: NDArray[np.float64]
    strength: NDArray[np.float64]
    utility: NDArray[np.float64]
    tiers: NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.ids)

    def taking(self, chosen: NDArray[Any]) -> "Survey":
        """Only those of these places, or where it says so."""
        return Survey(*(getattr(self, name)[chosen] for name in SURVEY_COLUMNS))


SURVEY_COLUMNS = tuple(one.name for one in fields(Survey))
NO_END = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Erased:
    """What a purge removed, so that everything derived can follow."""

    ids: tuple[str, ...]
    contents: tuple[int, ...]
    texts: tuple[str, ...]


class Store(Protocol):
    """The truth. Every call names its user; no call can see another's rows."""

    @property
    def location(self) -> str: ...
    @property
    def identity(self) -> str: ...
    def index_folder(self, user: str) -> Path | None:
        """Where what is derived from a user's rows lies; None keeps it in memory."""
        ...

    # writing
    def write(self, user: str, changes: Changes) -> list[Written]: ...
    def touch(self, user: str, accesses: Mapping[str, tuple[int, datetime]]) -> bool: ...
    def purge(self, user: str, ids: Sequence[str], at: datetime) -> Erased: ...

    # reading
    def reading(self) -> AbstractContextManager[None]: ...
    def users(self) -> list[str]: ...
    def get(self, user: str, memory_id: str, as_of: datetime | None = None) -> Memory | None: ...
    def versions(self, user: str, memory_id: str) -> list[Memory]: ...
    def find(
        self,
        user: str,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[Memory]: ...
    def resolve(self, user: str, id_prefix: str) -> list[str]: ...
    def edges(
        self,
        user: str,
        ids: Sequence[str],
        types: Sequence[str] | None = None,
        *,
        ends: Sequence[str] = BOTH_ENDS,
    ) -> list[Edge]:
        """Those of some types that begin (`source`) or end (`target`) at one of the ids, or only one of the two."""
        ...

    def all_edges(self, user: str, after: int = 0) -> Iterator[Edge]:
        """In the order of writing; only those with a number above one, as a link of the chain covers them."""
        ...

    def counters(self, user: str, ids: Sequence[str]) -> dict[str, Counters]: ...
    def survey(self, user: str, where: Filter, *, min_utility: float | None = None) -> Survey:
        """Narrow rows of the memories that satisfy a filter; of those alone that are known to be so useful."""
        ...

    def record(self, user: str, kind: str, key: str) -> Record | None: ...
    def records(
        self, user: str, kind: str, *, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        """Those of one kind whose keys begin so and come after one, by key."""
        ...

    def records_named(self, user: str, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        """Those of one kind that have these keys, by key; what is not there is left out."""
        ...

    def everyones_records(self, kind: str) -> dict[str, list[Record]]:
        """Those of one kind of all users who have some, by key; for whoever looks after the whole store."""
        ...

    def everyones_settings(self) -> dict[str, dict[str, Any]]:
        """The settings of all users who have changed some."""
        ...

    def tombstones(self, user: str) -> list[bytes]: ...
    def erased(self, user: str, texts: Sequence[str]) -> list[bool]:
        """Of each text, whether it was purged and would be refused."""
        ...

    def counts(self, user: str) -> dict[str, Any]: ...

    # what the derived index follows
    def documents(self, user: str, after: int, limit: int) -> list[Document]: ...
    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]: ...
    def high_water(self, user: str) -> tuple[int, int]: ...
    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]: ...
    def words(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Which of the contents have words, ascending; after which row of the codes each one's end; the codes."""
        ...

    def matching(self, user: str, where: Filter) -> NDArray[np.int64]: ...
    def columns(self, user: str, contents: NDArray[np.int64], where: Filter) -> Columns: ...
    def accesses(self, user: str, contents: NDArray[np.int64], where: Filter) -> Accesses: ...
    def shown(self, user: str, contents: Sequence[int], where: Filter) -> list[Memory]: ...
    def stated(self, user: str, contents: NDArray[np.int64], as_of: datetime | None = None) -> list[Stated]:
        """What was formed of those of some turns of which anything was replaced, by its newest text then, in order."""
        ...

    def edges_between(
        self, user: str, contents: NDArray[np.int64], others: NDArray[np.int64]
    ) -> list[ContentEdge]:
        """The edges, whichever way, between the memories of some contents and those of others, each once."""
        ...

    # models and settings
    def model(self) -> tuple[str, int] | None: ...
    def unembedded(
        self, model: str, after: int, limit: int, *, words: bool = False
    ) -> list[tuple[int, str, str | None]]: ...
    def unembedded_count(self, model: str, *, words: bool = False) -> int: ...
    def embed(
        self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes, bytes | None]]
    ) -> None: ...
    def adopt(self, model: str) -> bool: ...
    def settings(self, user: str) -> dict[str, Any]: ...
    def set_settings(self, user: str, values: Mapping[str, Any], at: datetime) -> None: ...

    # the audit
    def note(self, user: str, reads: Sequence[AuditEntry]) -> None:
        """Keeps what was read, each once; what it says of a memory that is purged by now is left out."""
        ...

    def reads(
        self, user: str, where: AuditFilter, *, after: tuple[datetime, str] | None = None, limit: int
    ) -> list[AuditEntry]:
        """What was read, newest first; after the moment and the id of the last of the page before."""
        ...

    def writes(
        self, user: str, where: AuditFilter, *, below: int | None = None, limit: int
    ) -> list[AuditEntry]:
        """What the chain tells of what was written, newest first; of the links below one."""
        ...

    def forget_reads(
        self,
        user: str,
        before: datetime | None,
        at: datetime,
        everyones: Callable[[], datetime | None],
    ) -> int:
        """Removes what was read before a moment, and prepares for what comes; gives how many entries went.

        `everyones` gives the moment from which on somebody still keeps what was read, None for always: a store
        may then remove what is older of all users at once.
        """
        ...

    # keeping it safe
    def witness(self, user: str, after: int = 0, limit: int | None = None) -> list[WitnessEntry]: ...
    def verify(self, user: str, progress: Progress | None = None) -> list[Fault]: ...
    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None: ...
    def copies(self) -> list[Path]: ...
    def lineage(self) -> list[Mapping[str, Any]]: ...
    def changed(self, user: str, after: int) -> list[str]: ...
    def compact(self) -> None: ...
    def close(self) -> None: ...
