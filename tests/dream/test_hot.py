"""The hot tier: the most useful memories of late are in every context, and looked for once in five minutes."""

import pytest
from dream_values import keep, teach

from recollect.formulas.tiers import TierParams

HOT = {"utility": 0.8, "accesses": 10, "tier": "semantic"}


@pytest.fixture
def hot(memory):
    one = keep(memory, "Deploys go through staging first")
    teach(memory, one, **HOT)
    return one


def test_the_hot_tier_is_in_every_context(memory, hot):
    keep(memory, "The cat sleeps on the printer")
    text = memory.context("where does the cat sleep?", k=1)
    assert text.startswith(
        "Always worth knowing:\n- Deploys go through staging first (since 2026-01-01)\nRelevant"
    )
    assert memory.context("deploys staging").count("Deploys go") == 1


@pytest.mark.parametrize("less", [{"utility": 0.79}, {"accesses": 9}, {"tier": "episodic"}])
def test_each_condition_of_the_hot_tier_is_needed(memory, hot, less):
    teach(memory, keep(memory, "The cat sleeps on the printer"), **HOT | less)
    assert [one.id for one in memory.hot()] == [hot]


def test_a_hot_memory_is_younger_than_thirty_days(memory, hot, clock):
    clock.advance(days=29.99)
    assert [one.id for one in memory.hot()] == [hot]
    clock.advance(days=0.01)
    assert memory.hot() == []


def test_the_most_useful_come_first_and_no_more_than_fifteen(memory):
    ids = [keep(memory, f"Note {n} on subject {n * n + 1000}") for n in range(17)]
    for place, one in enumerate(ids):
        teach(memory, one, **HOT | {"utility": 0.8 + place / 100})
    assert [one.id for one in memory.hot()] == ids[:1:-1]
    assert TierParams().hot_items == 15


def test_it_is_looked_for_once_in_five_minutes(memory, hot, clock):
    memory.hot()
    teach(memory, keep(memory, "The cat sleeps on the printer"), **HOT)
    clock.advance(minutes=4, seconds=59)
    assert len(memory.hot()) == 1
    clock.advance(seconds=1)
    assert len(memory.hot()) == 2


def test_what_is_forgotten_meanwhile_is_not_shown(memory, hot):
    assert len(memory.hot()) == 1
    memory.forget(hot)
    assert memory.hot() == []


def test_it_can_be_switched_off(memory, hot):
    memory.configure({"dream.hot_tier": False})
    assert memory.hot() == []
    assert "Always" not in memory.context("deploys staging")


def test_channels_and_sessions_have_their_own(memory, hot):
    teach(memory, keep(memory, "The project uses Redis", channel="project"), **HOT)
    teach(memory, keep(memory, "We are in a hurry", scope="session", session="s1"), **HOT)
    assert len(memory.hot()) == 1
    assert len(memory.hot(channel="project")) == 2
    assert len(memory.hot(session="s1")) == 2


def test_it_takes_half_of_the_budget_at_most(memory, hot):
    keep(memory, "The cat sleeps on the printer")
    text = memory.context("where does the cat sleep?", budget_tokens=60)
    assert len(text) <= 60 * 4
    assert "Always" in text
    assert "The cat" in text
