"""What is sent and answered about events, sessions that are over, and who and what memories name."""

from typing import Any

from pydantic import BaseModel, Field

from recollect.serve.http.models import Memory, Word
from recollect.serve.http.sending import MOST_MESSAGES, Sent


class Events(Sent):
    """What an agent did and met, in order: each an object with a `type` and whatever its emitter says of it."""

    events: list[dict[str, Any]] = Field(
        min_length=1,
        max_length=MOST_MESSAGES,
        examples=[[{"type": "run.completed", "session": "s1", "result": "A mutex was missing"}]],
    )
    session: Word | None = Field(None, description="The session of events that name none.")
    channel: Word | None = None
    run: Word | None = Field(None, description="The run of events that name none.")
    actor: Word | None = Field(None, description="Who acts in events that name nobody.")
    dry_run: bool = Field(False, description="Decide the same and write nothing.")


class EndSession(Sent):
    """A conversation that is over."""

    session: Word
    channel: Word | None = None
    dry_run: bool = Field(False, description="Decide the same and write nothing.")


class Taught(BaseModel):
    id: str
    text: str


class EndedSession(BaseModel):
    """What came of ending a session, and all that it has taught."""

    session: str
    channel: str
    turns: int = Field(description="How many of its turns were read now.")
    statements: dict[str, int] = Field(description="How often each was decided about what they state.")
    memories: list[Taught]


class UnreadSession(BaseModel):
    """A session with turns that no memories were formed from yet."""

    session: str
    channel: str
    turns: int
    last_at: str


class UnreadSessions(BaseModel):
    sessions: list[UnreadSession]


class Named(BaseModel):
    """Somebody or something that memories name, and how many do."""

    id: str
    kind: str
    name: str
    aliases: list[str]
    salience: float
    memories: int


class AllNamed(BaseModel):
    entities: list[Named]


class EntityRelation(BaseModel):
    """How two of them are related, by what a memory claims."""

    source: str
    type: str
    target: str
    attribute: str
    memory: str


class NearEntity(BaseModel):
    id: str
    steps: int


class Entity(BaseModel):
    """All that is held to be true of somebody or something."""

    id: str
    kind: str
    name: str
    aliases: list[str]
    salience: float
    relations: list[EntityRelation]
    near: list[NearEntity]
    memories: list[Memory]
