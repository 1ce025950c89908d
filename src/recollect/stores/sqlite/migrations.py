"""The way from any earlier schema to the present one."""

import secrets
import time
import uuid
from functools import cache
from importlib.resources import files
from pathlib import Path

import apsw

from recollect.errors import StoreCorrupt, StoreTooNew
from recollect.stores.sqlite.rows import value

SQL = files("recollect.stores").joinpath("sql")
WAIT_SECONDS = 60.0


@cache
def migrations() -> tuple[str, ...]:
    """The numbered scripts in order; the n-th leads from schema n - 1 to schema n."""
    folder = SQL.joinpath("migrations")
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(script.read_text(encoding="utf-8") for script in scripts)


def migrate(
    connection: apsw.Connection, path: Path, application_id: int, scripts: tuple[str, ...] | None = None
) -> None:
    """Brings the schema up to date in one transaction.

    What a newer Recollect or another program made is refused before anything is written.
    """
    scripts = migrations() if scripts is None else scripts
    if _schema(connection, path, application_id, len(scripts)) == len(scripts):
        return
    _use_write_ahead_log(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        present = _schema(connection, path, application_id, len(scripts))
        for script in scripts[present:]:
            connection.execute(script)
        if not present:
            connection.execute(f"PRAGMA application_id = {application_id}")
            connection.execute(
                "INSERT INTO meta VALUES ('identity', ?), ('key', ?)",
                (str(uuid.uuid4()), secrets.token_bytes(32)),
            )
        connection.execute(f"PRAGMA user_version = {len(scripts)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _schema(connection: apsw.Connection, path: Path, application_id: int, known: int) -> int:
    """The number of the file's schema; 0 for an empty file."""
    present = int(value(connection, "PRAGMA user_version"))
    empty = not present and not value(connection, "SELECT count(*) FROM sqlite_schema")
    if not empty and value(connection, "PRAGMA application_id") != application_id:
        raise StoreCorrupt(
            f"{path} is an SQLite database of another program; choose another path for the store"
        )
    if present > known:
        raise StoreTooNew(
            f"{path} has schema {present}, this Recollect knows {known}: upgrade with `pip install -U recollect`"
        )
    return present


def _use_write_ahead_log(connection: apsw.Connection) -> None:
    """Waits where another process does the same at this moment: SQLite itself does not for this."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
