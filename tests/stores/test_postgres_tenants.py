"""What one tenant can see on a server: its own rows, whatever a query forgets."""

from datetime import UTC, datetime

import psycopg
import pytest
from psycopg import sql
from store_values import AT, LATER, keep, memory, revise

from recollect.model import AuditEntry, Edge
from recollect.ports import Changes, RecordChange
from recollect.stores.postgres import PostgresStore

pytestmark = pytest.mark.server

SCHEMA = "SET search_path = recollect"
TABLES = """SELECT relname FROM pg_class
WHERE relnamespace = 'recollect'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1"""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
OF_THE_STORE = {"meta", "copy", "lineage"}
"""These have no tenant."""


@pytest.fixture
def filled(postgres_address):
    """The address of a store in which two tenants have something in every table."""
    store = PostgresStore(postgres_address)
    for user in ("ada", "bob"):
        keep(store, memory("01", tags=("t",)), memory("02"), memory("03"), user=user)
        store.write(user, Changes("link", AT, edges=(Edge("01", "02", "causes"), Edge("02", "03", "causes"))))
        store.write(
            user, Changes("r", AT, records=(RecordChange("goal", "a", 1),), counters={"01": {"wins": 1}})
        )
        revise(store, "01", user=user, pinned=True)
        store.touch(user, {"01": (1, AT)})
        # One in a month that has a partition already, one where none is.
        store.forget_reads(user, None, AT, lambda: None)
        store.note(user, [AuditEntry(f"r{at:%y}", at, "recall", ids=("01",)) for at in (AT, LONG_AGO)])
        store.set_settings(user, {"a": 1}, AT)
        store.purge(user, ["03"], LATER)
    numbers = [number for number, *_ in store.unembedded("other", 0, 10)]
    store.embed("other", 2, [(number, b"1234", bytes(32)) for number in numbers])
    store.close()
    return postgres_address


def tables(connection):
    return [table for (table,) in connection.execute(TABLES).fetchall()]


def count(connection, table):
    return connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()[0]


def test_every_table_has_rows_of_two_tenants(filled):
    with psycopg.connect(filled) as connection:
        connection.execute(f"{SCHEMA}; SET recollect.everyone = on".encode())
        for table in tables(connection):
            if table not in OF_THE_STORE and table != "tenant" and not table[-1].isdigit():
                owners = sql.SQL("SELECT count(DISTINCT tenant) FROM {}").format(sql.Identifier(table))
                assert connection.execute(owners).fetchone()[0] == 2, table


def test_without_a_tenant_nothing_is_seen_in_any_table(filled):
    with psycopg.connect(filled) as connection:
        connection.execute(SCHEMA.encode())
        found = tables(connection)
        assert len(found) > 150, "partitions are tables too"
        assert {table: count(connection, table) for table in found} == dict.fromkeys(found, 0)


def test_a_query_that_forgets_its_condition_sees_its_own_tenant_alone(filled):
    with psycopg.connect(filled) as connection:
        connection.execute(f"{SCHEMA}; SET recollect.tenant = '1'".encode())
        for table in set(tables(connection)) - OF_THE_STORE:
            column = "number" if table == "tenant" else "tenant"
            query = sql.SQL("SELECT DISTINCT {} FROM {}").format(
                sql.Identifier(column), sql.Identifier(table)
            )
            assert set(connection.execute(query).fetchall()) <= {(1,)}, table
        assert count(connection, "content") == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE version SET pinned = true",
        "DELETE FROM content",
        "UPDATE record SET value = '2'",
        "DELETE FROM tenant",
    ],
)
def test_a_change_that_forgets_its_condition_reaches_its_own_tenant_alone(filled, statement):
    def others(connection):
        connection.execute(b"SET recollect.tenant = '2'")
        return [
            connection.execute(f"SELECT * FROM {t} ORDER BY 1, 2".encode()).fetchall()
            for t in ("version", "content", "record", "tenant")
        ]

    with psycopg.connect(filled) as connection:
        connection.execute(SCHEMA.encode())
        before = others(connection)
        connection.execute(b"SET recollect.tenant = '1'")
        assert connection.execute(statement.encode()).rowcount > 0
        assert others(connection) == before


def test_nobody_writes_into_anothers_rows(filled):
    with psycopg.connect(filled) as connection:
        connection.execute(f"{SCHEMA}; SET recollect.tenant = '1'".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(b"INSERT INTO setting VALUES (2, 'a', '1')")


def test_one_store_does_not_see_another_schema(postgres_address):
    with_schema = f"{postgres_address}&schema=other%20one"
    one, other = PostgresStore(postgres_address), PostgresStore(with_schema)
    try:
        keep(one, memory("01"))
        assert other.users() == []
        assert one.identity != other.identity
        keep(other, memory("02"))
        assert (one.resolve("ada", ""), other.resolve("ada", "")) == (["01"], ["02"])
    finally:
        one.close()
        other.close()
        with psycopg.connect(postgres_address) as connection:
            connection.execute(b'DROP SCHEMA "other one" CASCADE')
