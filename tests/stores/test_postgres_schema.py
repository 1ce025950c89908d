"""The schema on a server: made by migrations, once, and never by an older Recollect."""

import threading

import psycopg
import pytest
from store_values import keep, memory

from recollect.errors import InvalidInput, StoreCorrupt, StoreError, StoreTooNew
from recollect.stores.address import parsed
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.migrations import SQL, migrate, migrations
from recollect.stores.postgres.session import Sessions

pytestmark = pytest.mark.server

DESCRIBED = """
SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, a.attcollation::text
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
UNION ALL SELECT 'index', tablename, indexname, replace(indexdef, schemaname || '.', ''), '', '' FROM pg_indexes
WHERE schemaname = current_schema()
UNION ALL SELECT 'policy', tablename, policyname, qual, coalesce(with_check, ''), '' FROM pg_policies
WHERE schemaname = current_schema() ORDER BY 1, 2, 3
"""


def described(connection, scripts):
    connection.execute(b"DROP SCHEMA IF EXISTS tried CASCADE; CREATE SCHEMA tried; SET search_path = tried")
    for script in scripts:
        connection.execute(script.encode())
    return connection.execute(DESCRIBED.encode()).fetchall()


def test_the_migrations_make_the_schema(postgres_address):
    with psycopg.connect(postgres_address) as connection:
        migrated = described(connection, migrations())
        assert migrated == described(connection, [SQL.joinpath("schema.sql").read_text("utf-8")])
        assert len(migrated) > 500
        connection.rollback()


def test_the_tenant_comes_first_in_every_key_and_index(postgres_address):
    with psycopg.connect(postgres_address) as connection:
        found = connection.execute(
            b"SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'recollect'"
        ).fetchall()
    without = {t for t, definition in found if "(tenant" not in definition}
    assert without == {"meta", "copy", "lineage", "tenant"}


def test_a_newer_schema_is_refused_and_left_alone(postgres_address):
    store = PostgresStore(postgres_address)
    keep(store, memory("01"))
    store.close()
    set_schema(postgres_address, str(len(migrations()) + 1))
    with pytest.raises(StoreTooNew, match="upgrade"):
        PostgresStore(postgres_address)
    set_schema(postgres_address, str(len(migrations())))
    store = PostgresStore(postgres_address)
    assert store.resolve("ada", "") == ["01"]
    store.close()


ADDS = "ALTER TABLE setting ADD COLUMN IF NOT EXISTS note text"
TAKES = "-- post: nobody writes it any more\nALTER TABLE setting DROP COLUMN note"


@pytest.fixture
def upgrading(postgres_address):
    """Opens the store with the scripts of a version; all of it is taken back."""
    sessions = Sessions(parsed(postgres_address))
    yield lambda *more, **how: migrate(sessions, migrations() + more, **how)
    sessions.close()
    set_schema(postgres_address, str(len(migrations())))
    with psycopg.connect(postgres_address) as connection:
        connection.execute(b"ALTER TABLE recollect.setting DROP COLUMN IF EXISTS note")


def test_the_version_before_goes_on_beside_the_new_one_until_the_upgrade_is_finished(upgrading):
    now = len(migrations())
    assert upgrading(ADDS, TAKES) == now + 1, "what takes away waits"
    assert upgrading() == now + 1, "an old process may still be started"
    assert upgrading(ADDS, TAKES, finish=True) == now + 2
    assert upgrading(ADDS, TAKES) == now + 2
    with pytest.raises(StoreTooNew, match="upgrade"):
        upgrading()
    with pytest.raises(StoreTooNew, match="upgrade"):
        upgrading(ADDS)


def test_what_was_not_finished_is_done_before_the_next_addition(upgrading):
    now = len(migrations())
    upgrading(ADDS, TAKES)
    assert upgrading(ADDS, TAKES, ADDS) == now + 3
    assert upgrading(ADDS, TAKES) == now + 3, "which is the version before"
    with pytest.raises(StoreTooNew, match="upgrade"):
        upgrading(ADDS)


def set_schema(address, number):
    with psycopg.connect(address) as connection:
        connection.execute(b"SET recollect.everyone = on")
        connection.execute("UPDATE recollect.meta SET value = %s WHERE name = 'schema'", (number,))
        connection.execute(b"DELETE FROM recollect.meta WHERE name = 'oldest'")


def test_another_programs_schema_is_refused(postgres_address):
    with psycopg.connect(postgres_address) as connection:
        connection.execute(b"CREATE SCHEMA theirs; CREATE TABLE theirs.meta (name text, value text)")
    try:
        with pytest.raises(StoreCorrupt, match="another program"):
            PostgresStore(f"{postgres_address}&schema=theirs")
    finally:
        with psycopg.connect(postgres_address) as connection:
            connection.execute(b"DROP SCHEMA theirs CASCADE")


def test_processes_that_open_a_new_store_at_once_make_one(postgres_address):
    address = f"{postgres_address}&schema=fresh"
    opened, began = [], threading.Barrier(4)

    def open_store():
        began.wait()
        store = PostgresStore(address)
        opened.append(store.identity)
        store.close()

    threads = [threading.Thread(target=open_store) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with psycopg.connect(postgres_address) as connection:
        connection.execute(b"DROP SCHEMA fresh CASCADE")
    assert len(opened) == 4
    assert len(set(opened)) == 1


def test_an_address_of_nobody_says_what_is_wrong(postgres_address):
    with pytest.raises(StoreError, match="does not exist"):
        PostgresStore(postgres_address.replace("agents@", "stranger@"))


def test_what_is_ours_in_an_address_is_not_told_to_the_server():
    found = parsed(
        "postgresql://ada:pa%40ss@db:5433/agents?schema=s&connections=3&sslmode=require&read=postgresql://x:y@r/"
    )
    assert found.conninfo == "postgresql://ada:pa%40ss@db:5433/agents?sslmode=require"
    assert (found.schema, found.connections, found.read) == ("s", 3, "postgresql://x:y@r/")
    assert "pa" not in found.location.split("@")[0]
    assert "y@r" not in found.location
    with pytest.raises(InvalidInput, match="connections"):
        parsed("postgresql://db/agents?connections=many")
