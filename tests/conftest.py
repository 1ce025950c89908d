"""What many tests need: an engine with a fake clock and a hash embedder, on every store."""

import os

import pytest
from hypothesis import HealthCheck, settings

from recollect import Recollect
from recollect.testing import FakeClock, HashEmbedder

# A busy machine breaks no rule.
settings.register_profile(
    "unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")

ON_A_SERVER = pytest.param("postgres", marks=pytest.mark.server)
"""Every test that takes a store or an engine runs on a server too, by `make test-server`."""

LOG_ALONE = {"formation.enabled": False}
"""So that a test sees what it writes and no more; those about forming have engines of their own."""


def pytest_collection_modifyitems(config, items):
    """Tests on a server are run where they are asked for, and not beside all others."""
    if "server" not in config.option.markexpr:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("server")])
        items[:] = [item for item in items if not item.get_closest_marker("server")]
    # In any order, but for those that may take longest: begun last, they would leave the other process idle.
    items.sort(key=_own_limit, reverse=True)


def _own_limit(item):
    """The seconds that a test has of its own; 0 where it has those of all."""
    own = item.get_closest_marker("timeout")
    return own.args[0] if own else 0


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL server of our own, for tests that stop it."""
    from postgres_server import server

    with server() as made:
        yield made


@pytest.fixture(scope="session")
def redis_server():
    """A Redis server for everybody who does not stop it."""
    from redis_server import redis_server

    with redis_server() as made:
        yield made


@pytest.fixture(scope="session")
def postgres_databases(request):
    from citus_cluster import cluster
    from postgres_server import Databases

    given = os.environ.get("RECOLLECT_TEST_POSTGRES")
    return cluster() or Databases(given or request.getfixturevalue("postgres_server").address())


@pytest.fixture
def postgres_address(postgres_databases, tmp_path, monkeypatch):
    """The address of an empty store on a server."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    address = postgres_databases.take()
    yield address
    postgres_databases.give(address)


@pytest.fixture(params=["reference", "sqlite", ON_A_SERVER])
def place(request, tmp_path):
    """Where an empty store can be opened; every test that takes it runs on every store."""
    found = {"reference": ":memory:", "sqlite": tmp_path / "agent.db"}.get(request.param)
    return found or request.getfixturevalue("postgres_address")


@pytest.fixture
def memory(place, clock):
    """An empty memory that forms nothing from what it observes."""
    with Recollect(
        place, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock, settings=LOG_ALONE
    ) as engine:
        yield engine


@pytest.fixture
def forming(place, clock):
    """An empty memory as it is by default: it forms memories from what it observes."""
    with Recollect(place, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as engine:
        yield engine


@pytest.fixture
def on_file(tmp_path, clock):
    """An empty memory in a file."""
    with Recollect(
        tmp_path / "agent.db",
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        clock=clock,
        settings=LOG_ALONE,
    ) as engine:
        yield engine


@pytest.fixture
def model_service():
    """A service that a test tells how to answer."""
    from scripted_service import Service

    running = Service()
    yield running
    running.close()
