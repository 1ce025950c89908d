"""What is answered about reviews, intentions, goals, the user, what is in mind, episodes and dreams."""

from typing import Any, Literal

from pydantic import BaseModel

from recollect.serve.http.models import Hit, Memory, Remembered


class Review(Memory):
    """What waits for a decision, with what it contradicts."""

    contradicts: list[Memory]


class Reviews(BaseModel):
    """Some of what waits, and where the next ones begin."""

    reviews: list[Review]
    next: str | None


class Quarantined(BaseModel):
    """Some of what was taken for an attack, and where the next ones begin."""

    quarantined: list[Memory]
    next: str | None


class Gap(BaseModel):
    """What came up and nothing was known about, and how often."""

    id: str
    text: str
    channel: str
    session: str | None
    noticed_at: str
    count: int


class Gaps(BaseModel):
    """Some gaps, and where the next ones begin."""

    gaps: list[Gap]
    next: str | None


class NotedGap(BaseModel):
    """The gap; null where recording is switched off, or its text was purged before."""

    gap: Gap | None


class ClosedGap(BaseModel):
    """What became of the answer, where there is one."""

    remembered: Remembered | None


class DueIntention(BaseModel):
    """An intention, since when it is due or how like its words the context is."""

    memory: Memory
    since: str | None
    similarity: float | None


class AllDue(BaseModel):
    due: list[DueIntention]


class Goal(BaseModel):
    """Something to be reached, and how it stands."""

    id: str
    text: str
    channel: str
    standing: Literal["active", "blocked", "completed", "abandoned"]
    priority: int
    deadline: str | None
    started_at: str
    ended_at: str | None
    result: str | None
    obstacle: str | None
    parent: str | None
    subgoals: list[str]
    blockers: list[str]


class Goals(BaseModel):
    goals: list[Goal]


class GoalInMind(BaseModel):
    id: str
    text: str


class Turns(BaseModel):
    """Turns with their role, content and time, and whatever else was told of them."""

    turns: list[dict[str, Any]]


class Thoughts(BaseModel):
    """Thoughts with their time."""

    thoughts: list[dict[str, Any]]


class InMind(Turns, Thoughts):
    """All that is in mind in one conversation."""

    goal: GoalInMind | None
    values: dict[str, Any]


class Value(BaseModel):
    """A value; null where there is none."""

    name: str
    value: Any


class StateInMind(BaseModel):
    """A state that a conversation was in, and how like the text it is (cosine)."""

    turn: int
    text: str
    metadata: dict[str, Any]
    at: str
    similarity: float


class States(BaseModel):
    states: list[StateInMind]


class Portrait(BaseModel):
    """What is known about the user as a person, as memories and as text for a prompt."""

    preferences: list[Memory]
    expertise: list[Memory]
    style: list[Memory]
    text: str


class Named(BaseModel):
    """An entity that the hits name, and how much of their scores is about it."""

    id: str
    weight: float
    memories: list[str]


class Bundle(BaseModel):
    """Everything that helps with a question, part by part."""

    query: str
    episodic: list[Hit]
    facts: list[Hit]
    strategies: list[Hit]
    entities: list[Named]
    goals: list[Goal]
    portrait: Portrait


class Episode(BaseModel):
    """One try at a goal."""

    id: str
    goal: str
    task_type: str | None
    channel: str
    session: str | None
    started_at: str
    ending: Literal["open", "won", "lost"]


class Episodes(BaseModel):
    """Some episodes, and where the next ones begin."""

    episodes: list[Episode]
    next: str | None


class EpisodeStep(BaseModel):
    """What was done in one situation; without an id where its text was purged before, so that it is not kept."""

    id: str
    place: int
    state: list[str]
    action: str
    action_type: str
    command: str
    observation: str | None
    reward: float | None
    possible: list[str] | None
    ok: bool | None
    latency_ms: float | None
    at: str


class Quality(BaseModel):
    """How good an episode was, and why."""

    score: float
    reason: str


class DetailedEpisode(Episode):
    quality: Quality | None
    outcome: "Outcome | None"
    steps: list[EpisodeStep]


class Choice(BaseModel):
    action: str
    score: float
    evidence: float
    chance: float


class Precedent(BaseModel):
    """A step of an earlier success in a situation like this one."""

    id: str
    episode: str
    state: list[str]
    action: str
    similarity: float
    value: float
    reward: float
    weight: float


class Advice(BaseModel):
    """What memory says about a situation; nothing where it knows nothing like it."""

    best: str | None
    region: str | None
    choices: list[Choice]
    precedents: list[Precedent]
    warnings: list[str]


class Outcome(BaseModel):
    """What the end of an episode taught."""

    episode: str
    success: bool
    kept: list[str]
    decayed: dict[str, float]
    tried: int
    edges: int


class DreamStep(BaseModel):
    changed: dict[str, int]
    noted: dict[str, int]
    seconds: float


class Doubt(BaseModel):
    rule: str
    ids: list[str]


class Dream(BaseModel):
    """One dream: what each step did, and what it leaves to decide."""

    id: str | None
    state: str
    at: str
    job: str
    finished: str | None
    changed: int
    seconds: float
    steps: dict[str, DreamStep]
    to_decide: list[Doubt]
    conflicts: list[str]
    params: dict[str, Any]


class Dreams(BaseModel):
    """Some dreams, and where the next ones begin."""

    dreams: list[Dream]
    next: str | None


class DetailedDream(Dream):
    why: dict[str, dict[str, str]]
