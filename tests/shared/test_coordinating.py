"""Outcomes of many move an item's rank, under pseudonyms, in groups, with noise; no account alone does."""

import pytest

from recollect.errors import NotFound

GUIDE = "Deploys go through staging first"
ON = {"shared.enabled": True, "shared.deadline_ms": 60_000.0}


def told_by(people, item, count, *, success, start=0):
    for number in range(start, start + count):
        assert people(f"user {number}").report(item, success=success) == [item]


def test_nothing_is_told_of_an_item_before_enough_accounts_have_told(people):
    made = people("ada").publish("How we deploy", GUIDE)
    told_by(people, made.id, 4, success=True)
    assert people("ada").coordinate() == 0
    assert people("ada").item(made.id).quality is None
    told_by(people, made.id, 36, success=True, start=4)
    assert people("ada").coordinate() == 1
    quality = people("ben").item(made.id).quality
    assert quality.score > 0.7
    assert abs(quality.voices - 40) < 15


def test_one_account_with_ten_thousand_votes_moves_nothing(people):
    made = people("ada").publish("How we deploy", GUIDE)
    for _ in range(20):
        people("eve").report([made.id], success=True)
    voices = people("ada").library._voices
    (record,) = voices._each("voice")
    won, uses = record.value[made.id]
    assert (won, uses) == (20, 20)
    many = {made.id: [10_000, 10_000]}
    from recollect.ports import Changes, RecordChange

    store = people("ada").library._tools.store
    change = RecordChange("voice", record.key, many)
    store.write("_library", Changes("told", people.clock.now(), records=(change,)))
    assert people("ada").coordinate() == 0
    assert people("ada").item(made.id).quality is None
    told_by(people, made.id, 30, success=False)
    assert people("ada").coordinate() == 1
    assert people("ada").item(made.id).quality.score < 0.35


def test_what_served_many_stands_above_what_did_not(people):
    good = people("ada").publish("Deploys by the good way", "How deploys go through staging, the good way")
    bad = people("ada").publish("Deploys by the bad way", "How deploys go through staging, the bad way")
    told_by(people, good.id, 40, success=True)
    told_by(people, bad.id, 40, success=False)
    people("ada").coordinate()
    found = people("ben", **ON).recall("how do deploys go through staging?")
    assert [hit.id for hit in found] == [good.id, bad.id]
    assert found[0].values["quality"] > 0.6
    assert found[1].values["quality"] < 0.4


def test_those_who_always_tell_of_the_same_items_count_as_about_one(people):
    ids = [people("ada").publish(f"Item {n}", f"How to do thing {n}").id for n in range(92)]
    poisoned, others = ids[:12], ids[12:]
    for number in range(40):
        honest = others[number * 2 :] + others[: number * 2]
        people(f"user {number}").report(honest[:5], success=True)
    for number in range(20):
        people(f"puppet {number}").report(poisoned, success=True)
    people("ada").coordinate()
    # Twenty count as about one; noise alone lets one of them through now and then.
    assert len(people("ada").library.qualities(poisoned)) <= 3


def test_nobody_is_counted_for_what_is_their_own_or_what_they_cannot_read(people):
    made = people("ada").publish("How we deploy", GUIDE, access="users:ben")
    assert people("ada").report(made.id, success=True) == []
    assert people("eve").report([made.id, "01NOSUCHITEM"], success=True) == []
    assert people("ben").report(made.id, success=True) == [made.id]


def test_feedback_on_a_published_item_is_reported_and_on_ones_own_memory_stays_here(people):
    made = people("ada").publish("How we deploy", GUIDE)
    ben = people("ben")
    own = ben.remember("Tea is in the kitchen").id
    ben.feedback([own, made.id], helpful=True)
    assert ben.counters(own).utility > 0.5
    (record,) = ben.library._voices._each("voice")
    assert record.value == {made.id: [1, 1]}
    with pytest.raises(NotFound):
        ben.feedback("01NOSUCHMEMORY", helpful=True)


def test_the_outcome_of_an_episode_is_reported_for_the_items_that_it_used(people):
    made = people("ada").publish("How we deploy", GUIDE)
    ben = people("ben")
    run = ben.episode("ship it")
    run.step("deploy", state="ready")
    assert ben.outcome(run.id, success=True, used=[made.id]).success
    (record,) = ben.library._voices._each("voice")
    assert record.value == {made.id: [1, 1]}


def test_an_episode_reports_the_items_that_it_used_and_counts_for_its_own_memories(people):
    made = people("ada").publish("How we deploy", GUIDE)
    ben = people("ben")
    own = ben.remember("Tea is in the kitchen").id
    with ben.episode("ship it") as run:
        run.step("deploy", state="ready")
        run.finish(False, used=[made.id, own])
    (record,) = ben.library._voices._each("voice")
    assert record.value == {made.id: [0, 1]}
    assert ben.counters(own).losses == 1.0


def test_what_is_told_names_nobody(people):
    made = people("ada").publish("How we deploy", GUIDE)
    told_by(people, made.id, 30, success=True)
    people("ada").coordinate()
    store = people("ada").library._tools.store
    kinds = ("voice", "item_quality", "coordination")
    kept = str([store.records("_library", kind) for kind in kinds]) + str(store.witness("_library"))
    assert "user 1" not in kept


def test_an_item_is_judged_again_only_when_many_more_have_told(people):
    made = people("ada").publish("How we deploy", GUIDE)
    told_by(people, made.id, 40, success=True)
    assert people("ada").coordinate() == 1
    first = people("ada").item(made.id).quality
    told_by(people, made.id, 10, success=False, start=40)
    assert people("ada").coordinate() == 0
    assert people("ada").item(made.id).quality == first
    told_by(people, made.id, 20, success=False, start=50)
    assert people("ada").coordinate() == 1


def test_it_is_looked_at_when_it_is_due(people):
    people("ada").publish("How we deploy", GUIDE)
    assert people("ada").coordinate(minutes=15) == 0
    assert people("ada").coordinate(minutes=15) is None
    people.clock.advance(minutes=15)
    assert people("ada").coordinate(minutes=15) == 0


def test_a_worker_of_the_librarys_store_coordinates_and_lets_no_item_fade(people):
    from recollect.serve.worker import Worker

    made = people("ada").publish("How we deploy", GUIDE)
    told_by(people, made.id, 40, success=True)
    store = people("ada").library._tools.store
    heard = []
    library = people("ada").beside("_first")
    Worker(
        store, lambda user: people(user) if user != "_library" else library, heard.append, people.clock
    ).look()
    assert {"user": "_library", "job": "coordinate", "changed": 1} in heard
    assert [one["job"] for one in heard if one["user"] == "_library"] == ["coordinate"]
