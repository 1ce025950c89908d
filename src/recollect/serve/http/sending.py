"""What is sent: the shapes of every request, for validation and OpenAPI."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from recollect import config
from recollect.formulas.levels import DEEPEST, LEVELS
from recollect.recall.layers import LAYERS
from recollect.recall.profiles import PROFILES
from recollect.recall.query import MAX_HITS
from recollect.relations import EDGE_TYPES
from recollect.serve.http.models import LaneName, Part, ScopeName, Text, Time, Word

MOST_MESSAGES = 10_000


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
    learn: bool = Field(True, description="Whether memories may be formed from it.")


class Observe(Sent):
    """A conversation, in order; all of it is kept, or nothing."""

    messages: list[SentMessage] = Field(min_length=1, max_length=MOST_MESSAGES)
    session: Word | None = None
    channel: Word | None = None
    run: Word | None = None
    actor: Word | None = None
    dry_run: bool = Field(False, description="Decide the same and write nothing.")
    wait: bool | None = Field(
        None,
        description="Whether to wait until memories are formed from it; null: as the setting formation.later says.",
    )


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
    min_relevance: float | None = Field(None, ge=0, le=1)
    every_channel: bool = False
    channels: list[Word] | None = Field(None, min_length=1, max_length=100, description="Exactly these.")
    season: Word | None = Field(None, description="What has the tag season:LABEL is preferred.")
    level: Literal[tuple(LEVELS)] | Annotated[int, Field(ge=0, le=DEEPEST)] | None = Field(  # type: ignore[valid-type] # the list is the engine's
        None, description="What is of this level is preferred, by its name or its depth."
    )
    edge_boost: dict[Literal[tuple(EDGE_TYPES)], Annotated[float, Field(gt=0, le=1)]] | None = Field(  # type: ignore[valid-type]
        None, description="By type of edge, how much of a hit's score reaches what it is related to so."
    )
    deep: bool = Field(False, description="Let what the candidates' neighbours say correct their scores.")
    profile: Literal[tuple(PROFILES)] | None = None  # type: ignore[valid-type] # the list is the engine's
    ablate: list[Literal[tuple(LAYERS)]] | None = None  # type: ignore[valid-type]
    learn: bool = Field(True, description="Whether it counts as a use of what is found.")
    shared: bool | None = Field(None, description="Also what others published; null: as the settings say.")


class AskedContext(Asked):
    """The same, for a prompt."""

    budget_tokens: int | None = Field(None, ge=1, le=1_000_000)
    format: Literal["markdown", "xml", "json"] = "markdown"


class AskedBundle(Sent):
    """A question whose answer comes in parts."""

    query: Text
    k: int = Field(5, ge=1, le=100, description="How many of each part.")
    channel: Word | None = None
    session: Word | None = None
    profile: Literal[tuple(PROFILES)] | None = None  # type: ignore[valid-type] # the list is the engine's
    learn: bool = True


class Described(Sent):
    """Something about the user."""

    text: Text
    aspect: Literal["preference", "expertise", "style"] = "preference"
    name: Word | None = Field(None, description="What it replaces: whatever was said under this name.")
    channel: Word | None = None


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


class Feedback(Sent):
    """Memories that helped, or did not."""

    ids: list[Word] = Field(min_length=1, max_length=1_000)
    helpful: bool


class Pin(Sent):
    """Anchors to set or to lift."""

    pinned: bool = True
    immutable: bool | None = None


class Decide(Sent):
    """A situation, and what could be done in it."""

    state: Text | list[Text] = Field(
        description="What is seen, or the situation in parts, from the general to the particular."
    )
    possible: list[Word] | dict[Word, Word] | None = Field(
        None, description="The actions that can be taken, or each with its type."
    )
    episode: Word | None = Field(None, description="The episode in which it is asked.")
    task_type: Word | None = None
    channel: Word | None = None
    k: int | None = Field(None, ge=1, le=1_000, description="How many precedents are looked at.")


class NewEpisode(Sent):
    """A goal to be tried at."""

    goal: Text
    task_type: Word | None = None
    channel: Word | None = None
    session: Word | None = None


class NewStep(Sent):
    """What was done in a situation, and what came of it."""

    state: Text | list[Text] = Field(description="The situation in which it was done, as /decide takes it.")
    action: Text
    action_type: Word | None = None
    command: Text | None = Field(None, description="The action in the environment's own words.")
    observation: str | None = None
    reward: float | None = Field(None, allow_inf_nan=False)
    possible: list[Word] | None = None
    touches: bool | None = Field(None, description="Whether it acts on what the goal is about.")
    advised: bool = Field(False, description="Whether /decide was asked about this situation before.")
    followed: list[Word] | None = Field(None, description="The precedents that it follows, by their ids.")
    ok: bool | None = Field(None, description="Whether it did what it was to do, such as a tool's call.")
    latency_ms: float | None = Field(None, ge=0.0, allow_inf_nan=False, description="How long it took.")


class Ended(Sent):
    """How an episode ended."""

    success: bool
    used: list[Word] = Field(
        [], max_length=1_000, description="The memories and published items that it went by."
    )


class NewDream(Sent):
    """A dream to be dreamt."""

    dry_run: bool = Field(False, description="Decide the same and write nothing.")


class Intend(Sent):
    """Something to be thought of: at a time, or when a context is like some words."""

    text: Text
    at: Time | None = None
    when: Text | None = None
    every_days: float | None = Field(None, gt=0.0, le=36_500.0, allow_inf_nan=False)
    threshold: float = Field(0.6, gt=0.0, le=1.0)
    channel: Word | None = None


class NewGoal(Sent):
    """Something to be reached."""

    text: Text
    priority: int = Field(0, ge=-1_000, le=1_000)
    deadline: Time | None = None
    parent: Word | None = Field(None, description="The larger goal that it serves.")
    blocked_by: list[Word] = Field([], max_length=100, description="Goals that come before it.")
    channel: Word | None = None


class EndedGoal(Sent):
    """How a goal ended."""

    standing: Literal["completed", "abandoned"]
    result: Text | None = None


class BlockedGoal(Sent):
    """What a goal waits for: another goal, or something else."""

    by: Word | None = None
    obstacle: Text | None = None


class NewGap(Sent):
    """A context for which nothing was known."""

    context: Text
    channel: Word | None = None
    session: Word | None = None


class ClosedGap(Sent):
    """A gap that is none any more, and what is known by now."""

    answer: Text | None = None


class Resolve(Sent):
    """Which of two contradicting memories holds."""

    keep: Literal["new", "old", "both"]


class NewTurn(Sent):
    """What was said just now."""

    role: str = Field(min_length=1, max_length=100)
    content: Text
    name: Word | None = Field(None, description="Who said it.")


class NewThought(Sent):
    """What crossed the agent's mind."""

    thought: Text


class NewValue(Sent):
    """A value that JSON can hold, and for how long."""

    value: Any
    ttl_seconds: float | None = Field(
        None, gt=0.0, le=31_536_000.0, description="Without one, as `working.ttl_seconds` says."
    )


class GoalInMind(Sent):
    """What a conversation is after, by its id and in words."""

    id: Word
    text: Text


class NewState(Sent):
    """The state of a conversation at a turn."""

    turn: int = Field(ge=0, le=2**53)
    text: Text
    metadata: dict[str, Any] = {}


class LikeState(Sent):
    """What a state should be like."""

    text: Text
    k: int = Field(5, ge=1, le=MAX_HITS)


class NewSnapshot(Sent):
    """A name for a copy of the store."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")


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
