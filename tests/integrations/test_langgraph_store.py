"""LangGraph's store on Recollect, beside LangGraph's own, and in a real graph."""

import asyncio
from datetime import timedelta

import pytest
from doors_watched import interleaved
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.testing import FakeClock, HashEmbedder

pytest.importorskip(
    "langgraph.store.base", reason="langgraph is not installed: run by make test-integrations"
)
pytestmark = pytest.mark.filterwarnings("ignore")

from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from recollect.errors import Refused
from recollect.integrations.doors import door_of
from recollect.integrations.langgraph import RecollectStore

ADA = ("memories", "ada")


@pytest.fixture
def store(memory):
    return RecollectStore(memory)


def keys(found):
    return [item.key for item in found]


def test_what_is_put_is_got_with_its_times(store, clock):
    store.put(ADA, "a", {"food": "pizza", "sizes": [1, 2], "deep": {"er": None}})
    clock.advance(hours=1)
    store.put(ADA, "a", {"food": "pasta"})
    item = store.get(ADA, "a")
    assert (item.namespace, item.key, item.value) == (ADA, "a", {"food": "pasta"})
    assert item.updated_at - item.created_at == timedelta(hours=1)
    assert store.get(ADA, "b") is None
    assert store.get(("memories",), "a") is None


def test_an_overwritten_value_stays_in_the_history(store, memory):
    store.put(ADA, "a", {"food": "pizza"})
    store.put(ADA, "a", {"food": "pasta"})
    [one] = memory.list()
    assert [m.text for m in memory.history(one.id)] == ["pizza", "pasta"]


def test_equal_values_under_different_keys_are_different_items(store):
    for key in ("a", "b", " a", "#a"):
        store.put(ADA, key, {"food": "pizza"})
    assert {key: store.get(ADA, key).key for key in ("a", "b", " a", "#a")} == {
        key: key for key in ("a", "b", " a", "#a")
    }
    store.delete(ADA, " a")
    assert store.get(ADA, "a") is not None
    assert sorted(keys(store.search(ADA))) == ["#a", "a", "b"]


def test_what_was_deleted_may_be_put_again(store):
    store.put(ADA, "a", {"food": "pizza"})
    store.delete(ADA, "a")
    store.delete(ADA, "a")
    assert store.get(ADA, "a") is None
    assert store.search(ADA, query="pizza") == []
    store.put(ADA, "a", {"food": "pizza"})
    assert store.get(ADA, "a").value == {"food": "pizza"}


def test_two_who_put_a_key_at_once_make_one_item(store, memory, monkeypatch):
    other = RecollectStore(memory)
    outcome = interleaved(
        monkeypatch,
        memory,
        door_of(memory),
        lambda: store.put(ADA, "a", {"n": 1}),
        lambda: other.put(ADA, "a", {"n": 2}),
    )
    assert outcome == []
    [item] = store.search(ADA)
    assert item.value == store.get(ADA, "a").value == {"n": 2}
    store.delete(ADA, "a")
    assert store.get(ADA, "a") is None


def twice(memory, key="a"):
    """A key as two processes leave it that made it at once."""
    for told in ("older", "newer"):
        about = {"key": key, "value": {"text": told}, "ttl": None, "searched": True}
        memory.remember(
            f"tea is {told}",
            kind="item",
            channel="memories.ada",
            tags=[f"key:{key}"],
            metadata={"langgraph": about},
            once=False,
        )


def test_of_what_two_processes_put_at_once_the_newer_stays(store, memory):
    twice(memory)
    assert store.get(ADA, "a").value == {"text": "newer"}
    for query in (None, "tea is older"):
        assert [item.value for item in store.search(ADA, query=query)] == [{"text": "newer"}]
    store.put(ADA, "a", {"text": "newest"})
    assert [one.text for one in memory.list()] == ["newest"]
    twice(memory, "b")
    store.delete(ADA, "b")
    assert (store.get(ADA, "b"), keys(store.search(ADA))) == (None, ["a"])


def test_what_says_a_purged_text_is_not_said_to_be_put(store, memory):
    store.put(ADA, "a", {"text": "omega"})
    memory.purge(memory.list()[0].id)
    with pytest.raises(Refused, match=r"'a' in .* was not kept: this text was purged"):
        store.put(ADA, "a", {"text": "omega"})
    store.put(ADA, "b", {"text": "alpha"})
    puts = [PutOp(ADA, "b", {"text": "omega"}), PutOp(ADA, "c", {"text": "gamma"})]
    with pytest.raises(Refused, match=r"'b' in .* was not kept"):
        store.batch(puts)
    assert store.get(ADA, "b").value == {"text": "alpha"}
    assert store.get(ADA, "c").value == {"text": "gamma"}


@pytest.mark.parametrize("key", ["k ", " k", "k\t", "a b", "%20", "k%20", "\u2003", ""])
def test_any_key_is_written_read_and_deleted(store, key):
    store.put(ADA, key, {"v": 1})
    store.put(ADA, key, {"v": 2})
    assert store.get(ADA, key).value == {"v": 2}
    assert keys(store.search(ADA)) == [key]
    store.delete(ADA, key)
    assert store.search(ADA) == []


@pytest.mark.parametrize("key", ["a b", " k", "k"])
def test_items_of_before_are_found_by_their_keys(store, memory, key):
    about = {"key": key, "value": {"v": 1}, "ttl": None, "searched": True}
    options = {"kind": "item", "channel": "memories.ada", "metadata": {"langgraph": about}}
    memory.remember("v", tags=[f"key:{key}"], **options)
    assert store.get(ADA, key).value == {"v": 1}
    store.put(ADA, key, {"v": 2})
    assert [item.value for item in store.search(ADA)] == [{"v": 2}]


@pytest.mark.parametrize(
    "metadata", [{}, {"langgraph": "z"}, {"langgraph": {"key": "z"}}, {"langgraph": {"value": {}}}]
)
def test_what_others_call_an_item_is_none_of_ours(store, memory, metadata):
    memory.remember("tea at noon", kind="item", channel="memories.ada", tags=["key:z"], metadata=metadata)
    memory.remember("tea at ten", kind="item", channel="others", tags=["key:z"], metadata=metadata)
    assert store.get(ADA, "z") is None
    store.put(ADA, "a", {"text": "tea at five"})
    assert keys(store.search(ADA)) == keys(store.search(ADA, query="tea")) == ["a"]
    assert store.list_namespaces() == [ADA]
    store.delete(ADA, "z")
    assert len(memory.list()) == 3


def test_a_question_brings_the_best_first_of_its_namespace_alone(store):
    store.put(ADA, "a", {"text": "the harbour opens at dawn"})
    store.put(ADA, "b", {"text": "soup needs salt"})
    store.put(("memories", "bob"), "c", {"text": "the harbour opens at noon"})
    store.put(("memories2", "ada"), "d", {"text": "the harbour opens at night"})
    found = store.search(ADA, query="when does the harbour open?")
    assert keys(found) == ["a", "b"]
    assert 1 >= found[0].score > found[1].score
    assert set(keys(store.search(("memories",), query="when does the harbour open?", limit=2))) == {"a", "c"}


@pytest.mark.parametrize("query", ["hello", "what was it before?", "", " \r\n", "?!", "\x00", "tea " * 5000])
def test_any_query_is_answered(store, query):
    store.put(ADA, "a", {"text": "hello"})
    assert keys(store.search(ADA, query=query)) == ["a"]


def test_a_filter_finds_the_one_that_ranks_last_of_many(store):
    for number in range(120):
        store.put(ADA, f"n{number}", {"text": f"note {number} on tea", "n": number})
    store.put(ADA, "last", {"text": "an aside", "n": 999})
    found = store.search(ADA, query="note on tea", filter={"n": {"$gt": 500}}, limit=3)
    assert keys(found) == ["last"]
    assert keys(store.search(ADA, filter={"n": {"$gte": 117}}, limit=2, offset=1)) == ["n119", "n118"]


def test_a_filter_follows_dots_into_a_value(store):
    store.put(ADA, "a", {"user": {"access-level": "high", "age": 3}, "x.y": 1})
    for wanted in ({"user.access-level": "high"}, {"user.age": {"$lt": 4}}, {"x.y": 1}, {"user": {"age": 3}}):
        assert keys(store.search(ADA, filter=wanted)) == ["a"]
    for unwanted in ({"user.age": 4}, {"x": 1}, {"user.age.deep": 3}, {"x.z": 1}):
        assert store.search(ADA, filter=unwanted) == []


def test_only_the_named_fields_are_searched(memory):
    store = RecollectStore(memory, fields=["title"])
    store.put(ADA, "a", {"title": "harbour", "body": "zebra"})
    store.put(ADA, "b", {"title": "soup", "body": "harbour"}, index=["body"])
    store.put(ADA, "c", {"title": "harbour"}, index=False)
    assert {m.text for m in memory.list()} == {"harbour", "c"}
    found = store.search(ADA, query="harbour")
    assert {item.key: item.score is None for item in found} == {"a": False, "b": False, "c": True}


def test_items_expire_and_reading_puts_that_off(memory, clock):
    store = RecollectStore(memory, ttl={"default_ttl": 10, "refresh_on_read": True})
    store.put(ADA, "a", {"text": "short"})
    store.put(ADA, "b", {"text": "long"}, ttl=None)
    clock.advance(minutes=8)
    assert store.get(ADA, "a")
    clock.advance(minutes=8)
    assert keys(store.search(ADA, query="short")) == ["a", "b"]
    clock.advance(minutes=8)
    assert store.get(ADA, "a", refresh_ttl=False)
    clock.advance(minutes=3)
    assert store.get(ADA, "a") is None
    assert keys(store.search(ADA, query="short")) == ["b"]
    assert store.get(ADA, "b").updated_at == store.get(ADA, "b").created_at
    store.delete(ADA, "b")
    assert store.list_namespaces() == []


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), 1e300])
def test_a_time_that_is_none_is_refused(store, ttl):
    with pytest.raises(ValueError, match="minutes above 0"):
        store.put(ADA, "a", {"text": "short"}, ttl=ttl)


def test_reading_often_does_not_write_often(memory, clock):
    store = RecollectStore(memory)
    store.put(ADA, "a", {"text": "short"}, ttl=60)
    for _ in range(50):
        clock.advance(seconds=1)
        store.get(ADA, "a")
    [one] = memory.list()
    assert one.version == 1
    clock.advance(seconds=20)
    before = store.get(ADA, "a")
    assert memory.get(one.id).version == 2
    assert before.updated_at == before.created_at


def test_a_batch_reads_what_was_there_before_it_and_the_last_write_stands(store):
    store.put(ADA, "a", {"n": 1})
    got, _, found, _, names = store.batch(
        [
            GetOp(ADA, "a"),
            PutOp(ADA, "a", {"n": 2}),
            SearchOp(ADA),
            PutOp(ADA, "a", {"n": 3}),
            ListNamespacesOp(),
        ]
    )
    assert (got.value, [item.value for item in found], names) == ({"n": 1}, [{"n": 1}], [ADA])
    assert store.get(ADA, "a").value == {"n": 3}


def test_namespaces_are_listed_by_beginning_end_and_depth(store):
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("a", "x"), ("z", "c")):
        store.put(namespace, "k", {"n": 1})
    assert store.list_namespaces(prefix=("a", "*"), max_depth=2) == [("a", "b"), ("a", "x")]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("z", "c")]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "d")]


def test_a_label_cannot_reach_into_another_namespace(store):
    store.put(("a", "b"), "k", {"n": 1})
    for op in (GetOp(("a.b",), "k"), PutOp(("a.b",), "k", {"n": 2}), SearchOp(("a.b",))):
        with pytest.raises(InvalidNamespaceError):
            store.batch([op])
    with pytest.raises(ValueError):
        store.put((), "k", {"n": 1})


def test_a_value_that_json_cannot_hold_is_refused_and_nothing_changes(store):
    store.put(ADA, "a", {"n": 1})
    with pytest.raises(ValueError, match="JSON"):
        store.put(ADA, "a", {"n": object()})
    assert store.get(ADA, "a").value == {"n": 1}


def test_what_one_process_puts_another_gets(tmp_path):
    for user, expected in (("ada", {"n": 1}), ("bob", None)):
        with Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder()) as memory:
            RecollectStore(memory).put(ADA, "a", {"n": 1})
        with Recollect(tmp_path / "agent.db", user=user, embedder=HashEmbedder()) as memory:
            item = RecollectStore(memory).get(ADA, "a")
            assert (item and item.value) == expected


def test_a_real_graph_keeps_its_memories_in_it(store):
    from typing import TypedDict

    from langgraph.graph import END, START, StateGraph
    from langgraph.runtime import Runtime

    class State(TypedDict):
        said: str
        known: list[str]

    def learn(state: State, runtime: Runtime) -> dict:
        runtime.store.put(ADA, f"m{len(runtime.store.search(ADA))}", {"text": state["said"]})
        return {"known": [i.value["text"] for i in runtime.store.search(ADA, query=state["said"])]}

    graph = StateGraph(State)
    graph.add_node("learn", learn)
    graph.add_edge(START, "learn")
    graph.add_edge("learn", END)
    compiled = graph.compile(store=store)
    compiled.invoke({"said": "the harbour opens at dawn", "known": []})
    last = asyncio.run(compiled.ainvoke({"said": "harbour tours are in May", "known": []}))
    assert last["known"] == ["harbour tours are in May", "the harbour opens at dawn"]


NAMESPACES = (("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("_global",))
values = st.dictionaries(
    st.sampled_from(["text", "n", "tags"]),
    st.one_of(st.integers(0, 3), st.sampled_from(["tea", "salt"]), st.lists(st.integers(0, 1), max_size=2)),
    min_size=1,
)
filters = st.one_of(
    st.none(),
    st.dictionaries(
        st.sampled_from(["text", "n"]),
        st.one_of(st.integers(0, 3), st.sampled_from(["tea", "salt"])),
        max_size=1,
    ),
    st.sampled_from([{"n": {"$ne": 2}}, {"text": {"$eq": "tea"}}, {"tags": [0]}]),
)
names, pages = st.sampled_from(NAMESPACES), st.integers(0, 4)
operations = st.one_of(
    st.builds(PutOp, names, st.sampled_from("xyz"), st.one_of(st.none(), values), st.none(), st.none()),
    st.builds(GetOp, names, st.sampled_from("xyz"), st.booleans()),
    # Which items a page after the first has depends on their order, which LangGraph leaves open.
    st.builds(
        lambda prefix, wanted, query: SearchOp(prefix, wanted, limit=50, query=query),
        st.one_of(names, st.just(())),
        filters,
        st.sampled_from([None, "tea", "hi", " "]),
    ),
    st.builds(
        ListNamespacesOp,
        st.one_of(
            st.none(),
            st.tuples(
                st.builds(
                    MatchCondition,
                    st.sampled_from(["prefix", "suffix"]),
                    st.sampled_from([("a",), ("*", "b"), ("b", "*"), ("c",)]),
                )
            ),
        ),
        st.one_of(st.none(), st.integers(1, 3)),
        pages,
        pages,
    ),
)


def told(result):
    """An answer without times and scores; a search's without its order, which LangGraph leaves open."""
    if isinstance(result, list) and result and not isinstance(result[0], tuple):
        return sorted(((item.namespace, item.key, repr(item.value)) for item in result), key=repr)
    if hasattr(result, "value"):
        return (result.namespace, result.key, result.value)
    return result


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(operations, min_size=1, max_size=3), max_size=12))
def test_it_answers_as_langgraphs_own_store_does(batches):
    theirs = InMemoryStore()
    with Recollect(":memory:", user="ada", embedder=HashEmbedder(), clock=FakeClock()) as memory:
        ours = RecollectStore(memory)
        for batch in batches:
            expected = [told(result) for result in theirs.batch(batch)]
            # Its namespaces stay when they are empty; a listing of ours names what is there.
            empty = {namespace for namespace, items in theirs._data.items() if not items}
            for namespace in empty:
                del theirs._data[namespace]
            got = [told(result) for result in ours.batch(batch)]
            for op, one, other in zip(batch, got, expected, strict=True):
                if not isinstance(op, ListNamespacesOp) or not empty:
                    assert one == other, op
