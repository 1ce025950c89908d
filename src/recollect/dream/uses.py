"""What was brought back, gathered off the reader's path and written in batches by a thread of its own."""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from recollect.dream.strengthening import Use, strengthen
from recollect.errors import StoreError
from recollect.ports import Store

BATCH = 256
log = logging.getLogger("recollect")


class Uses:
    """Uses that are not written yet. A killed process loses at most these, never a memory."""

    def __init__(self, store: Store, user: str, *, strengthens: Callable[[], bool] = lambda: True) -> None:
        self._store, self._user, self._strengthens = store, user, strengthens
        self._pending: list[Use] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def add(self, ids: Iterable[str], at: datetime) -> None:
        """Counts one use of each, together; a full batch is written while the caller goes on."""
        used = Use(tuple(ids), at)
        if not used.ids:
            return
        with self._lock:
            self._pending.append(used)
            full = sum(len(use.ids) for use in self._pending) >= BATCH
        if full and not self._writing.locked():
            threading.Thread(target=self._write_aside, name="recollect-uses").start()

    def flush(self) -> None:
        """Writes what is pending, and waits for what is being written."""
        with self._writing:
            with self._lock:
                taken, self._pending = self._pending, []
            try:
                if taken:
                    self._write(taken)
            except BaseException:
                with self._lock:
                    self._pending = taken + self._pending
                raise

    def _write(self, taken: Sequence[Use]) -> None:
        if self._strengthens():
            strengthen(self._store, self._user, taken)
            return
        accesses: dict[str, tuple[int, datetime]] = {}
        for use in taken:
            for memory_id in use.ids:
                count, latest = accesses.get(memory_id, (0, use.at))
                accesses[memory_id] = (count + 1, max(latest, use.at))
        if not self._store.touch(self._user, accesses):
            with self._lock:
                self._pending = [*taken, *self._pending]

    def _write_aside(self) -> None:
        try:
            self.flush()
        except StoreError as error:
            # Counts are not memories: they stay pending, and closing tells if they are lost.
            log.debug("what was recalled was not counted yet: %s", error)
