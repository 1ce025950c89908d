"""Threads of one service share what was learnt: each outcome counts once."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder

THREADS, EPISODES = 4, 6


@pytest.fixture
def hasty():
    """Threads take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def known(memory):
    """What was counted and what advises."""
    experience = memory._learner().experience
    experience.follow()
    counts = {
        name: (list(region.whole), {action: list(tally) for action, tally in region.actions.items()})
        for counted in experience.counts_of(["_global"])
        for name, region in counted.regions.items()
    }
    return experience.size, sorted(experience.contents[: experience.size].tolist()), counts


@pytest.mark.usefixtures("hasty")
def test_threads_that_learn_and_decide_at_once_count_every_outcome_once(tmp_path):
    def play(number):
        for place in range(EPISODES):
            run = memory.episode("tidy the hall", task_type="tidy")
            run.decide("the hall", possible=["take book", "take lamp"])
            run.step("take book" if (number + place) % 2 else "take lamp")
            run.finish(success=bool(place % 3))

    with (
        Recollect(tmp_path / "a.db", user="ada", channel="_global", embedder=HashEmbedder()) as memory,
        ThreadPoolExecutor(THREADS) as pool,
    ):
        list(pool.map(play, range(THREADS)))
        together = known(memory)
        memory._learner().experience._sequence = -1
        assert together == known(memory), "what threads have counted is what the records say"
        assert len(memory.episodes(ending="open", limit=None)) == 0
