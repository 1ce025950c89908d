"""Stores that are spread over a Citus cluster, to see that the suite passes there too.

Citus is no package, so that no test starts one: `RECOLLECT_TEST_CITUS` names a cluster that runs already, by the
addresses of its coordinator and its workers, with commas between them, for a role that may do everything.
"""

import os
from urllib.parse import urlsplit

import psycopg

from postgres_server import ROLE, Databases
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.migrations import SQL

SCRIPT = SQL.joinpath("citus.sql").read_text("utf-8")
SHARDS = 4


class SpreadDatabases(Databases):
    """Each on every node, with the store's tables spread over the workers as docs/operate.md says."""

    def __init__(self, addresses: str) -> None:
        self._nodes = [urlsplit(address) for address in addresses.split(",")]
        super().__init__(self._nodes[0].geturl())

    def created(self, name: str) -> str:
        for node in self._nodes:
            with psycopg.connect(node.geturl(), autocommit=True) as connection:
                if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone():
                    connection.execute(f"CREATE ROLE {ROLE} LOGIN".encode())
                connection.execute(f"CREATE DATABASE {name} OWNER {ROLE}".encode())
            with psycopg.connect(node._replace(path=f"/{name}").geturl(), autocommit=True) as connection:
                connection.execute(b"CREATE EXTENSION citus")
                connection.execute(b"CREATE EXTENSION vector")
        coordinator, *workers = self._nodes
        with psycopg.connect(coordinator._replace(path=f"/{name}").geturl(), autocommit=True) as connection:
            own = (coordinator.hostname, coordinator.port)
            connection.execute("SELECT citus_set_coordinator_host(%s, %s)", own)
            for worker in workers:
                connection.execute("SELECT citus_add_node(%s, %s)", (worker.hostname, worker.port))
            connection.execute(f"ALTER DATABASE {name} SET citus.propagate_set_commands = 'local'".encode())
            connection.execute(f"ALTER DATABASE {name} SET citus.shard_count = {SHARDS}".encode())
        address = f"postgresql://{ROLE}@{coordinator.hostname}:{coordinator.port}/{name}"
        PostgresStore(address).close()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(b"SET search_path = recollect, public")
            connection.execute(SCRIPT.encode())
        return address


def cluster() -> SpreadDatabases | None:
    """The cluster that is named, if one is."""
    addresses = os.environ.get("RECOLLECT_TEST_CITUS")
    return SpreadDatabases(addresses) if addresses else None
