"""What outcomes taught about a memory, as signals of the documents' formulas."""

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder

TEXTS = ("Deploy on Friday by hand", "Deploy on Friday by script")


@pytest.fixture
def ways(memory):
    """Two memories that answer equally well."""
    return [memory.remember(text).id for text in TEXTS]


def ended(memory, success, *used, clock=None, seconds=0):
    run = memory.episode("deploy the service")
    if clock is not None:
        clock.advance(seconds=seconds)
    run.step("do it", state="the release is due")
    return run.finish(success, used=used)


def values(memory, profile, signal):
    found = memory.recall("deploy on Friday", profile=profile, learn=False)
    return {hit.id: hit.values[signal] for hit in found}


def test_usage_success_is_the_posterior_of_wins_and_losses(memory, ways):
    by_hand, by_script = ways
    assert values(memory, "bayesian", "usage_success") == {by_hand: 0.5, by_script: 0.5}
    for success in (True, True, False):
        ended(memory, success, by_script)
    ended(memory, False, by_hand)
    known = values(memory, "bayesian", "usage_success")
    assert known == {by_hand: pytest.approx(1 / 3), by_script: pytest.approx(3 / 5)}


def test_a_memory_that_served_a_task_loses_reward_where_it_fails_at_it(memory, ways):
    by_hand, by_script = ways
    ended(memory, True, by_script)
    ended(memory, False, by_hand)
    assert values(memory, "bayesian", "reward") == {by_hand: 1.0, by_script: 1.0}, "by hand it never worked"
    ended(memory, False, by_script)
    known = values(memory, "bayesian", "reward")
    assert known == {by_hand: 1.0, by_script: memory.counters(by_script).reward}
    assert 0.7 < known[by_script] < 0.95


def test_reward_is_what_failures_left_of_it(memory):
    goal, seen = "deploy the service", "the release is due"
    with memory.episode(goal, task_type="release") as run:
        kept = run.step("run the script", state=seen)
        run.finish(True)
    for _ in range(2):
        with memory.episode(goal, task_type="release") as run:
            run.decide(seen)
            run.step("run the script")
            run.finish(False)
    left = memory.counters(kept.id).reward
    assert 0.5 < left < 0.96
    found = memory.recall(
        "the release is due", profile="bayesian", kinds=("step",), include_dormant=True, learn=False
    )
    rewards = {hit.id: hit.values["reward"] for hit in found}
    assert rewards.pop(kept.id) == left
    assert set(rewards.values()) == {1.0}, "nobody followed the steps of the failures"


def test_uplift_is_how_much_better_than_usual_it_went(memory, ways):
    by_hand, by_script = ways
    assert values(memory, "choir", "causal_uplift") == {by_hand: 0.0, by_script: 0.0}
    for success, one in ((True, by_script), (True, by_script), (False, by_hand), (False, by_hand)):
        ended(memory, success, one)
    # Two of four went well: usually (2 + 1) / (4 + 2) do.
    known = values(memory, "choir", "causal_uplift")
    assert known == {by_hand: pytest.approx(-0.25), by_script: pytest.approx(0.25)}


def test_what_usually_succeeds_is_raised_less(memory, ways):
    for _ in range(10):
        ended(memory, True)
    ended(memory, True, ways[0])
    assert 0.0 < values(memory, "choir", "causal_uplift")[ways[0]] < 0.05


def test_latency_is_how_long_the_episodes_took(memory, ways, clock):
    by_hand, by_script = ways
    ended(memory, True, by_hand, clock=clock, seconds=180)
    ended(memory, False, by_hand, clock=clock, seconds=60)
    ended(memory, True, by_script, clock=clock, seconds=20)
    known = values(memory, "causal", "latency")
    assert known == {by_hand: pytest.approx((0.75 + 0.5) / 2), by_script: pytest.approx(0.25)}


def test_of_what_worked_equally_well_the_faster_is_preferred(memory, ways, clock):
    slower, faster = (hit.id for hit in memory.recall("deploy on Friday", profile="causal", learn=False))
    ended(memory, True, slower, clock=clock, seconds=600)
    ended(memory, True, faster, clock=clock, seconds=5)
    found = memory.recall("deploy on Friday", profile="causal", learn=False)
    assert [hit.id for hit in found] == [faster, slower]
    hit = found[0]
    assert hit.score == pytest.approx(
        0.7 * hit.values["similarity"] + 0.2 * hit.values["causal_uplift"] - 0.1 * hit.values["latency"]
    )


@pytest.mark.parametrize("profile", ["bayesian", "choir", "causal"])
def test_what_worked_ranks_above_what_failed(memory, ways, profile):
    first, second = (hit.id for hit in memory.recall("deploy on Friday", profile=profile, learn=False))
    ended(memory, False, first)
    won = ended(memory, True, second)
    assert memory.recall("deploy on Friday", profile=profile, learn=False)[0].id == second
    memory.undo(won.episode)
    ended(memory, False, second)
    ended(memory, False, second)
    assert memory.recall("deploy on Friday", profile=profile, learn=False)[0].id == first


def test_uplift_is_told_as_it_stood_then(memory, ways, clock):
    before = clock.now()
    clock.advance(days=1)
    ended(memory, True, ways[0])
    assert values(memory, "choir", "causal_uplift")[ways[0]] > 0.0
    then = memory.recall("deploy on Friday", profile="choir", as_of=before, learn=False)
    assert {hit.values["causal_uplift"] for hit in then} == {0.0}


def test_another_users_outcomes_say_nothing(memory, ways):
    other = Recollect(memory.store, user="bob", channel="_global", embedder=HashEmbedder())
    theirs = other.remember(TEXTS[0]).id
    ended(other, False, theirs)
    assert values(other, "choir", "causal_uplift")[theirs] < 0.0
    assert set(values(memory, "choir", "causal_uplift").values()) == {0.0}
    assert set(values(memory, "bayesian", "usage_success").values()) == {0.5}


def test_who_does_not_weigh_them_asks_the_store_nothing_more(memory, ways, monkeypatch):
    asked = []
    for name in ("counters", "edges"):
        monkeypatch.setattr(memory.store, name, lambda *_, name=name, **__: asked.append(name) or {})
    memory.recall("deploy on Friday", learn=False)
    assert asked == []
    memory.recall("deploy on Friday", profile="bayesian", learn=False)
    memory.recall("deploy on Friday", profile="choir", learn=False)
    assert asked == ["counters", "edges"], "one query each, for all candidates"
