"""The values that everything else speaks in: frozen, without behaviour beyond themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any

SYSTEM_USER = "_system"
"""Whose records are the store's own, such as keys and schedules; it has no memory."""
GLOBAL_CHANNEL = "_global"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NO_MAPPING: Mapping[str, Any] = MappingProxyType({})
KEYED = ("file", "item")
"""The kinds that an application keeps under keys of its own: it gets back what it put there, so that nothing that is
formed, said again or dreamt changes, replaces or stands for them."""
FILE, ITEM = KEYED


class Lane(StrEnum):
    """Which of the two lanes: what was said, verbatim, or what was formed from it."""

    LOG = "log"
    MEMORY = "memory"


class State(StrEnum):
    """Dormant is forgotten but can be restored; purged is erased."""

    ACTIVE = "active"
    DORMANT = "dormant"
    PURGED = "purged"


class Scope(StrEnum):
    """How far a memory reaches: every channel, its project, or its session alone."""

    GLOBAL = "global"
    PROJECT = "project"
    SESSION = "session"


class Action(StrEnum):
    """What the write path did with something it was given."""

    CREATE = "create"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    REINFORCE = "reinforce"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a memory comes from (its provenance); never changes after it was written."""

    session: str | None = None
    run: str | None = None
    actor: str | None = None
    event_type: str | None = None
    role: str | None = None
    speaker: str | None = None
    sources: tuple[str, ...] = ()
    write_source: str = "manual"
    data_source: str = "user_message"
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One version of something remembered, in either lane, as it was believed at one time."""

    id: str
    text: str
    recorded_at: datetime
    valid_from: datetime
    valid_until: datetime | None = None
    retired_at: datetime | None = None
    version: int = 1
    lane: Lane = Lane.MEMORY
    kind: str = "note"
    channel: str = GLOBAL_CHANNEL
    scope: Scope = Scope.GLOBAL
    state: State = State.ACTIVE
    supersedes: str | None = None
    superseded_by: str | None = None
    tags: tuple[str, ...] = ()
    pinned: bool = False
    immutable: bool = False
    confidence: float = 1.0
    importance: float = 0.5
    origin: Origin = Origin()
    metadata: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING, hash=False)
    content: int = 0
    """The store's number for this text; the index speaks in these."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What use has taught about a memory; written in batches, not part of its history."""

    access_count: int = 0
    last_accessed_at: datetime | None = None
    stability: float = 1.0
    """How slowly it is forgotten, in days."""
    strength: float = 1.0
    """How deeply it is stored, 1 to 10."""
    utility: float = 0.5
    """How useful it has been, 0 to 1."""
    wins: float = 0.0
    """How often it was followed, or found helpful, and it went well; a part of a time counts as that part."""
    losses: float = 0.0
    """How often it did not."""
    reward: float = 1.0
    """What following it is expected to bring, 0 to 1; lowered where it failed in the same situation."""
    tier: str = "episodic"
    """`episodic` until it has proved itself, then `semantic`."""


LEARNT = ("stability", "strength", "utility", "wins", "losses", "reward", "tier")
"""The counters that outcomes and dreams set; the other two count accesses."""
LEARNT_GUARD = ("guard", "learnt")
"""Kind and key of the record by whose revision everybody who adds to a learnt counter guards it."""


@dataclass(frozen=True, slots=True)
class Record:
    """A named value that is state and not memory: what was learnt, is scheduled, was granted.

    It is neither searched nor part of the history, and holds ids of memories, never their texts: a purge does
    not look into it.
    """

    kind: str
    key: str
    value: Any
    """What JSON can hold."""
    revision: int
    """Greater with every change of any of the user's records."""
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed, weighted, time-stamped relation between two nodes."""

    source: str
    target: str
    type: str
    weight: float = 1.0
    recorded_at: datetime | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which versions of which memories are meant; every given condition must hold."""

    channels: tuple[str, ...] | None = None
    lanes: tuple[Lane, ...] | None = None
    kinds: tuple[str, ...] | None = None
    states: tuple[State, ...] = (State.ACTIVE,)
    scopes: tuple[Scope, ...] | None = None
    visible_session: str | None = None
    """Session-scoped memories of this session are seen, those of others are not."""
    any_session: bool = False
    ids: tuple[str, ...] | None = None
    """Only these memories, by their whole ids."""
    tags: tuple[str, ...] = ()
    session: str | None = None
    run: str | None = None
    actor: str | None = None
    role: str | None = None
    event_type_prefix: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    pinned: bool | None = None
    min_confidence: float | None = None
    as_of: datetime | None = None
    """What the store believed then (transaction time); None is now."""
    valid_at: datetime | None = None
    """What was true then (valid time)."""
    unexpired_at: datetime | None = None
    """Leaves out what had stopped being true by then."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one embedder's numbers mean: fitted once for it, because every model spreads its vectors otherwise."""

    similarity: float
    covered: float
    bias: float
    named: float = 0.0
    """What is lost where the asker's own words stand under a name that the question does not say."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """The keyed hash of an erased text, kept so that it is not learnt again."""

    fingerprint: bytes
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class WitnessEntry:
    """One link of the hash chain over everything that was written."""

    sequence: int
    at: datetime
    operation: str
    detail: Mapping[str, Any]
    versions: tuple[int, int]
    edges: tuple[int, int]
    digest: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that was written or read, as the audit tells it."""

    id: str
    """Of a read one of its own, of a write its place in the chain."""
    at: datetime
    operation: str
    actor: str | None = None
    """Who did it, where that is known and not the user."""
    session: str | None = None
    channel: str | None = None
    ids: tuple[str, ...] = ()
    """The memories that it wrote or brought back."""
    cross_channel: tuple[str, ...] = ()
    """Of those that were brought back, the ones of another channel than it was asked in."""
    detail: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING)
    sequence: int | None = None
    """The link of the chain that stands for a write; a read has none."""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries of the audit are wanted; those that satisfy all of it."""

    since: datetime | None = None
    until: datetime | None = None
    """Not itself."""
    operation: str | None = None
    session: str | None = None
    memory_id: str | None = None
    """What wrote this memory or brought it back."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that `verify` found to be wrong, named as precisely as it can be."""

    subject: str
    problem: str


def utc(moment: datetime) -> datetime:
    """The same instant in UTC; a moment without a zone is taken as UTC.

    >>> utc(datetime(2026, 3, 1, 12)).isoformat()
    '2026-03-01T12:00:00+00:00'
    """
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970: how moments are stored and compared.

    >>> microseconds(datetime(1970, 1, 2, tzinfo=UTC))
    86400000000
    """
    return (utc(moment) - EPOCH) // timedelta(microseconds=1)


def moment(stored: int) -> datetime:
    """The inverse of `microseconds`."""
    return EPOCH + timedelta(microseconds=stored)
