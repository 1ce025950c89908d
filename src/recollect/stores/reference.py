"""The store that is slow and obviously right: lists of versions in memory, every question a loop.

The others must agree with it. It is also what `Recollect(":memory:")` uses: nothing outlives it.
"""

import json
import secrets
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.errors import Conflict, InvalidInput, ModelMismatch, NotFound, StoreError
from recollect.formulas import chain
from recollect.model import (
    Counters,
    Edge,
    Fault,
    Filter,
    Memory,
    Origin,
    Scope,
    State,
    WitnessEntry,
    microseconds,
)
from recollect.ports import (
    WORD_BYTES,
    Change,
    Changes,
    Columns,
    Document,
    Erased,
    NewText,
    Progress,
    Visibility,
    Written,
)
from recollect.stores.changes import applied, check_embedded, retold, vector_bytes
from recollect.stores.matching import matches

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
    edges: list[Edge] = field(default_factory=list)
    counters: dict[str, Counters] = field(default_factory=dict)
    tombstones: set[bytes] = field(default_factory=set)
    settings: dict[str, Any] = field(default_factory=dict)
    witness: list[WitnessEntry] = field(default_factory=list)
    last_content: int = 0
    last_edge: int = 0

    @property
    def first(self) -> int:
        """The number that its rows are counted from."""
        return self.number << USER_BITS

    def history(self, memory_id: str) -> list[Memory]:
        """Every version of one memory, oldest first."""
        return [m for m in self.versions if m.id == memory_id and m.state != State.PURGED]


class ReferenceStore:
    """A `Store` that lives in this process alone."""

    def __init__(self) -> None:
        self._shelves: dict[str, Shelf] = {}
        self._key = secrets.token_bytes(32)
        self._identity = str(uuid.uuid4())
        self._model: tuple[str, int] | None = None
        self._incoming: tuple[str, int] | None = None
        self._arrived: dict[int, tuple[bytes, bytes | None]] = {}
        """Vectors and words of the incoming model."""
        self._lock = threading.RLock()

    @property
    def location(self) -> str:
        return ":memory:"

    @property
    def identity(self) -> str:
        return self._identity

    # writing

    def write(self, user: str, changes: Changes) -> list[Written]:
        with self._lock:
            before = self._shelves.get(user)
            shelf = Shelf(len(self._shelves) + 1) if before is None else _copied(before)
            model = self._checked_model(changes)
            first, edge = len(shelf.versions), shelf.last_edge
            written, edges = applied(changes, lambda change: self._apply(shelf, change))
            for one in edges:
                _relate(shelf, one, changes.at)
            grown = len(shelf.versions) > first or shelf.last_edge > edge
            if grown or not (changes.memories or changes.edges):
                self._seal(shelf, changes.operation, changes.at, changes.detail, first, edge)
            self._shelves[user], self._model = shelf, model
            return written

    def touch(self, user: str, accesses: Mapping[str, tuple[int, datetime]]) -> bool:
        with self._lock:
            shelf = self._shelf(user)
            for memory_id, (count, at) in accesses.items():
                if shelf.history(memory_id):
                    known = shelf.counters.get(memory_id, Counters())
                    last = at if known.last_accessed_at is None else max(known.last_accessed_at, at)
                    shelf.counters[memory_id] = Counters(known.access_count + count, last)
            return True

    def purge(self, user: str, ids: Sequence[str], at: datetime) -> Erased:
        chosen = tuple(dict.fromkeys(ids))
        with self._lock:
            shelf = _copied(self._shelf(user))
            erased: dict[int, str] = {}
            first = len(shelf.versions)
            for memory_id in chosen:
                history = shelf.history(memory_id)
                if not history:
                    raise NotFound(f"no memory {memory_id}")
                mine = {number: text for number, text in shelf.texts.items() if text.memory_id == memory_id}
                shelf.tombstones |= {text.mark for text in mine.values()}
                erased |= {number: text.text for number, text in mine.items()}
                for number in mine:
                    del shelf.texts[number]
                blank = Memory(memory_id, "", at, at, state=State.PURGED)
                shelf.versions = [blank if m.id == memory_id else m for m in shelf.versions]
                last = history[-1].version
                shelf.versions += [
                    replace(blank, version=last + place, content=-number)
                    for place, number in enumerate(mine, 1)
                ]
                shelf.edges = [e for e in shelf.edges if memory_id not in {e.source, e.target}]
                shelf.counters.pop(memory_id, None)
            self._seal(shelf, "purge", at, {"ids": list(chosen)}, first, shelf.last_edge)
            self._shelves[user] = shelf
        return Erased(chosen, tuple(erased), tuple(erased.values()))

    def set_settings(self, user: str, values: Mapping[str, Any], at: datetime) -> None:
        with self._lock:
            self.write(user, Changes("config", at, detail=dict(values)))
            shelf = self._shelf(user)
            settings = {**shelf.settings, **values}
            shelf.settings = {name: settings[name] for name in sorted(settings) if settings[name] is not None}

    # reading

    def reading(self) -> AbstractContextManager[None]:
        return self._consistent()

    def users(self) -> list[str]:
        return list(self._shelves)

    def get(self, user: str, memory_id: str, as_of: datetime | None = None) -> Memory | None:
        anything = Filter(states=tuple(State), any_session=True, as_of=as_of)
        found = [m for m in self._shelf(user).history(memory_id) if matches(anything, m)]
        return found[-1] if found else None

    def versions(self, user: str, memory_id: str) -> list[Memory]:
        return self._shelf(user).history(memory_id)

    def find(
        self,
        user: str,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[Memory]:
        found = [m for m in self._shelf(user).versions if m.content > 0 and matches(where, m)]
        if after is not None:
            found = [m for m in found if (m.id < after if newest_first else m.id > after)]
        found.sort(key=lambda m: m.version)
        found.sort(key=lambda m: m.id, reverse=newest_first)
        return found[:limit]

    def resolve(self, user: str, id_prefix: str) -> list[str]:
        return sorted({m.id for m in self._shelf(user).versions if m.id.startswith(id_prefix)})[:10]

    def edges(self, user: str, ids: Sequence[str], types: Sequence[str] | None = None) -> list[Edge]:
        chosen = set(ids)
        found = [
            e
            for e in self._shelf(user).edges
            if {e.source, e.target} & chosen and (types is None or e.type in types)
        ]
        return sorted(found, key=lambda e: (e.recorded_at, e.source, e.target, e.type))

    def all_edges(self, user: str) -> Iterator[Edge]:
        return iter(list(self._shelf(user).edges))

    def counters(self, user: str, ids: Sequence[str]) -> dict[str, Counters]:
        known = self._shelf(user).counters
        return {memory_id: known[memory_id] for memory_id in ids if memory_id in known}

    def tombstones(self, user: str) -> list[bytes]:
        return sorted(self._shelf(user).tombstones)

    def counts(self, user: str) -> dict[str, Any]:
        shelf = self._shelf(user)
        current = [m for m in shelf.versions if m.retired_at is None and m.content > 0]
        active = [m for m in current if m.state == State.ACTIVE]
        channels = sorted({m.channel for m in active})
        head = shelf.witness[-1] if shelf.witness else None
        return {
            "log": sum(m.lane == "log" for m in active),
            "memory": sum(m.lane == "memory" for m in active),
            "dormant": sum(m.state == State.DORMANT for m in current),
            "versions": sum(m.content != 0 for m in shelf.versions),
            "edges": len(shelf.edges),
            "tombstones": len(shelf.tombstones),
            "channels": {name: sum(m.channel == name for m in active) for name in channels},
            "witness": None if head is None else {"entries": head.sequence, "hash": head.hash.hex()},
        }

    def settings(self, user: str) -> dict[str, Any]:
        return dict(self._shelf(user).settings)

    # what the derived index follows

    def documents(self, user: str, after: int, limit: int) -> list[Document]:
        texts = self._shelf(user).texts
        found = [(number, texts[number]) for number in sorted(texts) if number > after]
        return [
            Document(
                number,
                text.new.terms,
                text.new.vector,
                None if text.origin.role is None else text.origin.session,
                text.origin.role == "user",
            )
            for number, text in found[:limit]
        ]

    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]:
        shelf = self._shelf(user)
        shown: list[Visibility] = []
        for number, m in enumerate(shelf.versions, shelf.first + 1):
            if number <= after or m.content == 0:
                continue
            earlier = [
                v.content
                for v in shelf.versions[: number - shelf.first - 1]
                if v.id == m.id and v.content > 0
            ]
            past = earlier[-1] if earlier and earlier[-1] != m.content else None
            shown.append(
                Visibility(
                    number,
                    max(m.content, 0),
                    -m.content if m.content < 0 else past,
                    m.lane,
                    m.state,
                    m.channel,
                    _only_session(m),
                    m.valid_from,
                    m.valid_until,
                )
            )
        return shown[:limit]

    def high_water(self, user: str) -> tuple[int, int]:
        shelf = self._shelf(user)
        return shelf.first + shelf.last_content, shelf.first + len(shelf.versions)

    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        texts = self._shelf(user).texts
        found = [n for n in sorted(set(contents.tolist())) if n in texts and texts[n].new.vector is not None]
        data = b"".join(texts[n].new.vector or b"" for n in found)
        vectors = (
            np.frombuffer(data, np.float16).reshape(len(found), -1) if found else np.empty((0, 0), np.float16)
        )
        return np.array(found, np.int64), vectors

    def words(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        texts = self._shelf(user).texts
        found = {n: texts[n].new.words for n in sorted(set(contents.tolist())) if n in texts}
        having = {n: words for n, words in found.items() if words}
        counts = [len(words) // WORD_BYTES for words in having.values()]
        codes = np.frombuffer(b"".join(having.values()), np.uint8)
        return (
            np.array(list(having), np.int64),
            np.cumsum(counts, dtype=np.int64),
            codes.reshape(-1, WORD_BYTES),
        )

    def matching(self, user: str, where: Filter) -> NDArray[np.int64]:
        return np.array(sorted({m.content for m in self.find(user, where)}), np.int64)

    def columns(self, user: str, contents: NDArray[np.int64], where: Filter) -> Columns:
        found = sorted(self.shown(user, contents.tolist(), where), key=lambda m: m.content)
        known = self._shelf(user).counters
        counters = [known.get(m.id, Counters()) for m in found]
        return Columns(
            np.array([m.content for m in found], np.int64),
            np.array([m.confidence for m in found], np.float64),
            np.array([m.importance for m in found], np.float64),
            np.array([microseconds(m.valid_from) for m in found], np.int64),
            np.array([microseconds(m.recorded_at) for m in found], np.int64),
            np.array([c.access_count for c in counters], np.int64),
            np.array(
                [
                    microseconds(c.last_accessed_at or m.recorded_at)
                    for c, m in zip(counters, found, strict=True)
                ],
                np.int64,
            ),
        )

    def shown(self, user: str, contents: Sequence[int], where: Filter) -> list[Memory]:
        chosen = set(contents)
        return [m for m in self.find(user, where) if m.content in chosen]

    # models

    def model(self) -> tuple[str, int] | None:
        return self._model

    def unembedded(
        self, model: str, after: int, limit: int, *, words: bool = False
    ) -> list[tuple[int, str, str | None]]:
        with self._lock:
            lacking = [
                (number, text.text, text.origin.speaker)
                for number, text in self._texts()
                if number > after and None in self._embedded(model, number, text)[: 2 if words else 1]
            ]
            return lacking[:limit]

    def unembedded_count(self, model: str, *, words: bool = False) -> int:
        return len(self.unembedded(model, 0, len(self._texts()), words=words))

    def embed(self, model: str, dimension: int, vectors: Sequence[tuple[int, bytes, bytes | None]]) -> None:
        check_embedded(model, dimension, vectors)
        with self._lock:
            kept = next(
                (known for known in (self._model, self._incoming) if known and known[0] == model), None
            )
            if kept is not None and kept[1] != dimension:
                raise ModelMismatch(f"{model} gave vectors of {kept[1]} numbers before, now of {dimension}")
            if kept is None:
                self._incoming, self._arrived = (model, dimension), {}
            texts = dict(self._texts())
            for number, vector, words in vectors:
                if number not in texts:
                    continue
                kept_words = self._embedded(model, number, texts[number])[1] if words is None else words
                if self._is(model):
                    texts[number].new = replace(texts[number].new, vector=vector, words=kept_words)
                else:
                    self._arrived[number] = (vector, kept_words)

    def adopt(self, model: str) -> bool:
        with self._lock:
            if self._is(model):
                return True
            if self._incoming is None or self._incoming[0] != model or self.unembedded(model, 0, 1):
                return False
            for number, text in self._texts():
                vector, words = self._arrived[number]
                text.new = replace(text.new, vector=vector, words=words)
            self._model, self._incoming, self._arrived = self._incoming, None, {}
            return True

    # keeping it safe

    def witness(self, user: str, after: int = 0, limit: int | None = None) -> list[WitnessEntry]:
        return [e for e in self._shelf(user).witness if e.sequence > after][:limit]

    def verify(self, user: str, progress: Progress | None = None) -> list[Fault]:
        entries = self._shelf(user).witness
        previous = chain.GENESIS
        for entry in entries:
            covers = (*entry.versions, *entry.edges)
            linked = chain.link(
                previous,
                entry.sequence,
                microseconds(entry.at),
                entry.operation,
                entry.detail,
                covers,
                entry.digest,
            )
            if linked != entry.hash:
                return [
                    Fault(
                        f"witness {entry.sequence}", "it was changed, or does not follow the entry before it"
                    )
                ]
            previous = entry.hash
            if progress is not None:
                progress(entry.sequence, len(entries))
        return []

    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None:  # noqa: ARG002
        raise StoreError(
            "a store in memory has no file to copy; give Recollect a path to use snapshots and branches"
        )

    def copies(self) -> list[Path]:
        return []

    def lineage(self) -> list[Mapping[str, Any]]:
        return []

    def changed(self, user: str, after: int) -> list[str]:
        shelf = self._shelf(user)
        return sorted({m.id for m in shelf.versions[max(after - shelf.first, 0) :] if m.content != 0})

    def compact(self) -> None:
        """Nothing to give back."""

    def close(self) -> None:
        """Nothing to close: what is in memory goes with the object."""

    # its own

    @contextmanager
    def _consistent(self) -> Iterator[None]:
        with self._lock:
            yield

    def _shelf(self, user: str) -> Shelf:
        return self._shelves.get(user) or Shelf(0)

    def _is(self, model: str) -> bool:
        return self._model is not None and self._model[0] == model

    def _embedded(self, model: str, number: int, text: Text) -> tuple[bytes | None, bytes | None]:
        """The vector and the words that a model gave for a text."""
        if self._is(model):
            return text.new.vector, text.new.words
        incoming = self._incoming is not None and self._incoming[0] == model
        return self._arrived.get(number, (None, None)) if incoming else (None, None)

    def _texts(self) -> list[tuple[int, Text]]:
        return [pair for shelf in self._shelves.values() for pair in shelf.texts.items()]

    def _checked_model(self, changes: Changes) -> tuple[str, int] | None:
        """The store's model after these changes."""
        size = vector_bytes(changes)
        if changes.model is None:
            return self._model
        if self._model is None:
            return None if size is None else (changes.model, size // 2)
        if self._model[0] != changes.model or size not in {None, 2 * self._model[1]}:
            raise ModelMismatch(
                f"the store's vectors are {self._model[0]} ({self._model[1]} numbers), these are {changes.model}"
                f" ({'none' if size is None else size // 2}); run `recollect reembed` to change the store's model"
            )
        return self._model

    def _apply(self, shelf: Shelf, change: Change) -> Written:
        memory = replace(change.memory, retired_at=None)
        _check_text(memory)
        mark = chain.fingerprint(self._key, shelf.number, memory.text)
        if change.new is not None:
            if mark in shelf.tombstones:
                return Written(memory.id, "tombstone")
            twin = _twin(shelf, mark, memory) if change.once else None
            if twin is not None:
                return Written(twin, "duplicate")
        history = shelf.history(memory.id)
        if memory.version == 1 and any(m.id == memory.id for m in shelf.versions):
            raise Conflict(f"{memory.id} exists already")
        if memory.version > 1 and not history:
            raise NotFound(f"no memory {memory.id}")
        if memory.version > 1 and history[-1].version != memory.version - 1:
            raise Conflict(f"{memory.id} was changed by somebody else in the meantime; read it again")
        if change.new is None:
            memory = retold(memory, history[-1] if history else None)
        else:
            shelf.last_content += 1
            memory = replace(memory, content=shelf.first + shelf.last_content)
            shelf.texts[memory.content] = Text(memory.id, memory.text, memory.origin, change.new, mark)
        shelf.versions = [
            replace(m, retired_at=memory.recorded_at) if m.id == memory.id and m.retired_at is None else m
            for m in shelf.versions
        ]
        shelf.versions.append(memory)
        return Written(memory.id)

    def _seal(
        self, shelf: Shelf, operation: str, at: datetime, detail: Mapping[str, Any], first: int, edge: int
    ) -> None:
        numbers = (first + 1, len(shelf.versions), edge + 1, shelf.last_edge)
        covers = tuple(shelf.first + number for number in numbers)
        digest = chain.batch_digest(
            self._key, [chain.version_digest(self._key, m, b"") for m in shelf.versions[first:]]
        )
        previous = shelf.witness[-1].hash if shelf.witness else chain.GENESIS
        sequence = len(shelf.witness) + 1
        link = chain.link(previous, sequence, microseconds(at), operation, detail, covers, digest)
        shelf.witness.append(
            WitnessEntry(
                sequence,
                at,
                operation,
                dict(detail),
                (covers[0], covers[1]),
                (covers[2], covers[3]),
                digest,
                link,
            )
        )


def _copied(shelf: Shelf) -> Shelf:
    """A shelf to change and then to put in place of the old one: what fails leaves nothing behind."""
    return replace(
        shelf,
        versions=list(shelf.versions),
        texts=dict(shelf.texts),
        edges=list(shelf.edges),
        counters=dict(shelf.counters),
        tombstones=set(shelf.tombstones),
        witness=list(shelf.witness),
    )


def _check_text(memory: Memory) -> None:
    m = memory
    said = [
        m.id,
        m.text,
        m.kind,
        m.channel,
        m.tags,
        m.supersedes,
        m.superseded_by,
        astuple(m.origin),
        dict(m.metadata),
    ]
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"a text with half a character (a lone surrogate) cannot be stored ({error})"
        ) from error


def _only_session(memory: Memory) -> str | None:
    return memory.origin.session if memory.scope == Scope.SESSION else None


def _twin(shelf: Shelf, mark: bytes, memory: Memory) -> str | None:
    for m in shelf.versions:
        place = (m.lane, m.channel, _only_session(m))
        current = m.retired_at is None and m.state == State.ACTIVE and m.valid_until is None
        if (
            current
            and place == (memory.lane, memory.channel, _only_session(memory))
            and shelf.texts[m.content].mark == mark
        ):
            return m.id
    return None


def _relate(shelf: Shelf, edge: Edge, at: datetime) -> None:
    for end in (edge.source, edge.target):
        if not shelf.history(end):
            raise NotFound(f"no memory {end} to link")
    for place, known in enumerate(shelf.edges):
        if (known.source, known.type, known.target) == (edge.source, edge.type, edge.target):
            shelf.edges[place] = replace(known, weight=max(known.weight, edge.weight))
            return
    shelf.last_edge += 1
    shelf.edges.append(replace(edge, recorded_at=edge.recorded_at or at))
