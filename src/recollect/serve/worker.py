"""Doing what is due for every user of a store, again and again, until it is told to stop."""

import secrets
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from recollect import config
from recollect.dream.schedule import JOB, overdue
from recollect.engine.core import intervals
from recollect.errors import RecollectError
from recollect.shared.items import LIBRARY_USER
from recollect.write.receiving import WAITING

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.ports import Clock, Store

LOOK_SECONDS: Final = 15.0
"""How long a worker rests before it looks again; no job is late by more than that."""
LEFT_ALONE: Final = timedelta(minutes=1)
"""What was observed to be read later and still waits after so long was left by a process that died."""


class Worker:
    """Looks after all users of one store; any number of workers may share it."""

    def __init__(
        self,
        store: "Store",
        engine: "Callable[[str], Recollect]",
        heard: Callable[[dict[str, Any]], None],
        clock: "Clock",
    ) -> None:
        self._store, self._engine, self._heard, self._clock = store, engine, heard, clock
        self._library: Recollect | None = None
        self.id = secrets.token_hex(8)
        self.stopping = threading.Event()

    def look(self) -> int:
        """Does what is due for each user; gives how many jobs that were."""
        count = 0
        for user in self._waiting():
            if self.stopping.is_set():
                break
            memory = self._engine(user)
            try:
                memory.catch_up()
            except RecollectError as error:
                # One user's trouble is not another's; it waits for the next look.
                self._heard(_told(user, "read", error))
            for job, result in memory.work(self.id).items():
                count += 1
                self._heard(_told(user, job, result))
            memory.flush()
        return count + self._coordinated()

    def _coordinated(self) -> int:
        """Lets what was reported of published items move their ranks, where the library is in this store."""
        if self.stopping.is_set() or LIBRARY_USER not in self._store.users():
            return 0
        if self._library is None:
            self._library = self._engine(LIBRARY_USER)
        released = self._library.coordinate(minutes=self._library.refreshed().shared.coordinate_minutes)
        if not released:
            return 0
        self._heard({"user": LIBRARY_USER, "job": "coordinate", "changed": released})
        return 1

    def _waiting(self) -> list[str]:
        """Users for whom something is due: three questions to the store, however many users there are."""
        now, told = self._clock.now(), self._store.everyones_settings()
        left = {
            user
            for user, notes in self._store.everyones_records(WAITING).items()
            if any(now - note.updated_at >= LEFT_ALONE for note in notes)
        }
        usual = intervals(config.assembled({}, {}))
        done = self._store.everyones_records(JOB)
        waiting = []
        for user in self._store.users():
            # What was published does not fade: its authors look after it.
            if user == LIBRARY_USER:
                continue
            try:
                own = intervals(config.assembled(told[user], {})) if user in told else usual
            except RecollectError as error:
                # As above: no engine opens with such settings.
                self._heard(_told(user, "settings", error))
                continue
            if user in left or overdue(done.get(user, ()), own, now):
                waiting.append(user)
        return waiting

    def run(self, seconds: float = LOOK_SECONDS) -> None:
        """Looks again and again; a job that has begun is finished before it stops."""
        while not self.stopping.is_set():
            self.look()
            self.stopping.wait(seconds)


def _told(user: str, job: str, result: Any) -> dict[str, Any]:
    if isinstance(result, Exception):
        return {"user": user, "job": job, "error": f"{type(result).__name__}: {result}"}
    return {"user": user, "job": job, "changed": result.changed, "seconds": round(result.seconds, 3)}
