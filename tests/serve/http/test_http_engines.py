"""Engines are shared by threads, bounded, and lose nothing when they go; lanes turn away what they cannot hold."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from served import caller, serving

from recollect import Recollect
from recollect.serve.http.engines import Engines
from recollect.serve.http.problems import Rejected
from recollect.serve.http.rates import Rates
from recollect.serve.http.service import Lane
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import HashEmbedder


@pytest.fixture
def store(tmp_path):
    store = SQLiteStore(tmp_path / "agent.db")
    yield store
    store.close()


@pytest.fixture
def engines(store, clock):
    return Engines(store, HashEmbedder(), clock, limit=2)


def test_a_user_has_one_engine(engines):
    with engines.of("ada") as first, engines.of("ada") as second, engines.of("bob") as other:
        assert first is second
        assert other is not first


def test_the_longest_unused_goes_and_what_it_counted_is_kept(engines, store):
    with engines.of("ada") as memory:
        known = memory.remember("Deploys go through staging first").id
        memory.recall("deploys")
    for user in ("bob", "eve"):
        with engines.of(user):
            pass
    assert len(engines) == 2
    assert store.counters("ada", [known])[known].access_count == 1
    with engines.of("ada") as again:
        assert again is not memory


def test_one_that_is_in_use_stays(engines):
    with engines.of("ada") as memory:
        for user in ("bob", "eve", "joe"):
            with engines.of(user):
                pass
        with engines.of("ada") as same:
            assert same is memory


def test_an_engine_that_cannot_be_opened_leaves_the_store_open(engines, store, clock):
    store.set_settings("bob", {"dream.curve": '"flat"'}, clock.now())
    with pytest.raises(ValueError, match="curve"), engines.of("bob"):
        pass
    assert store.users() == ["bob"]
    with engines.of("ada") as memory:
        memory.remember("still here")


def test_the_cache_is_counted_beyond_an_engines_life(engines):
    for user in ("ada", "bob", "eve"):
        with engines.of(user) as memory:
            memory.remember("one")
            memory.recall("one")
    assert engines.cache().misses == 3
    assert engines.cache().hits == 3


def test_many_threads_write_and_read_one_users_memory_and_lose_nothing(engines, store):
    def work(number):
        with engines.of("ada") as memory:
            memory.remember(f"note number {number} about deploys")
            return len(memory.recall("deploys", 5))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(60)))
    assert all(found)
    assert store.counts("ada")["memory"] == 60
    assert store.verify("ada") == []


def test_a_shared_store_outlives_an_engine_that_is_flushed(store, clock):
    memory = Recollect(store, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock)
    memory.remember("one")
    memory.flush()
    assert store.counts("ada")["memory"] == 1


def test_a_full_lane_turns_away_and_goes_on_when_there_is_room():
    async def crowd():
        lane = Lane("test", threads=1, queue=1, seconds=5)
        gate = threading.Event()
        jobs = [asyncio.create_task(lane.run(gate.wait)) for _ in range(2)]
        await asyncio.sleep(0.05)
        with pytest.raises(Rejected) as refused:
            await lane.run(gate.wait)
        gate.set()
        done = await asyncio.gather(*jobs)
        again = await lane.run(lambda: "room")
        lane.close()
        return refused.value.status_code, done, again

    assert asyncio.run(crowd()) == (503, [True, True], "room")


def test_what_waited_too_long_is_never_begun():
    async def late():
        begun = []
        lane = Lane("test", threads=1, queue=5, seconds=0.1)
        gate = threading.Event()
        first = asyncio.create_task(lane.run(gate.wait))
        await asyncio.sleep(0)
        with pytest.raises(Rejected) as refused:
            await lane.run(lambda: begun.append(1))
        with pytest.raises(Rejected):
            await first
        gate.set()
        lane.close()
        return refused.value.detail, begun

    detail, begun = asyncio.run(late())
    assert ("may still" in detail, begun) == (False, [])


def test_workers_count_together(tmp_path):
    Rates.create(tmp_path / "rates")
    one, other = (Rates(tmp_path / "rates", per_second=4) for _ in range(2))
    waits = [(one, other)[turn % 2].wait(7, now=50.0) for turn in range(6)]
    assert [wait == 0 for wait in waits] == [True] * 4 + [False] * 2
    assert other.wait(8, now=50.0) == 0
    assert one.wait(7, now=51.0) == 0
    one.close()
    other.close()


def test_a_rate_holds_over_time_and_allows_less_than_one_a_second():
    steady = Rates(None, per_second=10)
    taken = sum(steady.wait(1, now=step / 100) == 0 for step in range(1_000))
    assert 100 <= taken <= 111
    seldom = Rates(None, per_second=0.5)
    assert [seldom.wait(1, now=float(second)) == 0 for second in range(5)] == [True, False, True, False, True]
    free = Rates(None, per_second=0)
    assert all(free.wait(1, now=0.0) == 0 for _ in range(1_000))


def test_engines_are_opened_anew_for_another_embedder_and_lose_nothing(engines, store):
    with engines.of("ada") as memory:
        known = memory.remember("Deploys go through staging first").id
        memory.recall("deploys")
        counted = engines.cache()
        engines.renew(HashEmbedder(128))
        assert store.counters("ada", [known]) == {}
        assert engines.cache() == counted
    assert store.counters("ada", [known])[known].access_count == 1
    with engines.of("ada") as again:
        assert (again is memory, again.embedder.name) == (False, "hash-128")


def test_a_service_goes_on_with_the_model_that_a_reembedding_gave_the_store(tmp_path, monkeypatch):
    from recollect.serve.http import service as module

    monkeypatch.setattr(
        module, "make_embedder", lambda _, stored: HashEmbedder(int((stored or "hash-384").partition("-")[2]))
    )
    path = str(tmp_path / "agent.db")
    service = module.Service(module.Options(path, "ada", keys=False))
    service.warm()
    service.done_for("ada", lambda memory: memory.remember("Deploys go through staging first"))
    with Recollect(path, user="ada", embedder=HashEmbedder(128)) as other:
        other.reembed()
    assert service.not_ready() is None
    with Recollect(path, user="ada", embedder=HashEmbedder(64)) as other:
        other.reembed()
    (hit,) = service.done_for("ada", lambda memory: memory.recall("how do we deploy?"))
    assert (hit.text, service.embedder.name) == ("Deploys go through staging first", "hash-64")
    service.close()


def test_a_model_that_nobody_here_can_make_is_told(tmp_path):
    from recollect.errors import ModelMismatch
    from recollect.serve.http.service import Options, Service

    path = str(tmp_path / "agent.db")
    service = Service(Options(path, "ada", keys=False), embedder=HashEmbedder())
    service.warm()
    service.done_for("ada", lambda memory: memory.remember("something"))
    with Recollect(path, user="ada", embedder=HashEmbedder(128)) as other:
        other.reembed()
    assert "hash-128" in service.not_ready()
    with pytest.raises(ModelMismatch, match="hash-128"):
        service.done_for("ada", lambda memory: memory.recall("something"))
    service.close()


def test_a_model_that_is_not_there_yet_is_tried_again(tmp_path, monkeypatch):
    from recollect.errors import ModelUnavailable
    from recollect.serve.http import service as module

    class Late(HashEmbedder):
        tries = 0

        def embed(self, texts, progress=None):
            self.tries += 1
            if self.tries < 3:
                raise ModelUnavailable("not yet")
            return super().embed(texts, progress)

    monkeypatch.setattr(module, "WARM_EVERY_SECONDS", 0.001)
    service = module.Service(module.Options(str(tmp_path / "agent.db"), "ada", keys=False), embedder=Late())
    assert "being loaded" in service.not_ready()
    service.warm()
    assert service.not_ready() is None
    service.close()


def named(answer, name):
    return next(one["value"] for one in answer.json()["settings"] if one["name"] == name)


SET_ELSEWHERE = [
    ({"recall.k": 33}, ("GET", "/config"), lambda answer: named(answer, "recall.k"), 33),
    (
        {"recall.budget_tokens": 40},
        ("POST", "/context", {"query": "tea"}),
        lambda answer: answer.json()["budget_tokens"],
        40,
    ),
    ({"memory.enabled": False}, ("GET", "/due"), lambda answer: answer.json()["due"], []),
    (
        {"learning.neighbours": 1},
        ("POST", "/decide", {"state": "the tests fail"}),
        lambda answer: len(answer.json()["precedents"]),
        1,
    ),
    (
        {"dream.curve": "fsrs6"},
        ("POST", "/dreams", {"dry_run": True}),
        lambda answer: answer.json()["params"]["curve"],
        "fsrs6",
    ),
]


@pytest.mark.parametrize(
    ("chosen", "asked", "told", "expected"), SET_ELSEWHERE, ids=[next(iter(one[0])) for one in SET_ELSEWHERE]
)
def test_what_another_process_sets_counts_from_the_next_call_on(tmp_path, chosen, asked, told, expected):
    path = tmp_path / "served.db"
    with serving(path) as client:
        ada = caller(client, "ada")
        ada("POST", "/intentions", {"text": "Water the plants", "at": "2020-01-01T00:00:00Z"})
        for _ in range(2):
            episode = ada("POST", "/episodes", {"goal": "fix the build"}).json()["id"]
            ada("POST", f"/episodes/{episode}/steps", {"state": "the tests fail", "action": "read the log"})
            ada("POST", f"/episodes/{episode}/outcome", {"success": True})
        assert told(ada(*asked)) != expected
        with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as other:
            other.configure(chosen)
        assert told(ada(*asked)) == expected
