"""What is in mind is there for its conversation alone, and gone after a while."""

import threading

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.short_lived import Desk
from recollect.stores import working as module
from recollect.stores.working import InProcessWorkingStore
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Recollect(":memory:", user="ada", channel="shop", embedder=HashEmbedder(), clock=clock) as engine:
        yield engine


def test_a_conversation_is_picked_up_where_it_was_left(memory):
    memory.working("c1").add_turn("user", "Where is my order?", name="Ada")
    memory.working("c1").add_turn("assistant", "On its way.")
    memory.working("c1").think("She may want a date")
    memory.working("c1").set("order", {"id": 7, "items": ["tea"]})
    memory.working("c1").set_goal("g1", "Find the order")
    told = memory.working("c1").context()
    assert [(turn["role"], turn["content"]) for turn in told["turns"]] == [
        ("user", "Where is my order?"),
        ("assistant", "On its way."),
    ]
    assert told["turns"][0]["name"] == "Ada"
    assert [one["thought"] for one in told["thoughts"]] == ["She may want a date"]
    assert told["values"] == {"order": {"id": 7, "items": ["tea"]}}
    assert told["goal"] == {"id": "g1", "text": "Find the order"}


def test_users_channels_and_conversations_do_not_see_each_other(memory):
    memory.working("c1").set("secret", "zanzibar")
    memory.working("c1").add_turn("user", "zanzibar")
    memory.working("c1").keep_state(1, "zanzibar")
    others = (
        memory.working("c2"),
        memory.working("c1", channel="bank"),
        memory.beside("bob").working("c1", channel="shop"),
    )
    for other in others:
        assert other.context() == {"goal": None, "values": {}, "turns": [], "thoughts": []}
        assert other.similar_states("zanzibar") == []
        other.clear()
    assert memory.working("c1").get("secret") == "zanzibar"
    assert memory.beside("ada").working("c1", channel="shop").get("secret") == "zanzibar"


def test_everything_is_gone_after_its_time(memory, clock):
    mind = memory.working("c1")
    mind.set("short", 1, ttl_seconds=10)
    mind.set("long", 2)
    mind.add_turn("user", "hello")
    mind.set_goal("g", "greet")
    clock.advance(seconds=10)
    assert (mind.get("short"), mind.get("short", "gone"), mind.get("long")) == (None, "gone", 2)
    clock.advance(seconds=3_589)
    assert mind.recent_turns()
    mind.think("what is said keeps its list alive, and no other")
    clock.advance(seconds=1)
    assert (mind.get("long"), mind.recent_turns(), mind.goal()) == (None, [], None)
    assert len(mind.thoughts()) == 1


def test_the_oldest_goes_when_there_is_too_much(memory):
    memory.configure({"working.turns": 3})
    mind = memory.working("c1")
    for number in range(5):
        mind.add_turn("user", f"turn {number}")
    assert [turn["content"] for turn in mind.recent_turns(10)] == ["turn 2", "turn 3", "turn 4"]
    assert [turn["content"] for turn in mind.recent_turns(2)] == ["turn 3", "turn 4"]


def test_states_of_a_session_are_found_by_what_they_are_like(memory):
    mind = memory.working("c1")
    mind.keep_state(1, "the tests fail with a timeout", {"file": "a.py"})
    mind.keep_state(2, "the build is green")
    mind.keep_state(3, "the tests fail with an assertion")
    found = mind.similar_states("tests fail with a timeout", 2)
    assert [one.turn for one in found] == [1, 3]
    assert found[0].similarity > found[1].similarity
    assert found[0].metadata == {"file": "a.py"}


def test_secrets_are_not_kept_even_for_a_while(memory):
    mind = memory.working("c1")
    mind.set("login", {"notes": ["The wifi password is kedi-1234."]})
    mind.add_turn("user", "The wifi password is kedi-1234.")
    mind.keep_state(1, "The wifi password is kedi-1234.")
    mind.set_goal("g", "The wifi password is kedi-1234.")
    assert "kedi-1234" not in str(mind.context())
    assert "kedi-1234" not in str(mind.similar_states("wifi"))


def test_secrets_are_not_kept_as_names_either(memory):
    mind, secret = memory.working("c1"), "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    mind.set(secret, 1)
    mind.set("headers", [{secret: {secret: "x"}, 1: "y"}])
    mind.add_turn("user", "hello", **{secret: 1})
    mind.keep_state(1, "hello", {secret: 1})
    mind.set_goal(secret, "greet")
    assert secret not in str(mind.context())
    assert secret not in str(mind.similar_states("hello"))
    assert mind.get(secret) == 1
    mind.delete(secret)
    assert mind.get(secret) is None


def test_what_was_given_may_be_changed_without_changing_what_is_kept(memory):
    given = {"items": ["tea"]}
    mind = memory.working("c1")
    mind.set("order", given)
    given["items"].append("bread")
    mind.get("order")["items"].append("cheese")
    assert mind.get("order") == {"items": ["tea"]}


def test_switched_off_nothing_is_kept(memory):
    memory.configure({"memory.recording": False})
    mind = memory.working("c1")
    for attempt in (lambda: mind.set("a", 1), lambda: mind.think("x"), lambda: mind.set_goal("g", "x")):
        with pytest.raises(Refused, match=r"memory\.recording"):
            attempt()
    assert mind.context() == {"goal": None, "values": {}, "turns": [], "thoughts": []}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda mind: mind.set("", 1),
        lambda mind: mind.set("a", object()),
        lambda mind: mind.set("a", float("nan")),
        lambda mind: mind.set("a", 1, ttl_seconds=0),
        lambda mind: mind.set("a", 1, ttl_seconds=float("inf")),
        lambda mind: mind.set("a", 1, ttl_seconds=float("nan")),
        lambda mind: mind.set("a", 1, ttl_seconds="5"),
        lambda mind: mind.set(5, 1),
        lambda mind: mind.recent_turns("5"),
        lambda mind: mind.similar_states("x", "5"),
        lambda mind: mind.recent_turns(0),
        lambda mind: mind.similar_states("x", 0),
    ],
)
def test_what_cannot_be_is_told(memory, wrong):
    with pytest.raises(InvalidInput):
        wrong(memory.working("c1"))
    with pytest.raises(InvalidInput, match="conversation"):
        memory.working(" ")


def test_deleting_and_clearing_forget(memory):
    mind = memory.working("c1")
    mind.set("a", 1)
    mind.set("b", 2)
    mind.set_goal("g", "x")
    mind.delete("a")
    mind.delete("nothing")
    mind.clear_goal()
    assert mind.context()["values"] == {"b": 2}
    assert mind.goal() is None
    mind.clear()
    assert mind.context()["values"] == {}


def test_the_conversation_longest_untouched_goes_first(clock, monkeypatch):
    monkeypatch.setattr(module, "MOST_DESKS", 2)
    store = InProcessWorkingStore(clock)
    desks = [Desk("ada", "_global", str(number)) for number in range(3)]
    for desk in (*desks[:2], desks[0], desks[2]):
        store.put(desk, "a", 1, 60)
    assert [store.get(desk, "a") for desk in desks] == [1, None, 1]


def test_one_conversation_keeps_a_bounded_number_of_values(clock, monkeypatch):
    monkeypatch.setattr(module, "MOST_VALUES", 2)
    store, desk = InProcessWorkingStore(clock), Desk("ada", "_global", "c")
    store.put(desk, "a", 1, 1)
    store.put(desk, "b", 1, 60)
    with pytest.raises(InvalidInput, match="delete some"):
        store.put(desk, "c", 1, 60)
    store.put(desk, "b", 2, 60)
    clock.advance(seconds=1)
    store.put(desk, "c", 1, 60)
    assert store.values(desk) == {"b": 2, "c": 1}


def test_threads_lose_nothing(memory):
    mind = memory.working("c1")
    memory.configure({"working.turns": 1_000})
    mind = memory.working("c1")
    threads = [
        threading.Thread(target=lambda: [mind.add_turn("user", "x") for _ in range(50)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(mind.recent_turns(1_000)) == 200


def test_nothing_in_mind_is_recalled_or_witnessed(memory):
    before = memory.store.witness("ada")
    memory.working("c1").add_turn("user", "The treasure lies in zanzibar")
    assert list(memory.recall("zanzibar")) == []
    assert memory.store.witness("ada") == before
