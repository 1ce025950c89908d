"""A store that is dumped with the server's own tools and restored elsewhere is the same store."""

import subprocess
from contextlib import closing

import psycopg
import pytest
from psycopg import sql
from store_values import everything

from postgres_server import as_somebody
from recollect import Recollect
from recollect.stores.postgres import PostgresStore
from recollect.testing import HashEmbedder

pytestmark = pytest.mark.server


@pytest.fixture
def elsewhere(postgres_server):
    """Another database on the server, gone afterwards."""
    name = sql.Identifier("restored")
    with psycopg.connect(postgres_server.address(role="postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER agents").format(name))
        yield postgres_server.address("restored")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def filled(address):
    with Recollect(PostgresStore(address), user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        known = memory.remember("The office is in Porto", tags=["place"]).id
        memory.edit(known, "The office is in Lisbon")
        gone = memory.remember("The wifi is called zanzibar").id
        memory.purge(gone)
        memory.beside("bob").remember("Deploys go through staging first")
        memory.configure({"recall.k": 3})
        memory.working("c1").set("a", 1)


def test_a_dump_of_the_schema_is_restored_whole(postgres_server, postgres_address, elsewhere, tmp_path):
    filled(postgres_address)
    programs = postgres_server.programs
    # As whoever may see the rows of all: a role that row-level security binds is refused, not given a part.
    source = postgres_address.replace("agents@", "postgres@")
    dump = ["--schema=recollect", "--format=custom", source]
    ran = subprocess.run([programs / "pg_dump", *dump], capture_output=True, check=True, **as_somebody())
    assert b"zanzibar" not in ran.stdout
    target = elsewhere.replace("agents@", "postgres@")
    subprocess.run(
        [programs / "pg_restore", "--exit-on-error", f"--dbname={target}"],
        input=ran.stdout,
        check=True,
        capture_output=True,
        **as_somebody(),
    )
    with closing(PostgresStore(postgres_address)) as before, closing(PostgresStore(elsewhere)) as after:
        assert after.identity == before.identity
        for user in ("ada", "bob"):
            assert everything(after, user) == everything(before, user)
            assert after.verify(user) == []
        with Recollect(after, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
            assert memory.recall("where is the office?")[0].text == "The office is in Lisbon"
            memory.remember("It was restored")
    # What the role could not see before, it cannot see now.
    with psycopg.connect(elsewhere) as connection:
        connection.execute("SET search_path = recollect")
        assert connection.execute("SELECT count(*) FROM content").fetchone() == (0,)


def test_a_role_that_sees_its_tenant_alone_gets_no_half_dump(postgres_server, postgres_address):
    filled(postgres_address)
    ran = subprocess.run(
        [postgres_server.programs / "pg_dump", "--schema=recollect", postgres_address],
        capture_output=True,
        check=False,
        **as_somebody(),
    )
    assert ran.returncode != 0
    assert b"row-level security" in ran.stderr
