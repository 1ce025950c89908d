"""The truth on a PostgreSQL server, for many users and many machines."""

from pathlib import Path

import platformdirs

from recollect.errors import StoreCorrupt
from recollect.stores.address import parsed
from recollect.stores.postgres.auditing import Auditing
from recollect.stores.postgres.copying import Copying
from recollect.stores.postgres.erasing import Erasing
from recollect.stores.postgres.feed import Feed
from recollect.stores.postgres.migrations import migrate
from recollect.stores.postgres.models import Models
from recollect.stores.postgres.moving import Moving
from recollect.stores.postgres.reading import Reading
from recollect.stores.postgres.records import Records
from recollect.stores.postgres.session import EVERYONE, Sessions
from recollect.stores.postgres.surveying import Surveying
from recollect.stores.postgres.verifying import Verifying
from recollect.stores.rows import folder_of

__all__ = ["PostgresStore"]


class PostgresStore(Reading, Records, Feed, Surveying, Erasing, Auditing, Models, Verifying, Copying, Moving):
    """A `Store` in one schema of a database; the parts share the sessions and the store's secret key."""

    def __init__(self, address: str) -> None:
        self._sessions = Sessions(parsed(address))
        self._numbers: dict[str, int] = {}
        try:
            migrate(self._sessions)
            self._identity, self._key = self._meta()
        except BaseException:
            self._sessions.close()
            raise

    @property
    def location(self) -> str:
        return self._sessions.location

    @property
    def identity(self) -> str:
        return self._identity

    def index_folder(self, user: str) -> Path:
        """On this machine: it is made anew wherever it is missing."""
        return folder_of(platformdirs.user_cache_path("recollect") / "indexes" / self._identity, user)

    def finish_upgrade(self) -> int:
        """Takes away what only older processes used, when none of them is left; gives the schema's number."""
        return migrate(self._sessions, finish=True)

    def close(self) -> None:
        self._sessions.close()

    def _meta(self) -> tuple[str, bytes]:
        with self._sessions.reading(EVERYONE) as session:
            meta = session.pairs("SELECT name, value FROM meta WHERE name IN ('identity', 'key', 'spread')")
        self._sessions.plans_for_any = "spread" not in meta
        if not {"identity", "key"} <= meta.keys():
            raise StoreCorrupt(f"{self.location} has lost its identity or its key; restore a backup")
        return meta["identity"], bytes.fromhex(meta["key"])
