"""A Redis server that goes is missed by nobody, and taken back when it returns."""

import logging
import threading
import time

import numpy as np
import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.providers.cache import CachedEmbedder
from recollect.short_lived import Desk
from recollect.stores.redis.link import Link
from recollect.stores.redis.rates import RedisRates
from recollect.stores.redis.vectors import RedisVectorCache
from recollect.stores.redis.working import RedisWorkingStore
from recollect.stores.working import InProcessWorkingStore
from recollect.testing import FakeClock, HashEmbedder
from redis_server import redis_server as new_server

pytestmark = pytest.mark.server
DESK = Desk("ada", "shop", "c1")


@pytest.fixture
def server():
    with new_server() as made:
        yield made


@pytest.fixture
def link(server):
    made = Link(server.url, timeout_seconds=5, retry_seconds=0.05)
    yield made
    made.close()


def working(link):
    return RedisWorkingStore(link, InProcessWorkingStore(FakeClock()))


def until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def warnings(caplog):
    return [one for one in caplog.records if one.levelno >= logging.WARNING]


def test_a_dead_server_is_told_once_and_missed_by_nobody(server, link, caplog):
    store = working(link)
    store.put(DESK, "a", 1, 60)
    server.kill()
    store.put(DESK, "b", 2, 60)
    store.push(DESK, "turns", "x", keep=3, ttl_seconds=60)
    assert store.values(DESK) == {"b": 2}
    assert store.get(DESK, "b") == 2
    assert store.listed(DESK, "turns", 3) == ["x"]
    assert not link.answers
    assert len(warnings(caplog)) == 1
    assert "does not answer" in warnings(caplog)[0].getMessage()


def test_what_was_done_meanwhile_comes_to_the_server_that_returns(server, link, caplog):
    caplog.set_level(logging.INFO, "recollect")
    server.kill()
    server.start(keeps=True)
    store = working(link)
    store.put(DESK, "old", 1, 60)
    store.put(DESK, "deleted", 1, 60)
    store.push(DESK, "turns", 1, keep=3, ttl_seconds=60)
    other = Desk("ada", "shop", "c2")
    store.push(other, "states", 1, keep=3, ttl_seconds=60)
    server.kill()
    store.put(DESK, "new", 2, 60)
    store.put(DESK, "over", 2, 0.01)
    store.delete(DESK, "deleted")
    store.push(DESK, "turns", 2, keep=3, ttl_seconds=60)
    store.clear(other)
    time.sleep(0.02)
    server.start(keeps=True)
    until(lambda: link.answers)
    assert store.values(DESK) == {"old": 1, "new": 2}
    assert store.listed(DESK, "turns", 3) == [1, 2]
    assert store.listed(other, "states", 3) == []
    assert working(link).values(DESK) == {"old": 1, "new": 2}, "and everybody else sees it"
    assert "answers again" in caplog.text
    server.kill()
    assert store.values(DESK) == {}, "what came back does not lie here any more"


def test_a_server_that_comes_and_goes_loses_no_change_of_eight_threads(server, link):
    store, counts = working(link), [0] * 8
    stop = threading.Event()
    server.kill()
    server.start(keeps=True)

    def work(number):
        while not stop.is_set():
            store.put(Desk("ada", "shop", str(number)), f"v{counts[number]}", counts[number], 600)
            counts[number] += 1
            time.sleep(0.002)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        time.sleep(0.1)
        server.kill()
        time.sleep(0.1)
        server.start(keeps=True)
        until(lambda: link.answers)
    stop.set()
    for thread in threads:
        thread.join()
    until(lambda: link.answers)
    for number, count in enumerate(counts):
        assert count > 10
        found = store.values(Desk("ada", "shop", str(number)))
        assert found == {f"v{one}": one for one in range(count)}


def test_a_server_that_takes_no_writes_is_not_asked(server, link, caplog):
    store = working(link)
    with server.client() as client:
        client.config_set("maxmemory", "1")
        store.put(DESK, "a", 1, 60)
        time.sleep(0.3)
        assert not link.answers
        assert store.get(DESK, "a") == 1
        assert len(warnings(caplog)) == 1
        client.config_set("maxmemory", "0")
    until(lambda: link.answers)
    assert store.get(DESK, "a") == 1


def test_two_engines_share_what_is_in_mind(server):
    settings = {"redis.url": server.url, "redis.timeout_seconds": 5}
    given = {"user": "ada", "channel": "shop", "settings": settings}
    with (
        Recollect(":memory:", embedder=HashEmbedder(), **given) as one,
        Recollect(":memory:", embedder=HashEmbedder(), **given) as other,
    ):
        one.working("c1").add_turn("user", "Where is my order?")
        one.working("c1").set("order", 7)
        one.working("c1").set_goal("g", "Find the order")
        one.working("c1").keep_state(1, "the order is in customs")
        assert other.working("c1").context() == one.working("c1").context()
        assert other.working("c1").similar_states("customs")[0].turn == 1
        assert other.beside("bob").working("c1").context()["turns"] == []
        with server.client() as client:
            keys = {key.decode() for key in client.scan_iter()}
            assert all(0 < client.ttl(key) <= 3_600 for key in keys)
        assert "working:{ada:shop:c1}:turns" in keys
        assert "working:{ada:shop:c1}:context:value%3Aorder" in keys
        assert "session:{ada:shop:c1}:states" in keys
        other.working("c1").clear()
        assert one.working("c1").context()["turns"] == []
        assert one.working("c1").similar_states("customs") == []


class Counting(HashEmbedder):
    """Counts the texts that it embeds."""

    count = 0

    def embed(self, texts, progress=None):
        self.count += len(texts)
        return super().embed(texts, progress)


def test_a_question_is_embedded_once_for_all_processes_until_it_is_cleared(server, link):
    one, other = Counting(), Counting()
    shared = RedisVectorCache(link)
    first, second = (CachedEmbedder(own, 10, 60, shared=shared) for own in (one, other))
    made = first.embed(["where is it?", "and why?"])
    assert np.array_equal(second.embed(["where is it?"]), made[:1])
    assert (one.count, other.count, second.hits, second.misses) == (2, 0, 1, 0)
    first.clear()
    third = CachedEmbedder(other, 10, 60, shared=shared)
    third.embed(["where is it?"])
    assert other.count == 1
    with server.client() as client:
        assert all(0 < client.ttl(key) <= 60 for key in client.scan_iter("vector:*"))


def test_what_is_cleared_while_the_server_is_away_is_gone_when_it_is_back(server, link):
    server.kill()
    server.start(keeps=True)
    cache = CachedEmbedder(HashEmbedder(), 10, 60, shared=RedisVectorCache(link))
    cache.embed(["secret"])
    server.kill()
    cache.clear()
    assert len(cache.embed(["something else"])) == 1
    server.start(keeps=True)
    until(lambda: link.answers)
    with server.client() as client:
        assert list(client.scan_iter("vector:*")) == []


def test_a_damaged_vector_is_made_anew(server, link):
    own = Counting()
    cache = CachedEmbedder(own, 10, 60, shared=RedisVectorCache(link))
    made = cache.embed(["a"])
    with server.client() as client:
        for key in client.scan_iter("vector:*"):
            client.set(key, b"\x02\x00\x00\x00\xff\xff\xff\xff12345678")
    again = CachedEmbedder(own, 10, 60, shared=RedisVectorCache(link))
    assert np.array_equal(again.embed(["a"]), made)
    assert own.count == 2


class Here:
    """Counts the calls that were let through without the server."""

    count = 0

    def wait(self, number, now):
        self.count += 1
        return 0.0

    def close(self):
        pass


def test_services_count_calls_together_and_each_by_itself_without_the_server(server, link):
    here = Here()
    services = [RedisRates(link, 5.0, here) for _ in range(2)]
    waits = [services[number % 2].wait(7, 0.0) for number in range(12)]
    assert waits[:5] == [0.0] * 5, "a second's worth at once"
    assert all(0 < one <= 0.25 for one in waits[6:]), waits
    assert services[0].wait(8, 0.0) == 0.0
    time.sleep(0.25)
    assert services[1].wait(7, 0.0) == 0.0
    server.kill()
    assert services[0].wait(7, 0.0) == 0.0
    assert here.count == 1


def test_an_address_that_is_none_is_told():
    with pytest.raises(InvalidInput, match=r"redis\.url"):
        Link("http://cache")
