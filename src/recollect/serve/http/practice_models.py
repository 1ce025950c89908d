"""What is sent to and comes of the routes of practice, for validation and OpenAPI."""

from typing import Literal

from pydantic import BaseModel, Field

from recollect.learn.influences import MOST_LAGS
from recollect.serve.http.accounts import EpisodeStep, Precedent
from recollect.serve.http.models import Text, Word
from recollect.serve.http.sending import Sent

Period = Literal["hour", "day", "week"]


class Situated(Sent):
    """A situation."""

    state: Text | list[Text] = Field(
        description="What is seen, or the situation in parts, from the general to the particular."
    )
    task_type: Word | None = None
    channel: Word | None = None


class AskedOnward(Situated):
    """A situation, and how much is told around each similar one."""

    k: int = Field(5, ge=1, le=100)
    before: int = Field(1, ge=0, le=100)
    after: int = Field(3, ge=0, le=100)


class AskedWhere(Sent):
    """An action in a situation."""

    state: Text | list[Text]
    action: Text
    channel: Word | None = None


class Criticised(Sent):
    """What went wrong in an episode, or could go better."""

    critique: Text


class Preferred(Sent):
    """For a question, memories that were better than others."""

    question: Text
    better: list[Word] = Field(min_length=1, max_length=100)
    worse: list[Word] = Field(min_length=1, max_length=100)


class WantedSkills(Sent):
    """Where skills are made of what succeeded."""

    channel: Word | None = None


class WantedInfluences(Sent):
    """How mentions are counted and compared."""

    period: Period = "day"
    lags: int = Field(3, ge=1, le=MOST_LAGS)
    rate: float = Field(0.05, gt=0.0, lt=1.0)
    limit: int = Field(30, ge=2, le=100, description="So many of the most named are compared.")
    channel: Word | None = None


class Stage(BaseModel):
    action: str
    region: str
    chance: float
    leads_to: str


class Strategy(BaseModel):
    """The way that led to success; empty where none is known."""

    stages: list[Stage]


class Skill(BaseModel):
    """What several successes did in the same order."""

    id: str
    goal: str
    steps: list[str]
    parameters: dict[str, list[str]]
    episodes: list[str]
    wins: int
    losses: int
    seconds: float | None


class Skills(BaseModel):
    skills: list[Skill]


class Tool(BaseModel):
    """What became of one type of action in the episodes that ended."""

    name: str
    calls: int
    wins: int
    losses: int
    success: float
    worked: int
    broke: int
    latency_ms: float | None


class Tools(BaseModel):
    tools: list[Tool]


class Way(BaseModel):
    """A success that stands for a group of similar ones."""

    episode: str
    group: int
    similarity: float
    goal: str
    actions: list[str]


class Ways(BaseModel):
    ways: list[Way]


class Continuation(BaseModel):
    """A step of an earlier success, with what was done before and after it."""

    precedent: Precedent
    before: list[EpisodeStep]
    after: list[EpisodeStep]


class Continuations(BaseModel):
    continuations: list[Continuation]


class Led(BaseModel):
    """Where an action led from a situation's region, and how good that region is; nothing where it is unknown."""

    quality: float | None
    reward: float | None = Field(description="The mean of what steps told as their reward for it.")
    transitions: dict[str, float]


class Lens(BaseModel):
    """How the lens of questions stands."""

    version: int
    contrasts: int
    pending: int
    rolled_back: int
    canary: float | None


class Influence(BaseModel):
    """That one's past helps to predict another."""

    cause: str
    effect: str
    p_value: float
    f: float
    lags: int
    period: Period
    periods: int


class Influences(BaseModel):
    """What comes before what, the surest first."""

    influences: list[Influence]
