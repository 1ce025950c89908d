"""Ports to what is kept for a while and may be lost: an agent's working memory, and vectors that processes share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the working memory of one conversation lies; nobody sees another's."""

    user: str
    channel: str
    conversation: str


class WorkingStore(Protocol):
    """What an agent has in mind right now: values and lists that are gone after a while, and no part of the truth.

    Everything that is kept is what JSON can hold. What is past its time is as if it had never been there.
    """

    def put(self, desk: Desk, name: str, value: Any, ttl_seconds: float) -> None: ...
    def get(self, desk: Desk, name: str) -> Any | None: ...
    def delete(self, desk: Desk, name: str) -> None: ...
    def values(self, desk: Desk) -> dict[str, Any]:
        """Every value that is there, by its name."""
        ...

    def push(self, desk: Desk, name: str, value: Any, *, keep: int, ttl_seconds: float) -> None:
        """Adds to the end of a list, of which the newest are kept; the whole list is gone so long after that."""
        ...

    def listed(self, desk: Desk, name: str, limit: int) -> list[Any]:
        """The newest of a list, the oldest of them first."""
        ...

    def clear(self, desk: Desk) -> None:
        """Forgets everything of a conversation."""
        ...


class VectorCache(Protocol):
    """Vectors of texts that several processes share, as bytes by the hash of their text.

    It may lose what it has at any time; it never fails.
    """

    def found(self, keys: Sequence[bytes]) -> dict[bytes, bytes]: ...
    def keep(self, rows: Mapping[bytes, bytes], ttl_seconds: float) -> None: ...
    def clear(self) -> None: ...
