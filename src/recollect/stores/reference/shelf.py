"""All that one user has, and how the store's parts get at it."""

import secrets
import threading
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.model import AuditEntry, Counters, Edge, Memory, Origin, Record, Scope, State, WitnessEntry
from recollect.ports import NewText

USER_BITS = 40
"""Rows are numbered by user and sequence, so that no two users share a number."""


@dataclass
class Text:
    """A stored text: what the SQLite store keeps in `content`, `vector` and `words`."""

    memory_id: str
    text: str
    origin: Origin
    new: NewText
    mark: bytes


@dataclass
class Shelf:
    """All that one user has."""

    number: int
    versions: list[Memory] = field(default_factory=list)
    """In the order of writing; an erased one leaves a blank behind, so that the others keep their numbers."""
    texts: dict[int, Text] = field(default_factory=dict)
    edges: dict[int, Edge] = field(default_factory=dict)
    """By their numbers, in the order of writing."""
    counters: dict[str, Counters] = field(default_factory=dict)
    records: dict[tuple[str, str], Record] = field(default_factory=dict)
    tombstones: set[bytes] = field(default_factory=set)
    settings: dict[str, Any] = field(default_factory=dict)
    witness: list[WitnessEntry] = field(default_factory=list)
    reads: dict[str, AuditEntry] = field(default_factory=dict)
    last_content: int = 0
    last_edge: int = 0

    @property
    def first(self) -> int:
        """The number that its rows are counted from."""
        return self.number << USER_BITS

    def history(self, memory_id: str) -> list[Memory]:
        """Every version of one memory, oldest first."""
        return [m for m in self.versions if m.id == memory_id and m.state != State.PURGED]

    def copied(self) -> "Shelf":
        """A shelf to change and then to put in place of this one: what fails leaves nothing behind."""
        return replace(
            self,
            versions=list(self.versions),
            texts=dict(self.texts),
            edges=dict(self.edges),
            counters=dict(self.counters),
            records=dict(self.records),
            tombstones=set(self.tombstones),
            witness=list(self.witness),
            reads=dict(self.reads),
        )


class Shelves:
    """What the store's parts share."""

    def __init__(self) -> None:
        self._shelves: dict[str, Shelf] = {}
        self._key = secrets.token_bytes(32)
        self._model: tuple[str, int] | None = None
        self._incoming: tuple[str, int] | None = None
        self._arrived: dict[int, tuple[bytes, bytes | None]] = {}
        """Vectors and words of the incoming model."""
        self._lock = threading.RLock()

    def _shelf(self, user: str) -> Shelf:
        return self._shelves.get(user) or Shelf(0)


def only_session(memory: Memory) -> str | None:
    """The session that alone sees a memory."""
    return memory.origin.session if memory.scope == Scope.SESSION else None
