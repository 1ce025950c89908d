"""Connections to one SQLite file: how it is opened, shared by threads, and how its errors are told."""

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from recollect.errors import InvalidInput, StoreBusy, StoreCorrupt, StoreError, StoreFull
from recollect.stores.rows import Row
from recollect.stores.sqlite.migrations import migrate
from recollect.stores.sqlite.rows import rows, user_number

APPLICATION_ID = 0x52434C54  # "RCLT": tells our files from other SQLite databases
BUSY_MILLISECONDS = 60_000
HURRIED_MILLISECONDS = 1_000
"""So long what may be given up waits for other writers."""
MAPPED_BYTES = 1 << 34

PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16000",
    f"PRAGMA mmap_size = {MAPPED_BYTES}",
)


@contextmanager
def told(path: Path, busy_milliseconds: int = BUSY_MILLISECONDS) -> Iterator[None]:
    """Wraps the driver's errors, once, into ours, with what to do."""
    try:
        yield
    except apsw.BusyError as error:
        raise StoreBusy(
            f"{path} is held by another process for over {busy_milliseconds // 1000} s; try again"
        ) from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreCorrupt(
            f"{path} is damaged or not a Recollect store ({error}); restore a snapshot, or move the file away to start anew"
        ) from error
    except (apsw.FullError, apsw.ReadOnlyError) as error:
        raise StoreFull(
            f"{path} cannot be written ({error}); free some space or check its permissions"
        ) from error
    except apsw.CantOpenError as error:
        raise StoreError(
            f"{path} cannot be opened ({error}); check that the folder exists and may be written"
        ) from error
    except apsw.IOError as error:
        raise StoreFull(
            f"reading or writing {path} failed ({error}); check the disk's space and health"
        ) from error
    except apsw.Error as error:
        raise StoreError(f"{path}: {error}") from error
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"a text with half a character (a lone surrogate) cannot be stored ({error})"
        ) from error


class Connections:
    """One writing connection behind a lock, and a reading one for each thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.RLock()
        self._local = threading.local()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._registering = threading.Lock()
        self._closed = False
        self._numbers: dict[str, int] = {}
        create(path)
        with told(path):
            self._writer = self._open()
            try:
                migrate(self._writer, path, APPLICATION_ID)
            except BaseException:
                self._writer.close()
                raise

    @contextmanager
    def writing(self, *, hurried: bool = False) -> Iterator[apsw.Connection]:
        """A transaction that is wholly durable when the block ends, or has not happened."""
        with told(self.path, HURRIED_MILLISECONDS if hurried else BUSY_MILLISECONDS), self._writing:
            if hurried:
                self._writer.set_busy_timeout(HURRIED_MILLISECONDS)
            try:
                self._writer.execute("BEGIN IMMEDIATE")
            finally:
                if hurried:
                    self._writer.set_busy_timeout(BUSY_MILLISECONDS)
            with self._committed() as writer:
                yield writer

    @contextmanager
    def counting(self) -> Iterator[apsw.Connection | None]:
        """A transaction for counters: not synced, and None at once where another writer is busy."""
        if not self._writing.acquire(blocking=False):
            yield None
            return
        try:
            with told(self.path), self._hurried():
                try:
                    self._writer.execute("BEGIN IMMEDIATE")
                except apsw.BusyError:
                    yield None
                    return
                with self._committed() as writer:
                    yield writer
        finally:
            self._writing.release()

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A consistent view: every query in the block sees the same moment of the store."""
        with told(self.path):
            reader = self._reader()
            if reader.in_transaction:
                yield reader
                return
            reader.execute("BEGIN")
            self._local.known = {}
            try:
                yield reader
            finally:
                self._local.known = None
                _roll_back(reader)

    def known(self, reader: apsw.Connection, query: str, bound: tuple[Any, ...]) -> list[Row]:
        """The rows of what is asked again and again by who reads: one view has one answer."""
        key = (query, bound)
        known: dict[tuple[str, tuple[Any, ...]], list[Row]] = self._local.known
        found = known.get(key)
        if found is None:
            found = known[key] = rows(reader, query, bound)
        return found

    def number(self, reader: apsw.Connection, user: str) -> int | None:
        """The number of a user who has written before; once it is there it never changes."""
        number = self._numbers.get(user)
        if number is None:
            number = user_number(reader, user)
            if number is not None:
                self._numbers[user] = number
        return number

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, for what SQLite does not allow within one."""
        with told(self.path), self._writing:
            yield self._writer

    def close(self) -> None:
        """Closes every connection; the last one of all processes folds the write-ahead log in."""
        with told(self.path), self._writing, self._registering:
            self._closed = True
            for reader in list(self._readers):
                # One that somebody is reading with, such as a late answer of a library, goes with its thread.
                with suppress(apsw.ThreadingViolationError):
                    reader.close()
            self._writer.close()

    @contextmanager
    def _committed(self) -> Iterator[apsw.Connection]:
        try:
            yield self._writer
            self._writer.execute("COMMIT")
        finally:
            _roll_back(self._writer)

    @contextmanager
    def _hurried(self) -> Iterator[None]:
        """Neither waits for other processes nor for the disk."""
        self._writer.set_busy_timeout(0)
        self._writer.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self._writer.execute("PRAGMA synchronous = FULL")
            self._writer.set_busy_timeout(BUSY_MILLISECONDS)

    def _reader(self) -> apsw.Connection:
        """This thread's own; it goes with the thread."""
        reader: apsw.Connection | None = getattr(self._local, "reader", None)
        if reader is None:
            with self._registering:
                if self._closed:
                    raise StoreError(f"{self.path} is closed")
                reader = self._open()
                self._readers.add(reader)
            self._local.reader = reader
        return reader

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            for pragma in PRAGMAS:
                connection.execute(pragma)
        except BaseException:
            connection.close()
            raise
        return connection


def _roll_back(connection: apsw.Connection) -> None:
    """Ends what is left open: some errors have ended it already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def create(path: Path) -> None:
    """Makes the file, for its owner alone, where there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        if not path.exists():
            raise StoreFull(f"{path} cannot be created: {path.parent} is not a folder") from None
        if path.is_dir():
            raise StoreError(f"{path} is a folder; name a file in it, such as {path / 'agent.db'}") from None
        if path.is_file() and path.stat().st_size == 1:  # which SQLite would take for an empty one
            raise StoreCorrupt(
                f"{path} is damaged or not a Recollect store (one byte);"
                " restore a snapshot, or move the file away to start anew"
            ) from None
    except OSError as error:
        raise StoreFull(
            f"{path} cannot be created ({error.strerror}); choose a folder that may be written"
        ) from error
