"""Copies of a store on a server, each one file, and where it came from."""

import json
import os
import uuid
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.errors import Conflict, StoreFull
from recollect.model import microseconds, moment
from recollect.stores.moving import move
from recollect.stores.postgres.session import EVERYONE
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.sqlite import SQLiteStore


class Copying(Tenants):
    """Store's part that makes copies and remembers them."""

    _identity: str

    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None:
        path = path.absolute()
        if path.exists():
            raise Conflict(f"{path} exists already; choose another name or remove it")
        # Remembered before it is there: a copy that a purge does not know of would keep what was purged.
        self._remember(path, microseconds(at), branch=branch)
        try:
            self._place(path, branch=branch, at=microseconds(at))
        except BaseException:
            self._sessions.writing(
                EVERYONE, lambda session: session.execute("DELETE FROM copy WHERE path = %s", (str(path),))
            )
            raise

    def copies(self) -> list[Path]:
        """The copies that we made and that are still where they were put."""
        with self._sessions.reading(EVERYONE) as session:
            paths = [Path(path) for (path,) in session.rows("SELECT path FROM copy ORDER BY path")]
        return [path for path in paths if path.exists()]

    def lineage(self) -> list[Mapping[str, Any]]:
        with self._sessions.reading(EVERYONE) as session:
            found = session.rows("SELECT store, created_at, base FROM lineage ORDER BY depth")
        return [
            {"store": store, "created_at": moment(at), "base": json.loads(base)} for store, at, base in found
        ]

    def changed(self, user: str, after: int) -> list[str]:
        """The ids of memories with a version written after that number."""
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                "SELECT DISTINCT n.id FROM version v JOIN node n ON n.tenant = v.tenant AND n.number = v.node"
                " WHERE v.tenant = %s AND v.number > %s ORDER BY 1",
                (session.tenant, after),
            )
        return [memory_id for (memory_id,) in found]

    def _remember(self, path: Path, at: int, *, branch: bool) -> None:
        self._sessions.writing(
            EVERYONE,
            lambda session: session.execute(
                "INSERT INTO copy VALUES (%s, %s, %s) ON CONFLICT (path)"
                " DO UPDATE SET created_at = excluded.created_at, branch = excluded.branch",
                (str(path), at, branch),
            ),
        )

    def _place(self: Any, path: Path, *, branch: bool, at: int) -> None:
        """Makes the copy beside its place and moves it there when it is whole."""
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            with closing(SQLiteStore(partial)) as copy:
                move(self, copy)
                if branch:
                    base = {row[1]: row[5] for row in copy.dump("user", None, 1 << 30)}
                    depth = 1 + copy.size("lineage")
                    copy.load("lineage", [(depth, self._identity, at, json.dumps(base))], None)
                    copy.load("meta", [("identity", str(uuid.uuid4()))], None)
            partial.replace(path)
        except OSError as error:
            raise StoreFull(f"{path} cannot be written ({error.strerror})") from error
        finally:
            for suffix in ("", "-wal", "-shm"):
                partial.with_name(partial.name + suffix).unlink(missing_ok=True)
