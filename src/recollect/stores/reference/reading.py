"""Reading memories, their edges and what is known about them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

from recollect.formulas import chain
from recollect.model import SYSTEM_USER, Counters, Edge, Filter, Memory, Record, State
from recollect.ports import BOTH_ENDS
from recollect.stores.matching import matches
from recollect.stores.reference.shelf import Shelves


class Reading(Shelves):
    """Store's reading part."""

    def reading(self) -> AbstractContextManager[None]:
        return self._consistent()

    def users(self) -> list[str]:
        return [name for name in self._shelves if name != SYSTEM_USER]

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

    def edges(
        self,
        user: str,
        ids: Sequence[str],
        types: Sequence[str] | None = None,
        *,
        ends: Sequence[str] = BOTH_ENDS,
    ) -> list[Edge]:
        chosen = set(ids)
        found = [
            e
            for e in self._shelf(user).edges.values()
            if chosen & {getattr(e, end) for end in ends} and (types is None or e.type in types)
        ]
        return sorted(found, key=lambda e: (e.recorded_at, e.source, e.target, e.type))

    def all_edges(self, user: str, after: int = 0) -> Iterator[Edge]:
        shelf = self._shelf(user)
        return iter([edge for number, edge in shelf.edges.items() if shelf.first + number > after])

    def counters(self, user: str, ids: Sequence[str]) -> dict[str, Counters]:
        known = self._shelf(user).counters
        return {memory_id: known[memory_id] for memory_id in ids if memory_id in known}

    def record(self, user: str, kind: str, key: str) -> Record | None:
        return self._shelf(user).records.get((kind, key))

    def records(
        self, user: str, kind: str, *, prefix: str = "", after: str | None = None, limit: int | None = None
    ) -> list[Record]:
        known = self._shelf(user).records.values()
        found = [r for r in known if r.kind == kind and r.key.startswith(prefix)]
        return sorted((r for r in found if after is None or r.key > after), key=lambda r: r.key)[:limit]

    def records_named(self, user: str, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        known = self._shelf(user).records
        return {key: known[kind, key] for key in keys if (kind, key) in known}

    def everyones_records(self, kind: str) -> dict[str, list[Record]]:
        found = {user: self.records(user, kind) for user in self.users()}
        return {user: some for user, some in found.items() if some}

    def everyones_settings(self) -> dict[str, dict[str, Any]]:
        return {user: known for user in self.users() if (known := self.settings(user))}

    def tombstones(self, user: str) -> list[bytes]:
        return sorted(self._shelf(user).tombstones)

    def erased(self, user: str, texts: Sequence[str]) -> list[bool]:
        shelf = self._shelf(user)
        return [chain.fingerprint(self._key, shelf.number, text) in shelf.tombstones for text in texts]

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

    @contextmanager
    def _consistent(self) -> Iterator[None]:
        with self._lock:
            yield
