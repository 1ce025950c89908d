"""The steps that let memories fade, strengthen and change their tier, each at its threshold."""

import pytest
from dream_values import keep, learnt, only, rule, sleeps, teach

from recollect.dream.steps import (
    emotional_consolidation,
    promotion,
    rehearsal,
    synaptic_replay,
    tier_decay,
    utility_decay,
)
from recollect.dream.strengthening import TOGETHER, Use, pair, strengthen
from recollect.formulas.retention import retention

FELT = {"emotion": {"arousal": 0.8, "valence": -0.5}}
LESS_FELT = {"emotion": {"arousal": 0.79}}


@pytest.mark.parametrize(
    ("tier", "factor"), [("episodic", 3), ("semantic", 1), ("working", 10), ("dormant", 0)]
)
def test_tier_decay_takes_the_kinds_rate_times_the_tiers_multiplier(memory, clock, tier, factor):
    one = keep(memory, "The port is 8080", kind="fact")
    teach(memory, one, stability=10.0, tier=tier)
    clock.advance(days=2)
    only(memory, tier_decay)
    assert learnt(memory, one).stability == pytest.approx(10 * (1 - 0.005 * factor) ** 2)


def test_tier_decay_spares_what_was_used_since_the_last_dream(memory, clock):
    one = keep(memory, "The port is 8080", kind="fact")
    teach(memory, one, stability=10.0)
    clock.advance(days=5)
    teach(memory, one, accesses=1)
    only(memory, tier_decay)
    assert learnt(memory, one).stability == 10.0


def test_tier_decay_ends_at_the_stability_of_something_new(memory, clock):
    one = keep(memory, "Something or other", kind="note")
    teach(memory, one, stability=1.5)
    clock.advance(days=300)
    only(memory, tier_decay)
    assert learnt(memory, one).stability == 1.0


def test_many_nights_decay_as_much_as_one_long_one(memory, clock):
    one = keep(memory, "The port is 8080", kind="fact")
    teach(memory, one, stability=10.0)
    for _ in range(5):
        clock.advance(days=1)
        only(memory, tier_decay)
    assert learnt(memory, one).stability == pytest.approx(10 * (1 - 0.015) ** 5)


def test_emotional_consolidation_boosts_a_flashbulb_memory_once(memory, clock):
    felt = keep(memory, "The production database is gone", metadata=FELT)
    less = keep(memory, "The build is slow", metadata=LESS_FELT)
    clock.advance(hours=8)
    only(memory, emotional_consolidation)
    clock.advance(days=1)
    only(memory, emotional_consolidation)
    assert (learnt(memory, felt).stability, learnt(memory, less).stability) == (1.5, 1.0)


def test_synaptic_replay_relates_a_pair_that_came_together_three_times(memory, clock):
    one, other, third = (
        keep(memory, text) for text in ("Ada likes tea", "The port is 8080", "Rain on Monday")
    )
    for ids in [(one, other)] * 3 + [(one, third)] * 2:
        strengthen(memory.store, "ada", [Use(ids, clock.now())])
    before = learnt(memory, other).stability
    only(memory, synaptic_replay)
    [edge] = memory.edges(one)
    assert (edge.type, {edge.source, edge.target}, edge.weight) == ("recalled_with", {one, other}, 0.875)
    assert learnt(memory, other).stability == pytest.approx(before * 1.02)
    only(memory, synaptic_replay)
    assert learnt(memory, other).stability == pytest.approx(before * 1.02), "a pair is replayed once"
    assert memory.store.record("ada", TOGETHER, pair(one, third)).value["count"] == 2


def test_synaptic_replay_forgets_pairs_that_did_not_come_together_again_in_seven_days(memory, clock):
    one, other = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    strengthen(memory.store, "ada", [Use((one, other), clock.now())])
    clock.advance(days=7)
    only(memory, synaptic_replay)
    assert memory.store.records("ada", TOGETHER)
    clock.advance(seconds=1)
    only(memory, synaptic_replay)
    assert memory.store.records("ada", TOGETHER) == []


def test_promotion_by_access_frequency_needs_three_accesses(memory):
    often, twice = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    teach(memory, often, accesses=3)
    teach(memory, twice, accesses=2)
    only(memory, promotion)
    assert (learnt(memory, often).tier, learnt(memory, twice).tier) == ("semantic", "episodic")


def test_promotion_by_sustained_utility_needs_seven_tenths_and_seven_days(memory, clock):
    useful, less = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    clock.advance(days=1)
    young = keep(memory, "Rain on Monday")
    for one, utility in ((useful, 0.7), (less, 0.69), (young, 0.9)):
        teach(memory, one, utility=utility)
    clock.advance(days=6)
    only(memory, promotion)
    assert [learnt(memory, one).tier for one in (useful, less, young)] == ["semantic", "episodic", "episodic"]


def test_promotion_by_entity_co_occurrence_needs_three_memories(memory):
    redis = [
        keep(memory, f"Redis fact {n}", metadata={"entities": ["entity://tech/redis"]}) for n in range(3)
    ]
    kafka = [
        keep(memory, f"Kafka fact {n}", metadata={"entities": ["entity://tech/kafka"]}) for n in range(2)
    ]
    only(memory, promotion)
    assert {learnt(memory, one).tier for one in redis} == {"semantic"}
    assert {learnt(memory, one).tier for one in kafka} == {"episodic"}


def test_an_entity_that_nearly_everything_names_promotes_nothing(memory):
    ids = [keep(memory, f"Ada said {n}", metadata={"entities": ["entity://person/ada"]}) for n in range(51)]
    only(memory, promotion)
    assert {learnt(memory, one).tier for one in ids} == {"episodic"}


def test_an_entity_is_common_above_a_tenth_of_the_memories(memory):
    for count, tier in ((6, "semantic"), (7, "episodic")):
        entity = f"entity://tech/{count}"
        channel = f"project {count}"
        drafts = [{"text": f"Note {n} of {count}", "channel": channel} for n in range(60 - count)]
        drafts += [
            {"text": f"Named {n}", "channel": channel, "metadata": {"entities": [entity]}}
            for n in range(count)
        ]
        ids = [one.id for one in memory.remember_many(drafts)]
        only(memory, promotion)
        assert learnt(memory, ids[-1]).tier == tier


@pytest.mark.parametrize("anchor", ["pinned", "immutable"])
def test_pinned_and_immutable_memories_are_never_promoted(memory, anchor):
    one = keep(memory, "Ada likes tea", **{anchor: True})
    teach(memory, one, accesses=9)
    only(memory, promotion)
    assert learnt(memory, one).tier == "episodic"


def test_demotion_needs_sixty_idle_days_and_a_utility_below_a_fifth(memory, clock):
    gone, useful = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    clock.advance(hours=1)
    later = keep(memory, "Rain on Monday")
    for one, utility in ((gone, 0.19), (useful, 0.2), (later, 0.19)):
        teach(memory, one, utility=utility, tier="semantic")
    clock.advance(days=60, hours=-1)
    only(memory, promotion)
    assert [sleeps(memory, one) for one in (gone, useful, later)] == [True, False, False]
    assert rule(memory, gone) == "demotion"


def test_only_semantic_memories_are_demoted(memory, clock):
    one = keep(memory, "Ada likes tea")
    teach(memory, one, utility=0.0)
    clock.advance(days=100)
    only(memory, promotion)
    assert not sleeps(memory, one)


def test_utility_decay_drifts_one_percent_of_the_way_a_day(memory, clock):
    good, bad, new = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080"), keep(memory, "Rain")
    teach(memory, good, utility=0.9)
    teach(memory, bad, utility=0.2)
    clock.advance(days=10)
    done = only(memory, utility_decay)
    assert learnt(memory, good).utility == pytest.approx(0.86)
    assert learnt(memory, bad).utility == pytest.approx(0.23)
    assert (learnt(memory, new).utility, done.changed) == (0.5, 2)


def test_what_lies_below_the_floor_is_not_lifted_over_it_before_it_can_sleep(memory, clock):
    waits, stays = keep(memory, "The port is 8080", kind="fact"), keep(memory, "Tea first", kind="preference")
    for one in (waits, stays):
        teach(memory, one, utility=0.149)
    for _ in range(31):
        clock.advance(days=1)
        memory.dream()
    assert (sleeps(memory, waits), rule(memory, waits)) == (True, "utility floor")
    assert learnt(memory, stays).utility > 0.15, "what is kept for good need not wait"


def test_rehearsal_strengthens_what_is_endangered_and_found(memory, clock):
    one = keep(memory, "The office moved from Porto to Lisbon in March")
    clock.advance(days=7.4)
    assert float(retention(7.4, 1)) > 0.3
    only(memory, rehearsal)
    assert learnt(memory, one).stability == 1.0
    clock.advance(days=0.1)
    assert float(retention(7.5, 1)) < 0.3
    only(memory, rehearsal)
    assert learnt(memory, one).stability == 1.5
    assert learnt(memory, one).access_count == 0, "a rehearsal is no use"


def test_the_curve_is_a_setting(memory, clock):
    one = keep(memory, "The office moved from Porto to Lisbon in March")
    memory.configure({"dream.curve": "fsrs6"})
    clock.advance(days=30)
    memory.dream()
    assert learnt(memory, one).stability == 1.0, "FSRS-6 still remembers what the other curve has nearly lost"


def test_a_rehearsal_that_does_not_find_it_changes_nothing(memory, clock, monkeypatch):
    one = keep(memory, "The office moved from Porto to Lisbon in March")
    clock.advance(days=30)
    monkeypatch.setattr(type(memory), "_brought_back", lambda self, cue, sought: [])
    done = only(memory, rehearsal)
    assert learnt(memory, one).stability == 1.0
    assert done.steps["rehearsal"].noted == {"not found": 1}


def test_a_memory_is_rehearsed_once_for_each_time_it_becomes_endangered(memory, clock):
    one = keep(memory, "The office moved from Porto to Lisbon in March")
    clock.advance(days=30)
    only(memory, rehearsal)
    clock.advance(days=1)
    only(memory, rehearsal)
    assert learnt(memory, one).stability == 1.5


def test_a_cycle_rehearses_no_more_than_its_cap_and_the_most_important_first(memory, clock):
    ids = [keep(memory, f"Note number {n} about thing {n}", importance=n / 10) for n in range(5)]
    clock.advance(days=30)
    only(memory, rehearsal, rehearsals=2)
    assert [learnt(memory, one).stability for one in ids] == [1.0, 1.0, 1.0, 1.5, 1.5]
    assert memory._dream_params().rehearsals == 50
