"""Connections to one server, a few at a time, each used by one transaction after the other."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from recollect.errors import StoreBusy, StoreError
from recollect.stores.postgres import numbers, text

Connection = psycopg.Connection[tuple[object, ...]]
CONNECT_SECONDS = 5
IDLE_SECONDS = 300.0
"""A connection that was not needed for so long is given up."""


class Pool:
    """Opens a connection when none is idle, up to a number; one that broke is not used again."""

    def __init__(self, conninfo: str, size: int, wait_seconds: float) -> None:
        self._conninfo = conninfo
        self._size = size
        self._wait_seconds = wait_seconds
        self._places = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[tuple[float, Connection]] = []
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection that nobody else has meanwhile."""
        if not self._places.acquire(timeout=self._wait_seconds):
            raise StoreBusy(
                f"all {self._size} connections to the server are in use for over {self._wait_seconds:g} s;"
                " try again, or raise connections= in the store's address"
            )
        try:
            connection = self._taken() or self._connected()
            try:
                yield connection
            finally:
                self._given_back(connection)
        finally:
            self._places.release()

    def forget(self) -> None:
        """Gives the idle ones up: one that broke is seldom alone."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            _close(connection)

    def close(self) -> None:
        self._closed = True
        self.forget()

    def _taken(self) -> Connection | None:
        if self._closed:
            raise StoreError("the store is closed")
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < IDLE_SECONDS and not connection.closed:
                    return connection
                _close(connection)
        return None

    def _connected(self) -> Connection:
        connection = psycopg.connect(
            self._conninfo,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            client_encoding="utf8",
            fallback_application_name="recollect",
        )
        text.register(connection.adapters)
        numbers.register(connection.adapters)
        return connection

    def _given_back(self, connection: Connection) -> None:
        broken = connection.closed or connection.broken
        if broken or connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE or self._closed:
            _close(connection)
            return
        with self._lock:
            self._idle.append((time.monotonic(), connection))


def _close(connection: Connection) -> None:
    with suppress(psycopg.Error):
        connection.close()
