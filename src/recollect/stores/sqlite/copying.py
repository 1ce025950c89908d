"""Snapshots and branches: whole copies by SQLite's own backup, with a record of where they left."""

import json
import os
import uuid
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from recollect.errors import Conflict, StoreFull
from recollect.model import microseconds, moment
from recollect.stores.rows import user_range
from recollect.stores.sqlite.connection import Connections, create, told
from recollect.stores.sqlite.rows import pairs, rows, user_number

PAGES_A_STEP = 2_048


class Copying:
    """Store's part that makes copies and remembers them."""

    _connections: Connections
    _identity: str

    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None:
        path = path.absolute()
        for taken in (path, _beside(path, "-wal")):
            if taken.exists():
                raise Conflict(f"{taken} exists already; choose another name or remove it")
        # Remembered before it is there: a copy that a purge does not know of would keep what was purged.
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO copy VALUES (?, ?, ?)", (str(path), microseconds(at), int(branch))
            )
        try:
            self._place(path, branch=branch, at=microseconds(at))
        except BaseException:
            with self._connections.writing() as connection:
                connection.execute("DELETE FROM copy WHERE path = ?", (str(path),))
            raise

    def copies(self) -> list[Path]:
        """The copies that we made and that are still where they were put."""
        with self._connections.reading() as connection:
            paths = [Path(path) for (path,) in rows(connection, "SELECT path FROM copy ORDER BY path")]
        return [path for path in paths if path.exists()]

    def lineage(self) -> list[Mapping[str, Any]]:
        with self._connections.reading() as connection:
            found = rows(connection, "SELECT store, created_at, base FROM lineage ORDER BY depth")
        return [
            {"store": store, "created_at": moment(at), "base": json.loads(base)} for store, at, base in found
        ]

    def changed(self, user: str, after: int) -> list[str]:
        """The ids of memories with a version written after that number."""
        with self._connections.reading() as connection:
            number = user_number(connection, user)
            if number is None:
                return []
            first, last = user_range(number)
            found = rows(
                connection,
                "SELECT DISTINCT n.id FROM version v CROSS JOIN node n ON n.number = v.node"
                " WHERE v.number > ? AND v.number <= ? ORDER BY 1",
                (max(after, first), last),
            )
        return [memory_id for (memory_id,) in found]

    def _place(self, path: Path, *, branch: bool, at: int) -> None:
        """Makes the copy beside its place and moves it there when it is whole."""
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        create(partial)
        try:
            with told(partial):
                self._copy(partial, branch=branch, at=at)
            partial.replace(path)
        except OSError as error:
            raise StoreFull(f"{path} cannot be written ({error.strerror})") from error
        finally:
            for leftover in (
                partial,
                _beside(partial, "-wal"),
                _beside(partial, "-shm"),
                _beside(partial, "-journal"),
            ):
                leftover.unlink(missing_ok=True)

    def _copy(self, partial: Path, *, branch: bool, at: int) -> None:
        target = apsw.Connection(str(partial))
        try:
            with self._connections.reading() as source, target.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(PAGES_A_STEP)
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("DELETE FROM copy")
            if branch:
                base = pairs(target, "SELECT name, last_version FROM user")
                target.execute(
                    "INSERT INTO lineage (store, created_at, base) VALUES (?, ?, ?)",
                    (self._identity, at, json.dumps(base)),
                )
                target.execute("UPDATE meta SET value = ? WHERE name = 'identity'", (str(uuid.uuid4()),))
            target.execute("PRAGMA journal_mode = WAL")
        finally:
            target.close()


def _beside(path: Path, suffix: str) -> Path:
    """The file that SQLite keeps beside a database."""
    return path.with_name(path.name + suffix)
