"""What is published: an item with its versions, as a memory of the library's own user."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.model import Memory
from recollect.shared.access import FOR_ALL, Access

LIBRARY_USER: Final = "_library"
"""Whose memories the published items are; nobody has a key for it."""
KINDS: Final = ("document", "agent", "app", "pattern")
MOST_TITLE, MOST_SUMMARY = 300, 4_000


@dataclass(frozen=True, slots=True)
class Quality:
    """What is known of how runs that used an item went; noised, and only where enough accounts told."""

    score: float
    """The share that went well, shrunk towards a half: 0 to 1."""
    voices: int
    """About how many accounts told."""

    @property
    def is_proven(self) -> bool:
        """Whether it stands above what nobody has told of."""
        return self.score >= PROVEN_FROM


PROVEN_FROM: Final = 0.6
UNKNOWN_SCORE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Offer:
    """What somebody wants to publish."""

    title: str
    text: str
    kind: str = "document"
    summary: str = ""
    tags: tuple[str, ...] = ()
    author: str = ""
    access: Access = FOR_ALL

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidInput(f"what is published is one of {', '.join(KINDS)}, not {self.kind!r}")
        for name, most in (("title", MOST_TITLE), ("summary", MOST_SUMMARY)):
            if len(getattr(self, name)) > most:
                raise InvalidInput(f"the {name} has more than {most:,} characters")
        if not self.title.strip() or "\n" in self.title:
            raise InvalidInput("an item needs a title of one line")
        if not self.text.strip():
            raise InvalidInput("the text is empty: there is nothing to publish")

    @property
    def leaving(self) -> dict[str, str]:
        """Every word that others will be able to read, by what it is."""
        return {
            "title": self.title,
            "summary": self.summary,
            "text": self.text,
            "tags": ", ".join(self.tags),
            "author": self.author,
        }


@dataclass(frozen=True, slots=True)
class Item:
    """A published item, in one of its versions, as one reader sees it."""

    id: str
    title: str
    text: str
    kind: str
    summary: str
    tags: tuple[str, ...]
    author: str
    access: Access
    version: int
    published_at: datetime
    is_published: bool = True
    is_own: bool = False
    """Whether who looks at it published it."""
    quality: Quality | None = None


def whole_text(offer: Offer) -> str:
    """What is searched and brought back: title, summary and text."""
    return "\n\n".join(part for part in (offer.title, offer.summary, offer.text) if part)


def told_of(offer: Offer, version: int) -> dict[str, Any]:
    """What the memory of an item says beside its text."""
    return {"title": offer.title, "summary": offer.summary, "author": offer.author, "item_version": version}


def version_of(memory: Memory) -> int:
    """Which version of the item a memory holds; a change of who may read it is none."""
    return int(memory.metadata.get("item_version", 1))


def item_from(
    memory: Memory,
    access: Access,
    *,
    is_own: bool = False,
    is_published: bool = True,
    quality: Quality | None = None,
) -> Item:
    """The item that a memory of the library holds."""
    told = memory.metadata
    before = [part for part in (told.get("title", ""), told.get("summary", "")) if part]
    return Item(
        memory.id,
        told.get("title", ""),
        memory.text.removeprefix("\n\n".join([*before, ""])),
        memory.kind,
        told.get("summary", ""),
        memory.tags,
        told.get("author", ""),
        access if is_own else access.as_told(),
        version_of(memory),
        memory.recorded_at,
        is_published=is_published,
        is_own=is_own,
        quality=quality,
    )


def snapshots(history: Iterable[Memory]) -> list[Memory]:
    """Of each version of an item the memory that was first to hold it."""
    found: dict[int, Memory] = {}
    for memory in history:
        found.setdefault(version_of(memory), memory)
    return list(found.values())


def quality_from(value: Mapping[str, Any] | None) -> Quality | None:
    """What was released of an item, from its record."""
    return None if value is None else known_quality(value)


def known_quality(value: Mapping[str, Any]) -> Quality:
    """The same of an item of which something was released."""
    return Quality(float(value["score"]), int(value["voices"]))
