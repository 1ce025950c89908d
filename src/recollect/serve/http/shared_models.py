"""What is answered about the library, grants and a sync."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from recollect.serve.http.models import Imported


class ItemQuality(BaseModel):
    """How an item served, noised, where enough accounts told."""

    score: float
    voices: int


class Item(BaseModel):
    """Something published, as the caller sees it."""

    id: str
    title: str
    text: str
    kind: Literal["document", "agent", "app", "pattern"]
    summary: str
    tags: list[str]
    author: str
    access: str
    version: int
    published_at: str
    is_published: bool
    is_own: bool
    quality: ItemQuality | None


class Items(BaseModel):
    items: list[Item]


class FoundItem(BaseModel):
    """A hit of the library: what is published, and how well it answers."""

    id: str
    text: str = Field(description="Title, summary and text.")
    kind: Literal["document", "agent", "app", "pattern"]
    tags: list[str]
    title: str
    summary: str
    author: str
    version: int
    published_at: str
    score: float
    signals: dict[str, float]
    values: dict[str, float] = Field(description="Each signal before its weight, and the item's quality.")
    similarity: float
    relevance: float | None


class FoundItems(BaseModel):
    hits: list[FoundItem]


class LeavingProblem(BaseModel):
    """What may not leave: what it is and in which part."""

    part: str
    kind: str
    label: str


class Preview(BaseModel):
    """Exactly what would leave."""

    may_leave: bool
    text: str
    metadata: dict[str, Any]
    entities: list[str]
    problems: list[LeavingProblem]
    replaces: int | None
    changes: list[str]


class Reported(BaseModel):
    """The items for which it counts."""

    counted: list[str]


class Grant(BaseModel):
    """Who may do what in whose channel."""

    owner: str
    channel: str
    user: str
    role: Literal["reader", "writer", "owner"]
    granted_by: str
    granted_at: str


class Grants(BaseModel):
    given: list[Grant]
    received: list[Grant]


class SyncPlace(BaseModel):
    """This store's name, and how far it has taken what the asked one has."""

    store: str
    place: dict[str, Any]


class SyncMessage(BaseModel):
    """A page, and its signature."""

    page: dict[str, Any]
    signature: str


class SyncTaken(Imported):
    """What taking a page did, by id."""

    purged: list[str]
    kept: list[str]
    unlinked: int
