"""The way from any earlier schema to the present one."""

import secrets
import uuid
from functools import cache
from importlib.resources import files
from pathlib import Path

import apsw

from recollect.errors import StoreCorrupt, StoreTooNew

SQL = files("recollect.stores").joinpath("sql")


@cache
def migrations() -> tuple[str, ...]:
    """The numbered scripts in order; the n-th leads from schema n - 1 to schema n."""
    folder = SQL.joinpath("migrations")
    return tuple(script.read_text() for script in sorted(folder.iterdir(), key=lambda f: f.name) if script.name.endswith(".sql"))


def migrate(connection: apsw.Connection, path: Path, application_id: int, scripts: tuple[str, ...] | None = None) -> None:
    """Brings the schema up to date in one transaction; refuses what a newer Recollect or another program made."""
    scripts = migrations() if scripts is None else scripts
    if _version(connection) == len(scripts):
        _check_owner(connection, path, application_id)
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        present = _version(connection)
        if present or _has_tables(connection):
            _check_owner(connection, path, application_id)
        if present > len(scripts):
            raise StoreTooNew(
                f"{path} has schema {present}, this Recollect knows {len(scripts)}: upgrade with `pip install -U recollect`"
            )
        for script in scripts[present:]:
            connection.execute(script)
        if not present:
            connection.execute(f"PRAGMA application_id = {application_id}")
            connection.execute(
                "INSERT INTO meta VALUES ('identity', ?), ('key', ?)", (str(uuid.uuid4()), secrets.token_bytes(32))
            )
        connection.execute(f"PRAGMA user_version = {len(scripts)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: apsw.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").get)


def _has_tables(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").get)


def _check_owner(connection: apsw.Connection, path: Path, application_id: int) -> None:
    if connection.execute("PRAGMA application_id").get != application_id:
        raise StoreCorrupt(f"{path} is an SQLite database of another program; choose another path for the store")
