"""Schemas: the present one equals all migrations, older ones are brought up, newer ones are refused."""

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
import pytest
from store_values import DIMENSION, MODEL, everything, keep, memory, text_of, vector, words

from recollect.errors import StoreTooNew
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.sqlite.connection import APPLICATION_ID
from recollect.stores.sqlite.migrations import SQL, migrate, migrations

EXTRA = "ALTER TABLE user ADD COLUMN mood TEXT; CREATE TABLE extra (x INTEGER) STRICT; INSERT INTO extra VALUES (7);"


def schema(connection: apsw.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2").fetchall()


def version(path: Path) -> int:
    connection = apsw.Connection(str(path))
    found: int = connection.execute("PRAGMA user_version").get
    connection.close()
    return found


def test_the_schema_equals_all_migrations() -> None:
    whole, step_by_step = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    whole.execute(SQL.joinpath("schema.sql").read_text())
    for script in migrations():
        step_by_step.execute(script)
    assert schema(whole) == schema(step_by_step)
    assert len(schema(whole)) > 20


def test_a_new_store_has_the_present_schema(sqlite: SQLiteStore, path: Path) -> None:
    whole, made = apsw.Connection(":memory:"), apsw.Connection(str(path))
    whole.execute(SQL.joinpath("schema.sql").read_text())
    assert schema(made) == schema(whole)
    assert made.execute("PRAGMA user_version").get == len(migrations())
    assert made.execute("PRAGMA application_id").get == APPLICATION_ID
    assert made.execute("PRAGMA journal_mode").get == "wal"
    made.close()


def test_every_table_is_strict() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(SQL.joinpath("schema.sql").read_text())
    loose = connection.execute(
        "SELECT name FROM pragma_table_list WHERE NOT strict AND name NOT GLOB 'sqlite_*'"
    )
    assert loose.fetchall() == []


def test_a_newer_store_is_refused_and_not_touched(opened: Callable[..., SQLiteStore], path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    store.close()
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA user_version = {len(migrations()) + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(
        StoreTooNew, match=rf"schema {len(migrations()) + 1}.*knows {len(migrations())}.*upgrade"
    ):
        opened()
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {path.name}


def test_a_newer_store_is_refused_by_the_check_inside_the_transaction_too(path: Path) -> None:
    """Another process may bring the file up between the first look and the lock."""
    connection = apsw.Connection(str(path))
    migrate(connection, path, APPLICATION_ID, (*migrations(), EXTRA))
    with pytest.raises(StoreTooNew):
        migrate(connection, path, APPLICATION_ID)
    connection.close()


def test_an_older_store_is_brought_up_and_loses_nothing(
    opened: Callable[..., SQLiteStore], path: Path
) -> None:
    store = opened()
    keep(store, memory("01", "old but gold"))
    identity = store.identity
    store.close()
    connection = apsw.Connection(str(path))
    for _ in range(2):
        migrate(connection, path, APPLICATION_ID, (*migrations(), EXTRA))
        assert connection.execute("PRAGMA user_version").get == len(migrations()) + 1
        assert connection.execute("SELECT x FROM extra").fetchall() == [(7,)]
        assert connection.execute("SELECT mood FROM user").fetchall() == [(None,)]
    connection.execute(
        f"DROP TABLE extra; ALTER TABLE user DROP COLUMN mood; PRAGMA user_version = {len(migrations())}"
    )
    connection.close()
    store = opened()
    assert (text_of(store, "01"), store.identity, store.verify("ada")) == ("old but gold", identity, [])


@pytest.mark.parametrize("steps", range(1, len(migrations())))
def test_a_store_of_every_earlier_schema_opens(
    opened: Callable[..., SQLiteStore], path: Path, steps: int
) -> None:
    connection = apsw.Connection(str(path))
    migrate(connection, path, APPLICATION_ID, migrations()[:steps])
    key = connection.execute("SELECT value FROM meta WHERE name = 'key'").get
    connection.close()
    assert version(path) == steps
    store = opened()
    keep(store, memory("01"))
    connection = apsw.Connection(str(path))
    whole = apsw.Connection(":memory:")
    whole.execute(SQL.joinpath("schema.sql").read_text())
    assert schema(connection) == schema(whole)
    assert connection.execute("SELECT value FROM meta WHERE name = 'key'").get == key
    connection.close()
    assert version(path) == len(migrations())


def test_a_store_from_before_there_were_words_lacks_them_and_nothing_else(
    opened: Callable[..., SQLiteStore], path: Path
) -> None:
    store = opened()
    keep(store, memory("01", "old but gold"), memory("02"))
    before = everything(store)
    assert before["words"][0], "something to lose"
    store.close()
    connection = apsw.Connection(str(path))
    connection.execute(
        "DROP TABLE words; DROP TABLE words_incoming; DROP TABLE learnt; DROP TABLE record; DROP TABLE audit"
    )
    connection.execute("PRAGMA user_version = 2")
    older = apsw.Connection(":memory:")
    for script in migrations()[:2]:
        older.execute(script)
    assert schema(connection) == schema(older)
    connection.close()
    store = opened()
    assert {**everything(store), "words": 0} == {**before, "words": 0}
    assert everything(store)["words"] == ([], [], [])
    assert store.unembedded(MODEL, 0, 10) == []
    lacking = store.unembedded(MODEL, 0, 10, words=True)
    assert [text for _, text, _ in lacking] == ["old but gold", "text of 02"]
    store.embed(MODEL, DIMENSION, [(n, vector(1), words(1, 2)) for n, *_ in lacking])
    assert store.words("ada", np.array([lacking[0][0]]))[2].tobytes() == words(1, 2)
    keep(store, memory("03"))
    assert store.verify("ada") == []


def test_a_migration_that_fails_changes_nothing(opened: Callable[..., SQLiteStore], path: Path) -> None:
    store = opened()
    keep(store, memory("01"))
    store.close()
    connection = apsw.Connection(str(path))
    before = schema(connection)
    with pytest.raises(apsw.SQLError):
        migrate(connection, path, APPLICATION_ID, (*migrations(), EXTRA, "CREATE TABLE extra (y)"))
    assert not connection.in_transaction
    assert schema(connection) == before
    connection.close()
    assert version(path) == len(migrations())
    assert opened().verify("ada") == []


def test_a_kill_between_two_migrations_changes_nothing(
    opened: Callable[..., SQLiteStore], path: Path
) -> None:
    store = opened()
    keep(store, memory("01"))
    store.close()
    code = f"""
        import os, signal, apsw
        from pathlib import Path
        from recollect.stores.sqlite.migrations import migrate, migrations
        connection = apsw.Connection({str(path)!r})
        connection.create_scalar_function("die", lambda: os.kill(os.getpid(), signal.SIGKILL))
        migrate(connection, Path("x"), {APPLICATION_ID}, (*migrations(), {EXTRA!r}, "SELECT die()"))
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False, capture_output=True)
    assert killed.returncode == -9
    assert version(path) == len(migrations())
    store = opened()
    assert text_of(store, "01") == "text of 01"
    assert store.verify("ada") == []


def test_who_comes_while_another_makes_the_store_waits(
    opened: Callable[..., SQLiteStore], path: Path
) -> None:
    """SQLite itself gives up at once when two turn the write-ahead log on."""
    path.touch()
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
    timer.start()
    keep(opened(), memory("01"))
    timer.join()
    other.close()


def test_a_kill_while_a_store_is_made_leaves_one_that_can_be_made(
    opened: Callable[..., SQLiteStore], path: Path
) -> None:
    code = f"""
        import os, signal, apsw
        from pathlib import Path
        from recollect.stores.sqlite import connection, migrations
        migrations.secrets.token_bytes = lambda size: os.kill(os.getpid(), signal.SIGKILL)
        connection.Connections(Path({str(path)!r}))
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False, capture_output=True)
    assert killed.returncode == -9, killed.stderr
    assert path.exists()
    keep(opened(), memory("01"))
    assert opened().verify("ada") == []
