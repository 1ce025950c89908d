"""The truth in one SQLite file."""

from pathlib import Path

from recollect.errors import StoreCorrupt
from recollect.stores.rows import folder_of
from recollect.stores.sqlite.auditing import Auditing
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.copying import Copying
from recollect.stores.sqlite.erasing import Erasing
from recollect.stores.sqlite.feed import Feed
from recollect.stores.sqlite.models import Models
from recollect.stores.sqlite.moving import Moving
from recollect.stores.sqlite.reading import Reading
from recollect.stores.sqlite.records import Records
from recollect.stores.sqlite.rows import pairs
from recollect.stores.sqlite.surveying import Surveying
from recollect.stores.sqlite.verifying import Verifying
from recollect.stores.sqlite.writing import Writing

__all__ = ["SQLiteStore"]


class SQLiteStore(
    Reading, Records, Feed, Surveying, Writing, Models, Erasing, Auditing, Verifying, Copying, Moving
):
    """A `Store` in one file; the parts share the connections and the store's secret key."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).expanduser()
        self._connections = Connections(self._path)
        try:
            self._identity, self._key = self._meta()
        except BaseException:
            self._connections.close()
            raise

    @property
    def location(self) -> str:
        return str(self._path)

    @property
    def identity(self) -> str:
        return self._identity

    def index_folder(self, user: str) -> Path:
        return folder_of(Path(self.location + ".index"), user)

    def close(self) -> None:
        self._connections.close()

    def _meta(self) -> tuple[str, bytes]:
        with self._connections.reading() as connection:
            meta = pairs(connection, "SELECT name, value FROM meta WHERE name IN ('identity', 'key')")
        if meta.keys() != {"identity", "key"}:
            raise StoreCorrupt(f"{self._path} has lost its identity or its key; restore a snapshot")
        return meta["identity"], meta["key"]
