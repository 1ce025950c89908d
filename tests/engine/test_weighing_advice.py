"""With `learning.weights`, outcomes teach what counts in advice, and an undone outcome teaches nothing."""

import pytest

from recollect import Recollect
from recollect.testing import FakeClock, HashEmbedder


def tried(memory, task_type, goal, *, success):
    run = memory.episode(goal, task_type=task_type)
    run.decide("the hall")
    run.step("open the door")
    return run.finish(success)


@pytest.fixture
def memory(tmp_path):
    with Recollect(
        tmp_path / "agent.db",
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        clock=FakeClock(),
        settings={"learning.weights": True, "learning.decay": "off"},
    ) as engine:
        yield engine


def test_the_weight_of_what_goes_with_success_rises(memory):
    tried(memory, "visit", "see the house", success=True)
    before = memory.advice_weights()
    for _ in range(8):
        tried(memory, "visit", "see the house", success=True)
        tried(memory, "rob", "see the house", success=False)
    after = memory.advice_weights()
    assert after["task_match"] > before["task_match"] + 0.1


def test_advice_follows_the_weights_and_an_undone_outcome_teaches_nothing(memory, tmp_path):
    tried(memory, "visit", "see the house", success=True)
    for _ in range(8):
        tried(memory, "rob", "see the house", success=False)
        last = tried(memory, "visit", "see the house", success=True)
    known = memory.advice_weights()
    state = ["see the house", "nothing", "the hall"]
    weight = memory.decide(state, task_type="visit").precedents[0].weight
    again = memory.undo(last.episode)
    assert memory.advice_weights() != known
    memory.outcome(again.id, success=True)
    assert memory.advice_weights() == pytest.approx(known)
    with Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(), clock=FakeClock()) as plain:
        assert plain.decide(state, task_type="visit").precedents[0].weight != pytest.approx(weight)


def test_nothing_is_weighed_where_it_is_off(tmp_path):
    with Recollect(tmp_path / "b.db", user="ada", embedder=HashEmbedder(), clock=FakeClock()) as plain:
        start = plain.advice_weights()
        tried(plain, "visit", "see the house", success=True)
        tried(plain, "visit", "see the house", success=False)
        assert plain.advice_weights() == start
