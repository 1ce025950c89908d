"""The script that spreads a store over a Citus cluster, with stand-ins for Citus' two functions that keep its rules."""

import re

import psycopg
import pytest
from store_values import AT, EVERYTHING, LATER, ids, keep, memory
from test_postgres_schema import DESCRIBED

from recollect.model import AuditEntry
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.migrations import SQL
from recollect.stores.postgres.session import EVERYONE

pytestmark = pytest.mark.server

SCRIPT = SQL.joinpath("citus.sql").read_text("utf-8")
STAND_INS = b"""
CREATE TABLE public.taken (name text, how text);
CREATE FUNCTION public.can_be_taken(relation regclass) RETURNS void AS $$
BEGIN
    IF (SELECT relrowsecurity FROM pg_class WHERE oid = relation) THEN
        RAISE EXCEPTION 'what is in it cannot be copied under row-level security: %', relation;
    END IF;
    IF EXISTS (SELECT FROM pg_policy WHERE polrelid = relation AND pg_get_expr(polqual, polrelid) ~ 'SELECT') THEN
        RAISE EXCEPTION 'a policy has no subqueries: %', relation;
    END IF;
END $$ LANGUAGE plpgsql;
CREATE FUNCTION public.create_distributed_table(relation regclass, by text, colocate_with text) RETURNS void AS $$
BEGIN
    PERFORM public.can_be_taken(relation);
    IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = relation AND partstrat = 'h') THEN
        RAISE EXCEPTION 'a table that is partitioned by hash cannot be distributed: %', relation;
    END IF;
    IF EXISTS (SELECT FROM pg_index i WHERE i.indrelid = relation AND i.indisunique AND NOT EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = by AND a.attnum = ANY (i.indkey))) THEN
        RAISE EXCEPTION 'every unique key has to include %: %', by, relation;
    END IF;
    IF colocate_with <> 'none' AND NOT EXISTS (SELECT FROM public.taken WHERE name = colocate_with) THEN
        RAISE EXCEPTION '% is not distributed', colocate_with;
    END IF;
    INSERT INTO public.taken SELECT relname, 'distributed' FROM pg_class WHERE oid = relation;
END $$ LANGUAGE plpgsql;
CREATE FUNCTION public.create_reference_table(relation regclass) RETURNS void AS $$
    SELECT public.can_be_taken(relation);
    INSERT INTO public.taken SELECT relname, 'reference' FROM pg_class WHERE oid = relation
$$ LANGUAGE sql;
"""
HOW = re.compile(r'SELECT | AS "nullif"|[() ]')
"""What a policy with subqueries has and one without them has not."""


@pytest.fixture
def spread(postgres_address):
    """A connection to the database of a new store, on which the script can be run."""
    PostgresStore(postgres_address).close()
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute(STAND_INS)
        connection.execute(b"SET search_path = recollect, public")
        yield connection
        connection.execute(
            b"DROP FUNCTION public.create_distributed_table; DROP FUNCTION public.create_reference_table;"
            b"DROP FUNCTION public.can_be_taken; DROP TABLE public.taken"
        )


def test_every_table_is_distributed_by_tenant_or_is_a_reference_table(spread):
    before = described(spread)
    spread.execute(SCRIPT.encode())
    taken = dict(spread.execute(b"SELECT name, how FROM public.taken").fetchall())
    assert {name for name, how in taken.items() if how == "reference"} == {
        "meta",
        "tenant",
        "copy",
        "lineage",
    }
    after = described(spread)
    # The audit is in partitions by time, which Citus takes as they are, with the table.
    after = [row for row in after if not row[1].startswith("audit_")]
    assert {row[1] for row in after if row[0] == "column"} == taken.keys()
    assert after == [row for row in before if row[1] in taken], (
        "columns, keys, indexes and policies are the same"
    )


def test_a_store_that_was_spread_out_works_as_before(spread, postgres_address):
    spread.execute(SCRIPT.encode())
    store = PostgresStore(postgres_address)
    keep(store, memory("01", "tea is in the kitchen"), memory("02", "the office is in Porto"))
    keep(store, memory("01", "of bob"), user="bob")
    assert ids(store.find("ada", EVERYTHING)) == ["01", "02"]
    store.note("ada", [AuditEntry("r1", AT, "recall", ids=("01",))])
    assert store.forget_reads("ada", LATER, LATER, lambda: None) == 1
    store.purge("ada", ["01"], AT)
    assert ids(store.find("ada", EVERYTHING)) == ["02"]
    assert store.verify("ada") == store.verify("bob") == []
    store.close()


def test_a_plan_is_made_for_the_tenant_whose_rows_lie_somewhere(spread, postgres_address):
    def plans():
        store = PostgresStore(postgres_address)
        with store._sessions.reading(EVERYONE) as session:
            found = session.value("SHOW plan_cache_mode")
        store.close()
        return found

    assert plans() == "force_generic_plan"
    spread.execute(SCRIPT.encode())
    assert plans() == "auto"


def test_a_store_that_holds_something_is_left_alone(spread, postgres_address):
    store = PostgresStore(postgres_address)
    keep(store, memory("01"))
    store.close()
    before = described(spread)
    with pytest.raises(psycopg.errors.RaiseException, match="recollect migrate"):
        spread.execute(SCRIPT.encode())
    assert described(spread) == before


def described(connection):
    """Every table's columns, indexes and policies, whether it is in partitions or not, and however its policy reads a setting."""
    rows = connection.execute(DESCRIBED.encode()).fetchall()
    return [tuple(HOW.sub("", str(part).replace(" ON ONLY ", " ON ")) for part in row) for row in rows]
