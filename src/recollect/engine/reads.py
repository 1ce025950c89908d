"""What was read, gathered off the reader's path and noted by a thread of its own."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime

from recollect.errors import RecollectError, StoreError
from recollect.model import AuditEntry
from recollect.ports import Store
from recollect.write.ids import Ids

LINGER_SECONDS = 1.0
"""So long reads wait for others, to be noted together: so much a killed process loses at most."""
MOST_WAITING = 10_000
"""Where a store takes nothing for so long that more wait, the oldest are left out, and that is noted."""
LEFT_OUT = "left out"
"""The operation of an entry that stands for reads which could not be noted."""
log = logging.getLogger("recollect")


class Reads:
    """Reads that are not noted yet, of whichever users; nothing that goes wrong here reaches who reads."""

    def __init__(self, store: Store, told: Callable[[AuditEntry], AuditEntry], ids: Ids) -> None:
        self._store, self._told, self.ids = store, told, ids
        self._waiting: deque[tuple[str, AuditEntry]] = deque()
        self._left_out: dict[str, tuple[int, datetime]] = {}
        self._lock, self._noting = threading.Lock(), threading.Lock()
        self._hurry = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, user: str, read: AuditEntry) -> None:
        """Has a read noted while the caller goes on."""
        with self._lock:
            self._waiting.append((user, read))
            if len(self._waiting) > MOST_WAITING:
                self._leave_out([self._waiting.popleft()])
            if self._thread is None:
                self._hurry.clear()
                self._thread = threading.Thread(target=self._note_aside, name="recollect-audit")
                self._thread.start()

    def flush(self) -> None:
        """Notes what waits, and waits for what is being noted."""
        self._hurry.set()
        with self._noting:
            with self._lock:
                taken, self._waiting = self._waiting, deque()
                left_out, self._left_out = self._left_out, {}
            try:
                self._note(taken, left_out)
            except StoreError:
                with self._lock:
                    self._waiting.extendleft(reversed(taken))
                    self._left_out |= left_out
                raise
            except RecollectError as error:
                # It would be refused again, and everything after it.
                log.warning("what was read cannot be put into the audit: %s", error)
                with self._lock:
                    self._leave_out(taken)

    def _note(self, taken: deque[tuple[str, AuditEntry]], left_out: dict[str, tuple[int, datetime]]) -> None:
        for user in dict.fromkeys([*(user for user, _ in taken), *left_out]):
            reads = [self._told(read) for whose, read in taken if whose == user]
            if user in left_out:
                count, at = left_out[user]
                reads.append(AuditEntry(self.ids.new(), at, LEFT_OUT, detail={"reads": count}))
            # A read has its id: where another user's could not be noted, this one's are not noted twice.
            self._store.note(user, reads)

    def _note_aside(self) -> None:
        self._hurry.wait(LINGER_SECONDS)
        with self._lock:
            self._thread = None
        try:
            self.flush()
        except RecollectError as error:
            log.warning("what was read is not in the audit yet: %s", error)

    def _leave_out(self, reads: Iterable[tuple[str, AuditEntry]]) -> None:
        for user, read in reads:
            count, _ = self._left_out.get(user, (0, read.at))
            self._left_out[user] = (count + 1, read.at)
