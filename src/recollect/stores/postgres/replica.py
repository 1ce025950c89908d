"""A replica that answers what is only read, as long as it is there and has caught up with what we wrote."""

import logging
import threading
import time

import psycopg

from recollect.stores.postgres.pool import Connection, Pool
from recollect.stores.postgres.telling import is_lost

log = logging.getLogger("recollect")
AWAY_SECONDS = 5.0
"""So long a replica that did not answer is left alone."""


class Replica:
    """Knows how far this process has written, and whether the replica has that."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._lock = threading.Lock()
        self._written = self._replayed = 0
        self._away_until = 0.0

    def wrote(self, connection: Connection) -> None:
        """What was committed on this connection must be seen by who reads from now on."""
        found = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchone()
        with self._lock:
            self._written = max(self._written, _number(found))

    def is_current(self) -> bool:
        """Whether it can be read from now."""
        with self._lock:
            if time.monotonic() < self._away_until:
                return False
            if self._replayed and self._replayed >= self._written:
                return True
        try:
            with self.pool.connection() as connection:
                found = connection.execute("SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn").fetchone()
        except psycopg.OperationalError as error:
            if not is_lost(error):
                raise
            self.lost()
            return False
        with self._lock:
            self._replayed = max(self._replayed, _number(found))
            return self._replayed >= self._written

    def lost(self) -> None:
        """It does not answer: the primary does, until it is tried again."""
        self.pool.forget()
        with self._lock:
            if time.monotonic() >= self._away_until:
                log.warning("the read replica does not answer: reading from the primary")
            self._away_until = time.monotonic() + AWAY_SECONDS


def _number(found: tuple[object, ...] | None) -> int:
    return 0 if found is None or found[0] is None else int(str(found[0]))
