"""What is sent and what is answered: the shapes of every request and response, for validation and OpenAPI."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from recollect import config
from recollect.model import Lane, Scope, State
from recollect.recall.layers import LAYERS
from recollect.recall.profiles import PROFILES
from recollect.recall.query import MAX_HITS

MOST_MESSAGES = 10_000
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


class Sent(BaseModel):
    """Of what is sent, nothing unknown is passed over and nothing is guessed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def options(self, *without: str) -> dict[str, Any]:
        """What was given, as the engine's verbs take it."""
        return {
            name: getattr(self, name)
            for name in sorted(self.model_fields_set)
            if name not in without and getattr(self, name) is not None
        }


class Remember(Sent):
    """One memory to keep."""

    text: Text
    kind: Word = "note"
    tags: list[Word] = Field([], max_length=100)
    channel: Word | None = None
    scope: ScopeName | None = None
    session: Word | None = None
    supersedes: Word | None = Field(None, description="The memory that it replaces.")
    valid_from: Time | None = None
    valid_until: Time | None = None
    pinned: bool = False
    immutable: bool = False
    confidence: Part = 1.0
    importance: Part = 0.5
    sources: list[Word] = Field([], max_length=1_000, description="Memories that it was formed from.")
    metadata: dict[str, Any] | None = None


class RememberMany(Sent):
    """Memories to keep, all or none."""

    memories: list[Remember] = Field(min_length=1, max_length=MOST_MESSAGES)


class MessagePart(BaseModel):
    """A part of a message, as chat APIs have them; only texts are kept."""

    type: str | None = None
    text: str | None = None


class SentMessage(BaseModel):
    """One turn of a conversation; what else a chat API has in it is passed over."""

    role: str = Field("user", min_length=1, max_length=100)
    content: str | list[MessagePart] | None
    name: str | None = Field(None, description="Who said it.")
    timestamp: Time | None = Field(None, description="When it was said.")


class Observe(Sent):
    """A conversation, in order; all of it is kept, or nothing."""

    messages: list[SentMessage] = Field(min_length=1, max_length=MOST_MESSAGES)
    session: Word | None = None
    channel: Word | None = None
    run: Word | None = None
    actor: Word | None = None
    dry_run: bool = Field(False, description="Decide the same and write nothing.")


class Asked(Sent):
    """A question and what part of memory it is asked of."""

    query: Text
    k: int | None = Field(None, ge=1, le=MAX_HITS)
    channel: Word | None = None
    session: Word | None = None
    lanes: list[LaneName] | None = Field(None, min_length=1)
    kinds: list[Word] | None = Field(None, min_length=1)
    tags: list[Word] | None = None
    ids: list[Word] | None = Field(None, max_length=1_000, description="Only of these memories.")
    only_session: Word | None = None
    run: Word | None = None
    actor: Word | None = None
    event_type_prefix: Word | None = None
    since: Time | None = None
    until: Time | None = None
    as_of: Time | None = Field(None, description="What was believed then.")
    valid_at: Time | None = Field(None, description="What was true then.")
    include_superseded: bool = False
    include_dormant: bool = False
    only_period: bool = False
    per_session: int | None = Field(None, ge=1, le=MAX_HITS)
    every_channel: bool = False
    channels: list[Word] | None = Field(None, min_length=1, max_length=100, description="Exactly these.")
    profile: Literal[tuple(PROFILES)] | None = None  # type: ignore[valid-type] # the list is the engine's
    ablate: list[Literal[tuple(LAYERS)]] | None = None  # type: ignore[valid-type]
    learn: bool = Field(True, description="Whether it counts as a use of what is found.")


class AskedContext(Asked):
    """The same, for a prompt."""

    budget_tokens: int | None = Field(None, ge=1, le=1_000_000)
    format: Literal["markdown", "xml", "json"] = "markdown"


class Edit(Sent):
    """What comes in place of the old: a text, metadata as a whole, or an end; null takes the end away."""

    text: Text | None = None
    metadata: dict[str, Any] | None = None
    valid_until: Time | None = None


class Tags(Sent):
    """Tags to add and to take away."""

    add: list[Word] = Field([], max_length=100)
    remove: list[Word] = Field([], max_length=100)


class Link(Sent):
    """An edge from one memory to another."""

    target: Word
    type: Word = "related_to"
    weight: float = Field(1.0, gt=0.0, le=1.0)
    reason: str | None = Field(None, max_length=10_000)


class Pin(Sent):
    """Anchors to set or to lift."""

    pinned: bool = True
    immutable: bool | None = None


class NewSnapshot(Sent):
    """A name for a copy of the store."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")


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


class Health(BaseModel):
    status: Literal["ok", "not ready"]


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


def _schema_of(one: "config.Setting") -> dict[str, Any]:
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    limits = {"minimum": one.low, "maximum": one.high, "enum": list(one.choices) or None}
    chosen = {name: limit for name, limit in limits.items() if limit is not None}
    typed = {"type": names[one.type], **chosen}
    return {"anyOf": [typed, {"type": "null"}], "description": one.about, "default": one.default}


Changed = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "description": "Settings to change, by name; null takes one back to its default.",
            "properties": {one.name: _schema_of(one) for one in config.SETTINGS.values() if not one.at_start},
            "additionalProperties": False,
        }
    ),
]
