"""The way from any earlier schema on the server to the present one."""

import secrets
import uuid
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from psycopg import sql

from recollect.errors import StoreCorrupt, StoreError, StoreTooNew
from recollect.stores.postgres.session import EVERYONE, Session, Sessions

SQL = files("recollect.stores").joinpath("sql", "postgres")
OLDEST = 150000
"""PostgreSQL 15."""
POST = "-- post:"
"""How a script begins that takes away what older processes still use. All others only add, so that those go on."""


@cache
def migrations() -> tuple[str, ...]:
    """The numbered scripts in order; the n-th leads from schema n - 1 to schema n."""
    folder = SQL.joinpath("migrations")
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(script.read_text(encoding="utf-8") for script in scripts)


def migrate(sessions: Sessions, scripts: tuple[str, ...] | None = None, *, finish: bool = False) -> int:
    """Brings the schema up to date in one transaction, while others who would do the same wait; gives its number.

    What takes away comes last, and only to `finish`: until then, processes of the version before go on and may be
    started. What they could not use any more is refused before anything is written.
    """
    scripts = migrations() if scripts is None else scripts
    schema = sessions.address.schema
    with sessions.reading(EVERYONE) as session:
        _check_server(session)
        present = _present(session, schema, len(scripts))
    wanted = len(scripts) if finish or not present else _adding(scripts)
    if present >= wanted:
        return present
    sessions.writing(EVERYONE, lambda session: _brought(session, schema, scripts[:wanted]), lasting=True)
    return wanted


def lock_number(purpose: str, schema: str) -> int:
    """The number of an advisory lock, which all stores of a database share out among themselves."""
    found = blake2b(f"recollect {purpose} {schema}".encode(), digest_size=8).digest()
    return int.from_bytes(found, signed=True)


def _adding(scripts: tuple[str, ...]) -> int:
    """How many of the scripts are needed by who knows them all: without the last ones, if they only take away.

    >>> _adding(("CREATE", "-- post: nobody asks for it", "ALTER", "-- post: replaced")), _adding(("CREATE",))
    (3, 1)
    """
    count = len(scripts)
    while count > 1 and scripts[count - 1].startswith(POST):
        count -= 1
    return count


def _brought(session: Session, schema: str, scripts: tuple[str, ...]) -> None:
    session.execute("SELECT pg_advisory_xact_lock(%s)", (lock_number("migration", schema),))
    present = _present(session, schema, len(scripts))
    if not present:
        name = sql.Identifier(schema).as_string()
        if session.value("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)) is None:
            session.connection.execute(f"CREATE SCHEMA {name}".encode())
    for script in scripts[present:]:
        session.connection.execute(script.encode())
    if not present:
        session.execute(
            "INSERT INTO meta VALUES ('identity', %s), ('key', %s), ('schema', '0')",
            (str(uuid.uuid4()), secrets.token_bytes(32).hex()),
        )
    took = [place for place, one in enumerate(scripts, 1) if place > present and one.startswith(POST)]
    oldest = len(scripts) if not present else max(took, default=None)
    session.execute("UPDATE meta SET value = %s WHERE name = 'schema'", (str(len(scripts)),))
    session.execute(
        "INSERT INTO meta VALUES ('oldest', %s) ON CONFLICT (name) DO UPDATE"
        " SET value = CASE WHEN %s THEN meta.value ELSE excluded.value END",
        (str(oldest or present), oldest is None),
    )


def _check_server(session: Session) -> None:
    version = session.connection.info.server_version
    if version < OLDEST:
        raise StoreError(
            f"the server is PostgreSQL {version // 10000}; Recollect needs {OLDEST // 10000} or newer"
        )
    encoding = session.value("SHOW server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"the database is in {encoding}; create one with ENCODING 'UTF8' for the store")


def _present(session: Session, schema: str, known: int) -> int:
    """The number of the schema that is there; 0 where there is none."""
    found = session.value(
        "SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relname = 'meta'",
        (schema,),
    )
    if found is None:
        return 0
    told = session.pairs("SELECT name, value FROM meta WHERE name IN ('schema', 'oldest')")
    number = told.get("schema")
    if number is None:
        raise StoreCorrupt(
            f"schema {schema} is of another program: choose another with schema= in the address"
        )
    if int(number) > known and int(told.get("oldest", number)) > known:
        raise StoreTooNew(
            f"{schema} has schema {number}, this Recollect knows {known}: upgrade with `pip install -U recollect`"
        )
    return int(number)
