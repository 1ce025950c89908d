"""Writing and erasing: on a copy of the user's shelf, which then takes the place of the old one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from functools import partial
from typing import Any

from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.formulas import chain
from recollect.model import KEYED, Counters, Edge, Memory, Record, State, WitnessEntry, microseconds, utc
from recollect.ports import Change, Changes, Erased, RecordChange, Written
from recollect.removals import REMOVAL
from recollect.stores.changes import (
    applied,
    check_model,
    checked_counters,
    checked_record,
    happened,
    refusable,
    retold,
    vector_bytes,
)
from recollect.stores.reference.auditing import erase_reads
from recollect.stores.reference.shelf import Shelf, Shelves, Text, only_session


class Writing(Shelves):
    """Store's writing part."""

    def write(self, user: str, changes: Changes) -> list[Written]:
        with self._lock:
            before = self._shelves.get(user)
            shelf = Shelf(len(self._shelves) + 1) if before is None else before.copied()
            model = self._checked_model(changes)
            first, edge = len(shelf.versions), shelf.last_edge
            written, edges = applied(changes, lambda change: self._apply(shelf, change))
            for one in edges:
                _relate(shelf, one, changes.at)
            added = [one for number, one in shelf.edges.items() if number > edge]
            for one in changes.reweighed:
                shelf.edges[_known(shelf, one)] = replace(shelf.edges[_known(shelf, one)], weight=one.weight)
            for one in changes.unlinked:
                del shelf.edges[_known(shelf, one)]
            for memory_id, values in changes.counters.items():
                _learn(shelf, memory_id, values)
            _count(shelf, changes.accesses)
            for record in (*happened(changes, added, partial(_removed, shelf)), *changes.records):
                _keep(shelf, record, changes.at)
            grown = len(shelf.versions) > first or shelf.last_edge > edge
            if grown or not refusable(changes):
                self._seal(shelf, changes.operation, changes.at, changes.detail, first, edge)
            self._shelves[user], self._model = shelf, model
            return written

    def touch(self, user: str, accesses: Mapping[str, tuple[int, datetime]]) -> bool:
        with self._lock:
            _count(self._shelf(user), accesses)
            return True

    def purge(self, user: str, ids: Sequence[str], at: datetime) -> Erased:
        chosen = tuple(dict.fromkeys(ids))
        with self._lock:
            shelf = self._shelf(user).copied()
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
                shelf.edges = {
                    number: e for number, e in shelf.edges.items() if memory_id not in {e.source, e.target}
                }
                shelf.counters.pop(memory_id, None)
            erase_reads(shelf, chosen, tuple(erased.values()))
            self._seal(shelf, "purge", at, {"ids": list(chosen)}, first, shelf.last_edge)
            self._shelves[user] = shelf
            self._arrived = {number: made for number, made in self._arrived.items() if number not in erased}
        return Erased(chosen, tuple(erased), tuple(erased.values()))

    def set_settings(self, user: str, values: Mapping[str, Any], at: datetime) -> None:
        with self._lock:
            self.write(user, Changes("config", at, detail=dict(values)))
            shelf = self._shelf(user)
            settings = {**shelf.settings, **values}
            shelf.settings = {name: settings[name] for name in sorted(settings) if settings[name] is not None}

    def _checked_model(self, changes: Changes) -> tuple[str, int] | None:
        """The store's model after these changes."""
        size = vector_bytes(changes)
        if changes.model is None:
            return self._model
        if self._model is None:
            return None if size is None else (changes.model, size // 2)
        check_model(changes, size, *self._model)
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


def _twin(shelf: Shelf, mark: bytes, memory: Memory) -> str | None:
    for m in shelf.versions:
        place = (m.lane, m.channel, only_session(m))
        current = m.retired_at is None and m.state == State.ACTIVE and m.valid_until is None
        if (
            current
            and place == (memory.lane, memory.channel, only_session(memory))
            and (m.kind == memory.kind or m.kind not in KEYED)
            and shelf.texts[m.content].mark == mark
        ):
            return m.id
    return None


def _relate(shelf: Shelf, edge: Edge, at: datetime) -> None:
    place = _place(shelf, edge)
    if place is not None:
        known = shelf.edges[place]
        shelf.edges[place] = replace(known, weight=max(known.weight, edge.weight))
        return
    shelf.last_edge += 1
    shelf.edges[shelf.last_edge] = replace(edge, recorded_at=edge.recorded_at or at)


def _place(shelf: Shelf, edge: Edge) -> int | None:
    """The number of the edge that says the same."""
    for end in (edge.source, edge.target):
        if not shelf.history(end):
            raise NotFound(f"no memory {end} to link")
    for place, known in shelf.edges.items():
        if (known.source, known.type, known.target) == (edge.source, edge.type, edge.target):
            return place
    return None


def _known(shelf: Shelf, edge: Edge) -> int:
    place = _place(shelf, edge)
    if place is None:
        raise NotFound(f"no {edge.type} edge from {edge.source} to {edge.target}")
    return place


def _removed(shelf: Shelf, keys: Sequence[str]) -> list[str]:
    return [key for key in keys if (REMOVAL, key) in shelf.records]


def _count(shelf: Shelf, accesses: Mapping[str, tuple[int, datetime]]) -> None:
    for memory_id, (count, at) in accesses.items():
        if shelf.history(memory_id):
            known = shelf.counters.get(memory_id, Counters())
            last = at if known.last_accessed_at is None else max(known.last_accessed_at, at)
            shelf.counters[memory_id] = replace(
                known, access_count=known.access_count + count, last_accessed_at=last
            )


def _learn(shelf: Shelf, memory_id: str, values: Mapping[str, Any]) -> None:
    if not shelf.history(memory_id):
        raise NotFound(f"no memory {memory_id} to learn about")
    known = shelf.counters.get(memory_id, Counters())
    shelf.counters[memory_id] = replace(known, **checked_counters(values))


def _keep(shelf: Shelf, change: RecordChange, at: datetime) -> None:
    text = checked_record(change)
    place = (change.kind, change.key)
    known = shelf.records.get(place)
    if change.expected is not None and change.expected != (0 if known is None else known.revision):
        raise Conflict(
            f"{change.kind} {change.key} was changed by somebody else in the meantime; read it again"
        )
    if text is None:
        shelf.records.pop(place, None)
    else:
        # Through JSON, as a store on a disk gives it back: a tuple comes back as a list.
        shelf.records[place] = Record(*place, json.loads(text), len(shelf.witness) + 1, utc(at))
