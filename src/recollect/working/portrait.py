"""What is known about the user as a person: what they prefer, what they know well, how they like to be talked to."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from recollect.model import Memory

ASPECTS: Final = ("preference", "expertise", "style")
"""The kinds of memory that a portrait is made of."""
TAG: Final = "portrait:"


@dataclass(frozen=True, slots=True)
class Portrait:
    """The memories that describe the user, the newest of each aspect first."""

    preferences: tuple[Memory, ...] = ()
    expertise: tuple[Memory, ...] = ()
    style: tuple[Memory, ...] = ()

    @property
    def text(self) -> str:
        """The portrait for a prompt; empty where nothing is known."""
        parts = (("Prefers", self.preferences), ("Knows well", self.expertise), ("Style", self.style))
        lines = [f"{name}: {'; '.join(one.text for one in found)}" for name, found in parts if found]
        return "\n".join(lines)


def name_tag(name: str) -> str:
    """The tag of what is said under a name, by which the next replaces it.

    >>> name_tag("Answer length")
    'portrait:answer length'
    """
    return TAG + " ".join(name.casefold().split())


def portrayed(memories: Iterable[Memory], most: int) -> Portrait:
    """The portrait that memories make, at most so many of each aspect."""
    by_aspect: dict[str, list[Memory]] = {aspect: [] for aspect in ASPECTS}
    for one in memories:
        if one.kind in by_aspect and len(by_aspect[one.kind]) < most:
            by_aspect[one.kind].append(one)
    return Portrait(*(tuple(by_aspect[aspect]) for aspect in ASPECTS))
