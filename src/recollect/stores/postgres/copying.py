"""What copies of a store there are, and where it came from."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.errors import StoreError
from recollect.model import moment
from recollect.stores.postgres.session import EVERYONE
from recollect.stores.postgres.tenants import Tenants


class Copying(Tenants):
    """Store's part that makes copies and remembers them."""

    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None:  # noqa: ARG002
        raise StoreError(
            "a store on a server is copied by `recollect migrate` into a file, or by the server's own backup"
        )

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
