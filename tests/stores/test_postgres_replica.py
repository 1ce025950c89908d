"""A streaming replica answers what is read; it dies and returns, and nobody who reads is told an error."""

import signal
import time

import pytest
from store_values import EVERYTHING, ids, keep, memory

from postgres_server import Databases, server
from recollect.stores.postgres import PostgresStore, replica

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def pair():
    """A primary and its replica."""
    with server() as primary:
        second = primary.beside()
        second.follow(primary)
        second.start()
        yield primary, second
        second.stop()


@pytest.fixture(scope="module")
def databases(pair):
    return Databases(pair[0].address())


@pytest.fixture
def address(pair, databases):
    """A store that reads from the replica."""
    primary, second = pair
    taken = databases.take()
    read = taken.replace(str(primary.folder.parent), str(second.folder.parent))
    return f"{taken}&read={read.replace('?', '%3F').replace('&', '%26')}"


def test_what_was_written_is_read_at_once_whoever_answers(address):
    store = PostgresStore(address)
    for number in range(20):
        keep(store, memory(f"{number:02}"))
        assert len(store.find("ada", EVERYTHING)) == number + 1
    store.close()


def test_the_replica_answers(address, pair):
    store = PostgresStore(address)
    keep(store, memory("01"))
    deadline = time.monotonic() + 30
    while not store._sessions._replica.is_current() and time.monotonic() < deadline:
        time.sleep(0.05)
    with store.reading(), store._sessions.reading(1) as session:
        assert session.value("SELECT pg_is_in_recovery()") is True
    assert ids(store.find("ada", EVERYTHING)) == ["01"]
    store.close()


def test_a_replica_that_dies_is_done_without_and_used_again_when_it_returns(
    address, pair, monkeypatch, caplog
):
    monkeypatch.setattr(replica, "AWAY_SECONDS", 0.2)
    store = PostgresStore(address)
    keep(store, memory("01"))
    assert ids(store.find("ada", EVERYTHING)) == ["01"]
    pair[1].stop(signal.SIGQUIT)
    try:
        for number in range(2, 6):
            keep(store, memory(f"{number:02}"))
            assert len(store.find("ada", EVERYTHING)) == number
            time.sleep(0.1)
        assert "replica does not answer" in caplog.text
    finally:
        pair[1].start()
    deadline = time.monotonic() + 30
    while not store._sessions._replica.is_current() and time.monotonic() < deadline:
        time.sleep(0.05)
    with store._sessions.reading(1) as session:
        assert session.value("SELECT pg_is_in_recovery()") is True
    assert len(store.find("ada", EVERYTHING)) == 5
    store.close()
