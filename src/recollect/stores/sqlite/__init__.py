"""The truth in one SQLite file."""

from pathlib import Path

from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.copying import Copying
from recollect.stores.sqlite.erasing import Erasing
from recollect.stores.sqlite.feed import Feed
from recollect.stores.sqlite.models import Models
from recollect.stores.sqlite.reading import Reading
from recollect.stores.sqlite.verifying import Verifying
from recollect.stores.sqlite.writing import Writing

__all__ = ["SQLiteStore"]


class SQLiteStore(Reading, Feed, Writing, Models, Erasing, Verifying, Copying):
    """A `Store` in one file; the parts share the connections and the store's secret key."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).expanduser()
        self._connections = Connections(self._path)
        with self._connections.reading() as connection:
            meta = dict(connection.execute("SELECT name, value FROM meta WHERE name IN ('identity', 'key')").fetchall())
        self._identity, self._key = meta["identity"], meta["key"]

    @property
    def location(self) -> str:
        return str(self._path)

    @property
    def identity(self) -> str:
        return self._identity

    def close(self) -> None:
        self._connections.close()
