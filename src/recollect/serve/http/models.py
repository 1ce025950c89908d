"""What is answered: the shapes of every response, for OpenAPI; and the types that requests share with them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from recollect.model import Lane, Scope, State

Time = Annotated[
    str, Field(description="ISO 8601, such as 2026-03-01T10:00:00Z", examples=["2026-03-01T10:00:00Z"])
]
Word = Annotated[str, Field(min_length=1, max_length=1_000, pattern=r"\S")]
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
Part = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
LaneName = Literal["log", "memory"]
ScopeName = Literal["global", "project", "session"]
StateName = Literal["active", "dormant", "purged"]
Numbers = dict[str, float | None]


class Redaction(BaseModel):
    kind: str
    reason: str


class Formed(BaseModel):
    """What became of one statement of a message."""

    action: str
    stage: str
    reason: str
    text: str
    id: str | None
    kind: str | None
    supersedes: list[str]


class Remembered(BaseModel):
    """What became of a text: the decision, its reason and the memory that now stands for it."""

    id: str | None
    action: Literal["create", "update", "supersede", "reinforce", "skip"]
    reason: str
    text: str
    redactions: list[Redaction]
    supersedes: str | None


class RememberedMany(BaseModel):
    memories: list[Remembered]


class ObservedTurn(Remembered):
    formed: list[Formed] = []


class Observed(BaseModel):
    kept: int
    turns: list[ObservedTurn]


class Memory(BaseModel):
    """One version of something remembered."""

    id: str
    text: str
    recorded_at: str
    valid_from: str
    valid_until: str | None
    retired_at: str | None
    version: int
    lane: Lane
    kind: str
    channel: str
    scope: Scope
    state: State
    supersedes: str | None
    superseded_by: str | None
    tags: list[str]
    pinned: bool
    immutable: bool
    confidence: float
    importance: float
    session: str | None
    run: str | None
    actor: str | None
    event_type: str | None
    role: str | None
    speaker: str | None
    sources: list[str]
    write_source: str
    data_source: str
    reason: str | None
    metadata: dict[str, Any]


class Hit(Memory):
    """A memory that answers, with what each signal gave to its score."""

    score: float
    relevance: float | None
    whence: Literal["own", "shared", "library"]
    outdated_by: str | None
    """Of a turn: what replaced what it states, where the question is about that."""
    signals: Numbers
    values: Numbers


class Step(BaseModel):
    stage: str
    elapsed_ms: float
    detail: dict[str, Any]


class Trace(BaseModel):
    """How the hits were found."""

    at: str
    profile: str
    weights: dict[str, float]
    settings: dict[str, Any]
    elapsed_ms: float
    steps: list[Step]


class Recalled(BaseModel):
    query: str
    hits: list[Hit]
    trace: Trace


class Context(BaseModel):
    query: str
    budget_tokens: int
    context: str


class Counters(BaseModel):
    access_count: int
    last_accessed_at: str | None


class Edge(BaseModel):
    source: str
    target: str
    type: str
    weight: float
    recorded_at: str | None
    reason: str | None


class Detailed(Memory):
    """All that is known about one memory."""

    counters: Counters
    edges: list[Edge]


class Page(BaseModel):
    """Some memories, and where the next ones begin; null where there are no more."""

    memories: list[Memory]
    next: str | None


class History(BaseModel):
    id: str
    versions: list[Memory]


class Timeline(BaseModel):
    query: str | None
    memories: list[Memory]


class Judged(BaseModel):
    """What each memory is worth after it was judged, 0 to 1."""

    helpful: bool
    utility: dict[str, float]


class Purged(BaseModel):
    purged: list[str]
    derived: list[str]


class Setting(BaseModel):
    """A setting as it is for this user now."""

    name: str
    value: Any
    default: Any
    source: Literal["default", "store", "environment"]
    variable: str
    about: str
    choices: list[str]
    low: float | None
    high: float | None


class Config(BaseModel):
    settings: list[Setting]


class Model(BaseModel):
    name: str
    dimension: int


class Witness(BaseModel):
    entries: int
    hash: str


class AuditEntry(BaseModel):
    """Something that was written, with its place in the chain, or read, without one."""

    id: str
    at: str
    operation: str
    sequence: int | None
    actor: str | None
    session: str | None
    channel: str | None
    ids: list[str]
    cross_channel: list[str]
    detail: dict[str, Any]


class Audit(BaseModel):
    """What was done, newest first, and where the next entries begin."""

    entries: list[AuditEntry]
    next: str | None


class Stats(BaseModel):
    """How much is kept, of this user."""

    user: str
    log: int
    memory: int
    dormant: int
    versions: int
    edges: int
    tombstones: int
    channels: dict[str, int]
    witness: Witness | None
    model: Model | None
    embedder: str
    cache: dict[str, int]
    index: dict[str, int]
    bytes: dict[str, int]


class Fault(BaseModel):
    subject: str
    problem: str


class Verdict(BaseModel):
    ok: bool
    faults: list[Fault]


class Compacted(BaseModel):
    bytes_before: int
    bytes_after: int


class Snapshot(BaseModel):
    name: str


class Imported(BaseModel):
    """What an import did, by id."""

    created: list[str]
    updated: list[str]
    unchanged: list[str]
    refused: list[str]
    conflicts: list[str]
    edges: int
    outcomes: int = Field(description="How many endings of episodes were learnt, or taken back.")


class ImportedFile(Imported):
    left_out: list[str] = Field([], description="Lines of Markdown that were not understood.")


class Health(BaseModel):
    status: Literal["ok", "not ready"]
    reason: str | None = Field(None, description="Why it is not ready.")


class Place(BaseModel):
    """What is where."""

    name: str
    version: str
    api: str
    openapi: str


class ProblemPlace(BaseModel):
    at: str
    why: str


class Problem(BaseModel):
    """RFC 9457: what happened, what to do, and which request it was."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[ProblemPlace] = []
