"""Wherever working memory lies, it behaves the same."""

import time
from dataclasses import dataclass
from typing import Any

import pytest

from recollect.errors import InvalidInput
from recollect.short_lived import Desk
from recollect.stores.working import InProcessWorkingStore
from recollect.stores.working_file import FileWorkingStore
from recollect.testing import FakeClock

DESK = Desk("ada", "shop", "c1")
OTHERS = (
    Desk("bob", "shop", "c1"),
    Desk("ada", "bank", "c1"),
    Desk("ada", "shop", "c2"),
    # Names that would be another's place if they were put together carelessly.
    Desk("ada:shop", "c1", ""),
    Desk("ada", "shop:c1", ""),
    Desk('ada", "shop', "c1", ""),
    Desk("{ada", "shop}", "c1"),
    Desk("%61da", "shop", "c1"),
)


@dataclass
class Place:
    """A store and its time."""

    store: Any
    clock: FakeClock | None

    def wait(self, seconds: float) -> None:
        if self.clock is None:
            time.sleep(seconds)
        else:
            self.clock.advance(seconds=seconds)


@pytest.fixture(params=["process", "file", pytest.param("redis", marks=pytest.mark.server)])
def place(request, tmp_path):
    clock = FakeClock()
    if request.param == "redis":
        from recollect.stores.redis.link import Link
        from recollect.stores.redis.working import RedisWorkingStore

        server = request.getfixturevalue("redis_server")
        with server.client() as client:
            client.flushall()
        link = Link(server.url, timeout_seconds=10)
        yield Place(RedisWorkingStore(link, InProcessWorkingStore(clock)), None)
        assert link.answers
        link.close()
    elif request.param == "file":
        store = FileWorkingStore(tmp_path / "working", clock)
        yield Place(store, clock)
        store.close()
    else:
        yield Place(InProcessWorkingStore(clock), clock)


def test_what_is_put_is_there_until_its_time_is_over(place):
    place.store.put(DESK, "short", {"a": [1, None, "ü\ud800"]}, 0.2)
    place.store.put(DESK, "long", 2.5, 60)
    assert place.store.values(DESK) == {"short": {"a": [1, None, "ü\ud800"]}, "long": 2.5}
    assert place.store.get(DESK, "short") == {"a": [1, None, "ü\ud800"]}
    place.wait(0.25)
    assert place.store.get(DESK, "short") is None
    assert place.store.values(DESK) == {"long": 2.5}


def test_a_value_that_is_put_again_has_its_new_time(place):
    place.store.put(DESK, "a", 1, 0.2)
    place.store.put(DESK, "a", 2, 60)
    place.wait(0.25)
    assert place.store.values(DESK) == {"a": 2}


def test_names_may_be_anything(place):
    names = ("a:b", "{a}", "%41", "ü\ud800", " ", "context", "turns", "x" * 1_000)
    for number, name in enumerate(names):
        place.store.put(DESK, name, number, 60)
    place.store.push(DESK, "turns", "said", keep=3, ttl_seconds=60)
    assert place.store.values(DESK) == {name: number for number, name in enumerate(names)}
    assert [place.store.get(DESK, name) for name in names] == list(range(len(names)))
    assert place.store.listed(DESK, "turns", 3) == ["said"]


def test_a_list_keeps_its_newest_and_lives_as_long_as_the_last_of_them(place):
    for number in range(5):
        place.store.push(DESK, "turns", number, keep=3, ttl_seconds=0.4)
    assert place.store.listed(DESK, "turns", 10) == [2, 3, 4]
    assert place.store.listed(DESK, "turns", 2) == [3, 4]
    place.wait(0.3)
    place.store.push(DESK, "turns", 5, keep=3, ttl_seconds=0.4)
    place.wait(0.3)
    assert place.store.listed(DESK, "turns", 10) == [3, 4, 5]
    place.wait(0.2)
    assert place.store.listed(DESK, "turns", 10) == []
    place.store.push(DESK, "turns", 6, keep=3, ttl_seconds=60)
    assert place.store.listed(DESK, "turns", 10) == [6]


def test_deleting_and_clearing_forget_and_nothing_else(place):
    for desk in (DESK, *OTHERS):
        place.store.put(desk, "a", "kept", 60)
        place.store.push(desk, "turns", "kept", keep=3, ttl_seconds=60)
        place.store.push(desk, "states", "kept", keep=3, ttl_seconds=60)
    place.store.put(DESK, "b", 1, 60)
    place.store.delete(DESK, "b")
    place.store.delete(DESK, "nothing")
    assert place.store.values(DESK) == {"a": "kept"}
    place.store.clear(DESK)
    assert place.store.values(DESK) == {}
    assert place.store.listed(DESK, "turns", 3) == place.store.listed(DESK, "states", 3) == []
    for desk in OTHERS:
        assert place.store.values(desk) == {"a": "kept"}, desk
        assert place.store.listed(desk, "turns", 3) == ["kept"], desk
        assert place.store.listed(desk, "states", 3) == ["kept"], desk


def test_nobody_sees_another_s(place):
    for number, desk in enumerate((DESK, *OTHERS)):
        place.store.put(desk, "own", number, 60)
        place.store.push(desk, "turns", number, keep=3, ttl_seconds=60)
    for number, desk in enumerate((DESK, *OTHERS)):
        assert place.store.values(desk) == {"own": number}
        assert place.store.listed(desk, "turns", 3) == [number]


def test_a_conversation_keeps_a_bounded_number_of_values(place, monkeypatch):
    for name in ("working", "working_file", "redis.working"):
        if name != "redis.working" or place.clock is None:
            monkeypatch.setattr(f"recollect.stores.{name}.MOST_VALUES", 2)
    place.store.put(DESK, "a", 1, 0.2)
    place.store.put(DESK, "b", 1, 60)
    with pytest.raises(InvalidInput, match="delete some"):
        place.store.put(DESK, "c", 1, 60)
    place.store.put(DESK, "b", 2, 60)
    place.wait(0.25)
    place.store.put(DESK, "c", 1, 60)
    assert place.store.values(DESK) == {"b": 2, "c": 1}


def test_what_json_cannot_hold_is_refused(place):
    for wrong in (object(), float("nan"), {1, 2}):
        with pytest.raises(InvalidInput, match="JSON"):
            place.store.put(DESK, "a", wrong, 60)
        with pytest.raises(InvalidInput, match="JSON"):
            place.store.push(DESK, "turns", wrong, keep=3, ttl_seconds=60)
    assert place.store.values(DESK) == {}


def test_what_is_over_leaves_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("recollect.stores.working_file.SWEEP_EVERY", 3)
    clock = FakeClock()
    store = FileWorkingStore(tmp_path / "working", clock)
    store.put(DESK, "a", "zanzibar", 1)
    store.push(DESK, "turns", "zanzibar", keep=3, ttl_seconds=1)
    clock.advance(seconds=2)
    store.put(OTHERS[0], "b", 1, 60)
    rows = [tuple(row) for table in ("value", "listed") for row in store._rows(f"SELECT * FROM {table}", ())]
    assert len(rows) == 1
    store.close()


def test_two_processes_share_a_file(tmp_path):
    clock = FakeClock()
    one, other = (FileWorkingStore(tmp_path / "working", clock) for _ in range(2))
    one.put(DESK, "a", 1, 60)
    other.push(DESK, "turns", "x", keep=3, ttl_seconds=60)
    assert other.get(DESK, "a") == 1
    assert one.listed(DESK, "turns", 3) == ["x"]
    one.close()
    other.close()
