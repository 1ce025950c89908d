"""What every store tells a dream: a narrow row of every memory, with what use has taught."""

from store_values import AT, EVERYTHING, LATER, keep, memory, revise

from recollect.model import Counters, Filter, Lane, Scope, State, microseconds
from recollect.ports import NO_END, Changes, Store


def row(store: Store, memory_id: str) -> dict[str, object]:
    found = store.survey("ada", EVERYTHING)
    place = found.ids.tolist().index(memory_id)
    return {name: getattr(found, name).tolist()[place] for name in found.__slots__}


def test_a_survey_tells_what_a_memory_is(store: Store) -> None:
    felt = {"emotion": {"arousal": 0.9}, "entities": ["entity://tech/redis", "entity://org/acme"]}
    keep(
        store,
        memory("01", kind="fact", channel="proj", confidence=0.7, importance=0.9, pinned=True, metadata=felt),
        memory("02", session="s1", scope=Scope.SESSION, immutable=True, valid_until=LATER),
    )
    one, other = row(store, "01"), row(store, "02")
    assert (one["kinds"], one["channels"], one["sessions"]) == ("fact", "proj", None)
    assert (one["pinned"], one["immutable"], one["superseded"]) == (True, False, False)
    assert (one["arousal"], one["entities"]) == (0.9, ("entity://tech/redis", "entity://org/acme"))
    assert (one["confidence"], one["importance"], one["valid_until"]) == (0.7, 0.9, NO_END)
    assert (other["sessions"], other["immutable"], other["valid_until"]) == ("s1", True, microseconds(LATER))
    assert (other["arousal"], other["entities"]) == (0.0, ())


def test_a_survey_tells_what_use_has_taught(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    learnt = {"stability": 4.0, "strength": 2.5, "utility": 0.25, "tier": "semantic"}
    store.write("ada", Changes("learn", AT, counters={"01": learnt}, accesses={"01": (3, LATER)}))
    one, other = row(store, "01"), row(store, "02")
    assert (one["access_count"], one["last_accessed_at"]) == (3, microseconds(LATER))
    assert (one["stability"], one["strength"], one["utility"], one["tiers"]) == (4.0, 2.5, 0.25, "semantic")
    new = Counters()
    assert (other["access_count"], other["last_accessed_at"]) == (0, microseconds(AT))
    assert (other["stability"], other["strength"]) == (new.stability, new.strength)
    assert (other["utility"], other["tiers"]) == (new.utility, new.tier)


def test_a_memory_is_as_old_as_its_first_version(store: Store) -> None:
    keep(store, memory("01"))
    revise(store, "01", tags=("new",))
    assert row(store, "01")["began_at"] == microseconds(AT)
    assert row(store, "01")["last_accessed_at"] == microseconds(AT)


def test_a_survey_follows_its_filter_and_its_user(store: Store) -> None:
    keep(store, memory("02"), memory("01"), memory("03", lane=Lane.LOG))
    keep(store, memory("04"), user="bob")
    revise(store, "02", state=State.DORMANT)
    assert store.survey("ada", Filter()).ids.tolist() == ["01", "03"]
    assert store.survey("ada", Filter(lanes=(Lane.MEMORY,), states=(State.DORMANT,))).ids.tolist() == ["02"]
    assert store.survey("bob", EVERYTHING).ids.tolist() == ["04"]
    assert len(store.survey("nobody", EVERYTHING)) == 0


def test_metadata_of_another_shape_are_taken_as_none(store: Store) -> None:
    odd = ({"emotion": "joy", "entities": "redis"}, {"emotion": {"arousal": "much"}, "entities": [1, "a"]})
    keep(store, *(memory(f"0{place}", metadata=one) for place, one in enumerate(odd)))
    assert [row(store, f"0{place}")["arousal"] for place in range(2)] == [0.0, 0.0]
    assert [row(store, f"0{place}")["entities"] for place in range(2)] == [(), ("a",)]


def test_some_of_a_survey_is_a_survey(store: Store) -> None:
    keep(store, memory("01"), memory("02", pinned=True))
    found = store.survey("ada", EVERYTHING)
    assert found.taking(found.pinned).ids.tolist() == ["02"]


def test_accesses_are_counted_with_what_they_teach_or_not_at_all(store: Store) -> None:
    keep(store, memory("01"))
    store.purge("ada", [keep(store, memory("02"))[0].id], LATER)
    store.write("ada", Changes("use", LATER, accesses={"01": (2, AT), "02": (1, AT)}))
    store.write("ada", Changes("use", LATER, accesses={"01": (1, LATER)}))
    assert store.counters("ada", ["01", "02"]) == {"01": Counters(3, LATER)}


def test_only_the_useful_are_surveyed_where_that_is_asked(store: Store) -> None:
    keep(store, memory("01"), memory("02"), memory("03"), memory("04"))
    learnt = {"01": {"utility": 0.8}, "02": {"utility": 0.79}, "04": {"utility": 0.9}}
    store.write("ada", Changes("learn", AT, counters=learnt))
    revise(store, "04", state=State.DORMANT)
    assert store.survey("ada", Filter(), min_utility=0.8).ids.tolist() == ["01"]
    assert store.survey("bob", Filter(), min_utility=0.8).ids.tolist() == []
