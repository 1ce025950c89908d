"""The simulation of a library goes through the engine, and says what it found."""

from recollect.evals.shared import Plan, shared
from recollect.testing import HashEmbedder


def test_useful_items_rise_and_poisoned_ones_are_not_shown():
    plan = Plan(users=60, items=40, outcomes=1_200, poisoned=0.05, topic=40)
    found = shared(HashEmbedder(), plan, ("all",))
    assert found["spearman"] > 0.8
    assert found["poisoned_shown"] == 0.0
    assert (found["group"], found["epsilon"]) == (5, 2.0)
    run = found["all"]
    assert run["spearman_possible"] >= run["spearman"]
    assert 0.8 < run["spearman_told"] <= 1.0
