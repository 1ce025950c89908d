"""Counting what was recalled, off the reader's path: gathered in memory, written in batches."""

import threading
from collections.abc import Iterable
from datetime import datetime

from recollect.ports import Store

BATCH = 256


class Accesses:
    """Accesses that are not written yet. A killed process loses at most these counts, never a memory."""

    def __init__(self, store: Store, user: str) -> None:
        self._store, self._user = store, user
        self._pending: dict[str, tuple[int, datetime]] = {}
        self._lock = threading.Lock()

    def add(self, ids: Iterable[str], at: datetime) -> None:
        """Counts one access of each; writes when a batch is full and no other writer is busy."""
        with self._lock:
            for memory_id in ids:
                count, _ = self._pending.get(memory_id, (0, at))
                self._pending[memory_id] = (count + 1, at)
            full = len(self._pending) >= BATCH
        if full:
            self.flush()

    def flush(self) -> None:
        """Writes what is pending; keeps it where the store is busy."""
        with self._lock:
            pending, self._pending = self._pending, {}
        if pending and not self._store.touch(self._user, pending):
            with self._lock:
                for memory_id, (count, at) in pending.items():
                    newer, latest = self._pending.get(memory_id, (0, at))
                    self._pending[memory_id] = (count + newer, max(at, latest))
