"""The companion never waits, never fails the agent, repeats nothing, and notices when the talk turns."""

import threading
import time

import pytest

from recollect import Companion, Recollect
from recollect.serve.companion import CompanionParams
from recollect.testing import FakeClock, HashEmbedder


class Gated(HashEmbedder):
    """An embedder that can be held up, or fail."""

    def __init__(self):
        super().__init__()
        self.free = threading.Event()
        self.free.set()
        self.asked = []
        self.fails = False

    def embed(self, texts, progress=None):
        self.asked += texts
        self.free.wait(30)
        if self.fails:
            raise RuntimeError("no vectors today")
        return super().embed(texts, progress)

    def encode(self, texts, progress=None):
        return self.embed(texts, progress), super().encode(texts)[1]


@pytest.fixture
def embedder():
    return Gated()


@pytest.fixture
def memory(embedder):
    with Recollect(":memory:", user="ada", channel="_global", embedder=embedder, clock=FakeClock()) as engine:
        for text in (
            "Deploys go through staging first",
            "Deploys need an approval from Priya",
            "Priya likes green tea",
            "The cat sleeps on the sofa",
        ):
            engine.remember(text)
        embedder.asked.clear()
        yield engine


@pytest.fixture
def companion(memory, embedder):
    made = Companion(memory)
    yield made
    embedder.free.set()
    made.close()


def found(companion, context):
    companion.update(context)
    assert companion.settle(20)
    return companion.take()


def texts(one):
    return [hit.text for hit in one.hits]


def test_what_was_found_is_there_at_the_next_turn_and_only_once(companion):
    first = found(companion, "how do deploys work?")
    assert set(texts(first)) == {"Deploys go through staging first", "Deploys need an approval from Priya"}
    assert "Deploys go through staging first" in first.prompt()
    assert companion.take().hits == ()


def test_nothing_is_surfaced_twice_while_the_topic_stays(companion):
    assert found(companion, "how do deploys work?").hits
    again = found(companion, "how do deploys work here?")
    assert (again.hits, again.new_topic) == ((), False)


def test_when_the_talk_turns_it_may_come_again(companion):
    assert found(companion, "how do deploys work?").hits
    assert found(companion, "where does the cat sleep?").new_topic
    assert "Deploys go through staging first" in texts(found(companion, "how do deploys work?"))


def test_updates_never_wait_and_the_newest_takes_the_place_of_what_waits(companion, embedder):
    embedder.free.clear()
    companion.update("how do deploys work?")
    deadline = time.monotonic() + 20
    while not embedder.asked and time.monotonic() < deadline:
        time.sleep(0.01)
    took = []
    for number in range(500):
        began = time.perf_counter()
        companion.update(f"passing thought number {number}")
        took.append(time.perf_counter() - began)
    companion.update("where does the cat sleep?")
    assert sorted(took)[int(len(took) * 0.9)] < 0.001
    assert companion.take().hits == ()
    embedder.free.set()
    assert companion.settle(20)
    assert texts(companion.take()) == ["The cat sleeps on the sofa"]
    assert not any("passing thought" in text for text in embedder.asked)


def test_an_error_stays_out_of_the_agent_and_the_next_turn_works(companion, embedder, caplog):
    embedder.fails = True
    assert found(companion, "how do deploys work?").hits == ()
    assert "nothing was looked up" in caplog.text
    embedder.fails = False
    assert found(companion, "where does the cat sleep?").hits


def test_what_only_looks_alike_is_left_out_unless_somebody_else_decides(memory):
    with Companion(memory, verify=lambda context, hits: hits) as trusting:
        assert len(found(trusting, "a quantum flux capacitor").hits) > 0
    with Companion(memory) as careful:
        assert found(careful, "a quantum flux capacitor").hits == ()


def test_only_what_was_surfaced_counts_as_used(companion, memory):
    surfaced = {hit.id for hit in found(companion, "where does the cat sleep?").hits}
    used = {one.id for one in memory.list() if memory.counters(one.id).access_count}
    assert used == surfaced


def test_messages_are_a_context_too_and_an_empty_one_is_none(companion):
    messages = [
        {"role": "user", "content": "Good morning"},
        {"role": "user", "content": "where does the cat sleep?"},
    ]
    assert texts(found(companion, messages)) == ["The cat sleeps on the sofa"]
    assert found(companion, "  ").hits == found(companion, [{"role": "user", "content": None}]).hits == ()


def test_switched_off_it_surfaces_nothing(companion, memory):
    memory.configure({"memory.enabled": False})
    assert found(companion, "how do deploys work?").hits == ()


def test_it_can_be_closed_at_any_time_and_says_no_more(memory, embedder):
    companion = Companion(memory)
    companion.update("how do deploys work?")
    companion.close()
    companion.update("where does the cat sleep?")
    assert companion.settle(1)
    assert memory.recall("cats").query == "cats"


def test_what_look_ups_teach_is_written_once_in_a_while(memory):
    before = {one.text: one.confidence for one in memory.list()}
    doubted = memory.remember("Deploys to the moon need a rocket", confidence=0.6).id
    params = CompanionParams(learns_every=2)
    only_staging = lambda _, hits: [hit for hit in hits if "staging" in hit.text]  # noqa: E731
    with Companion(memory, params=params, verify=only_staging) as companion:
        found(companion, "how do we deploy?")
        assert memory.get(doubted).confidence == 0.6
        found(companion, "what do deploys to the moon need?")
    assert memory.get(doubted).confidence < 0.6
    assert len(before) == 4


def test_an_error_of_learning_does_not_reach_the_agent(memory, monkeypatch, caplog):
    def fails(*_, **__):
        raise RuntimeError("no learning today")

    monkeypatch.setattr(memory, "learn_from_serving", fails)
    with Companion(memory, params=CompanionParams(learns_every=1)) as companion:
        assert texts(found(companion, "how do we deploy?"))
        assert texts(found(companion, "does the cat sleep on the sofa?"))
    assert "was not written" in caplog.text
