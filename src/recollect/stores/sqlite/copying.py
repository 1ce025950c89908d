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
from recollect.stores.sqlite.connection import Connections, create, told
from recollect.stores.sqlite.rows import user_number

PAGES_A_STEP = 2_048


class Copying:
    """Store's part that makes copies and remembers them."""

    _connections: Connections
    _identity: str

    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None:
        path = path.absolute()
        if path.exists():
            raise Conflict(f"{path} exists already; choose another name or remove it")
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        create(partial)
        try:
            with told(partial):
                self._copy(partial, branch=branch, at=microseconds(at))
            partial.replace(path)
        except OSError as error:
            raise StoreFull(f"{path} cannot be written ({error.strerror})") from error
        finally:
            for leftover in (partial, partial.with_name(partial.name + "-wal"), partial.with_name(partial.name + "-shm")):
                leftover.unlink(missing_ok=True)
        with self._connections.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO copy VALUES (?, ?, ?)", (str(path), microseconds(at), int(branch)))

    def copies(self) -> list[Path]:
        """The copies that we made and that are still where they were put."""
        with self._connections.reading() as connection:
            paths = [Path(path) for (path,) in connection.execute("SELECT path FROM copy ORDER BY path")]
        return [path for path in paths if path.exists()]

    def lineage(self) -> list[Mapping[str, Any]]:
        with self._connections.reading() as connection:
            rows = connection.execute("SELECT store, created_at, base FROM lineage ORDER BY depth").fetchall()
        return [{"store": store, "created_at": moment(at), "base": json.loads(base)} for store, at, base in rows]

    def changed(self, user: str, after: int) -> list[str]:
        """The ids of memories with a version written after that number."""
        with self._connections.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT n.id FROM version v JOIN node n ON n.number = v.node WHERE v.user = ? AND v.number > ? ORDER BY 1",
                (user_number(connection, user), after),
            ).fetchall()
        return [memory_id for (memory_id,) in rows]

    def _copy(self, partial: Path, *, branch: bool, at: int) -> None:
        target = apsw.Connection(str(partial))
        try:
            with self._connections.reading() as source, target.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(PAGES_A_STEP)
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("DELETE FROM copy")
            if branch:
                base = dict(target.execute("SELECT name, last_version FROM user").fetchall())
                target.execute("INSERT INTO lineage (store, created_at, base) VALUES (?, ?, ?)", (self._identity, at, json.dumps(base)))
                target.execute("UPDATE meta SET value = ? WHERE name = 'identity'", (str(uuid.uuid4()),))
            target.execute("PRAGMA journal_mode = WAL")
        finally:
            target.close()
