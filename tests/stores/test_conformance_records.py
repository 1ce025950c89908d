"""What every store does with state that is not memory: records, learnt counters, edges that change."""

from typing import Any

import pytest
from store_values import AT, LATER, everything, keep, link, memory

from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.model import SYSTEM_USER, Counters, Edge, Record
from recollect.ports import Changes, RecordChange, Store


def put(store: Store, *changes: RecordChange, user: str = "ada", at: Any = AT) -> None:
    store.write(user, Changes("record", at, records=changes))


def test_a_record_comes_back_as_json_gives_it(store: Store) -> None:
    put(store, RecordChange("goal", "ship", {"steps": ("a", "ç"), "done": False}))
    assert store.record("ada", "goal", "ship") == Record(
        "goal", "ship", {"steps": ["a", "ç"], "done": False}, 1, AT
    )
    assert store.record("ada", "goal", "other") is None
    assert store.record("bob", "goal", "ship") is None


def test_records_are_found_by_kind_and_prefix_in_the_order_of_keys(store: Store) -> None:
    put(
        store,
        *(RecordChange("goal", key, 1) for key in ("b", "ab", "aa", "ac")),
        RecordChange("key", "aa", 2),
    )
    assert [r.key for r in store.records("ada", "goal")] == ["aa", "ab", "ac", "b"]
    assert [r.key for r in store.records("ada", "goal", prefix="a", after="aa", limit=1)] == ["ab"]


def test_records_are_found_by_their_names_in_one_question(store: Store) -> None:
    put(
        store,
        *(RecordChange("goal", key, key.upper()) for key in ("b", "ç", "a/b")),
        RecordChange("key", "a", 2),
    )
    found = store.records_named("ada", "goal", ["ç", "a/b", "a", "ç"])
    assert {key: record.value for key, record in found.items()} == {"ç": "Ç", "a/b": "A/B"}
    assert found["ç"] == store.record("ada", "goal", "ç")
    assert store.records_named("ada", "goal", []) == store.records_named("bob", "goal", ["b"]) == {}


def test_records_and_settings_of_everyone_are_those_of_each(store: Store) -> None:
    assert store.everyones_records("job") == store.everyones_settings() == {}
    for user in ("ada", "bob", SYSTEM_USER):
        put(store, *(RecordChange("job", key, user) for key in ("b", "a")), user=user)
    put(store, RecordChange("goal", "c", 1), user="eve")
    store.set_settings("bob", {"recall.k": 3, "worker.decay": 2.5}, AT)
    assert store.everyones_records("job") == {user: store.records(user, "job") for user in ("ada", "bob")}
    assert [one.key for one in store.everyones_records("job")["ada"]] == ["a", "b"]
    assert store.everyones_settings() == {"bob": store.settings("bob")}


def test_revisions_rise_and_are_never_used_again(store: Store) -> None:
    put(store, RecordChange("goal", "ship", 1))
    put(store, RecordChange("goal", "ship", None))
    assert store.records("ada", "goal") == []
    put(store, RecordChange("goal", "ship", 2), at=LATER)
    assert store.record("ada", "goal", "ship") == Record("goal", "ship", 2, 3, LATER)


def test_of_a_record_that_one_transaction_names_twice_the_last_counts(store: Store) -> None:
    put(store, *(RecordChange("goal", key, "before") for key in ("a", "b", "c")))
    twice = [("a", 1), ("a", 2), ("b", 1), ("b", None), ("c", None), ("c", 2), ("d", 1), ("d", None)]
    put(store, *(RecordChange("goal", key, value) for key, value in twice))
    assert {one.key: (one.value, one.revision) for one in store.records("ada", "goal")} == {
        "a": (2, 2),
        "c": (2, 2),
    }


def test_records_are_written_and_removed_by_whatever_name_they_have(store: Store) -> None:
    names = ["{a,b}", '"', "\\", "NULL", " ", "a\x00b", "\x01", "'; --", "ç"]
    put(store, *(RecordChange(name, name, name) for name in names))
    assert [store.record("ada", name, name).value for name in names] == names  # type: ignore[union-attr]
    put(store, *(RecordChange(name, name, None) for name in names[1:]))
    assert [store.record("ada", name, name) is None for name in names] == [False] + [True] * 8


@pytest.mark.parametrize(("expected", "wanted"), [(0, False), (1, True), (7, False), (None, True)])
def test_a_change_may_ask_for_the_revision_that_it_read(
    store: Store, expected: int | None, wanted: bool
) -> None:
    put(store, RecordChange("goal", "ship", "first"))
    change = RecordChange("goal", "ship", "second", expected)
    if wanted:
        put(store, change)
    else:
        with pytest.raises(Conflict, match="read it again"):
            put(store, RecordChange("goal", "new", 1), change)
    known = store.record("ada", "goal", "ship")
    assert known is not None
    assert known.value == ("second" if wanted else "first")
    assert store.record("ada", "goal", "new") is None, "a refused change takes the whole transaction with it"


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}, "\ud800"])
def test_what_json_cannot_hold_is_refused(store: Store, value: Any) -> None:
    with pytest.raises(InvalidInput, match="JSON"):
        put(store, RecordChange("goal", "ship", value))
    assert store.records("ada", "goal") == []


@pytest.mark.parametrize(("kind", "key"), [("", "a"), ("goal", "")])
def test_a_record_without_a_name_is_refused(store: Store, kind: str, key: str) -> None:
    with pytest.raises(InvalidInput, match="kind and a key"):
        put(store, RecordChange(kind, key, 1))


def test_records_and_learnt_counters_are_witnessed_as_an_operation(store: Store) -> None:
    keep(store, memory("01"))
    store.write("ada", Changes("outcome", AT, counters={"01": {"wins": 1}}, detail={"episode": "e"}))
    put(store, RecordChange("goal", "ship", 1))
    assert [(e.operation, dict(e.detail)) for e in store.witness("ada")][1:] == [
        ("outcome", {"episode": "e"}),
        ("record", {}),
    ]
    assert store.verify("ada") == []


def test_learnt_counters_are_set_one_by_one(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    store.touch("ada", {"01": (2, AT)})
    store.write("ada", Changes("learn", AT, counters={"01": {"wins": 1, "tier": "semantic"}, "02": {}}))
    store.write("ada", Changes("learn", AT, counters={"01": {"utility": 0.75}}))
    learnt = Counters(2, AT, wins=1.0, utility=0.75, tier="semantic")
    assert store.counters("ada", ["01", "02"]) == {"01": learnt, "02": Counters()}
    store.touch("ada", {"01": (1, LATER)})
    assert store.counters("ada", ["01"])["01"].wins == 1.0, "counting an access forgets nothing"


@pytest.mark.parametrize("values", [{"luck": 1}, {"wins": float("inf")}, {"wins": "1"}, {"tier": 1}])
def test_a_counter_that_is_none_is_refused(store: Store, values: dict[str, Any]) -> None:
    keep(store, memory("01"))
    before = everything(store)
    with pytest.raises(InvalidInput):
        store.write("ada", Changes("learn", AT, counters={"01": values}))
    assert everything(store) == before


def test_nothing_is_learnt_about_anothers_memory(store: Store) -> None:
    keep(store, memory("01"))
    with pytest.raises(NotFound):
        store.write("bob", Changes("learn", AT, counters={"01": {"wins": 1}}))
    assert store.counters("ada", ["01"]) == {}


def test_what_was_learnt_about_a_memory_goes_with_it(store: Store) -> None:
    keep(store, memory("01"))
    store.write("ada", Changes("learn", AT, counters={"01": {"wins": 1}}))
    store.purge("ada", ["01"], LATER)
    assert store.counters("ada", ["01"]) == {}


def test_an_edge_is_weighed_anew_and_taken_away(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    link(store, Edge("01", "02", "causes", 0.9))
    store.write("ada", Changes("weigh", AT, reweighed=(Edge("01", "02", "causes", 0.2),)))
    assert [e.weight for e in store.edges("ada", ["01"])] == [0.2]
    store.write("ada", Changes("unlink", AT, unlinked=(Edge("01", "02", "causes"),)))
    assert store.edges("ada", ["01"]) == []
    assert store.verify("ada") == []
    link(store, Edge("01", "02", "causes", 0.4))
    assert [e.weight for e in store.edges("ada", ["01"])] == [0.4]
    assert store.verify("ada") == []


@pytest.mark.parametrize("change", ["reweighed", "unlinked"])
def test_an_edge_that_is_not_there_cannot_change(store: Store, change: str) -> None:
    keep(store, memory("01"), memory("02"))
    before = everything(store)
    with pytest.raises(NotFound, match="no causes edge from 01 to 02"):
        store.write("ada", Changes("learn", AT, **{change: (Edge("01", "02", "causes"),)}))
    assert everything(store) == before


def test_the_stores_own_records_make_no_user(store: Store) -> None:
    put(store, RecordChange("key", "k", 1), user=SYSTEM_USER)
    keep(store, memory("01"))
    assert store.users() == ["ada"]
    assert store.record(SYSTEM_USER, "key", "k") is not None
