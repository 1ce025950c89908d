"""One question to one's own memory and to the library; a slow or dead library changes nothing of one's own."""

import threading
import time

import pytest

from recollect import Recollect
from recollect.errors import StoreUnavailable
from recollect.testing import FakeClock, HashEmbedder

QUESTION = "how do deploys go through staging?"
ON = {"shared.enabled": True, "shared.deadline_ms": 60_000.0}


def step(found):
    return next((one.detail for one in found.trace.steps if one.stage == "library"), None)


def ask(person, question=QUESTION, **options):
    return [(hit.whence, hit.id) for hit in person.recall(question, **options)]


def test_hits_of_the_library_are_labelled_and_nothing_is_asked_of_it_by_default(people):
    item = people("ada").publish("How deploys go through staging", "Deploys go through staging first")
    own = people("ben").remember("The staging machine is slow").id
    assert ask(people("ben")) == [("own", own)]
    assert step(people("ben").recall(QUESTION)) is None
    found = people("ben", **ON).recall(QUESTION)
    assert ("library", item.id) in [(hit.whence, hit.id) for hit in found]
    told = next(hit for hit in found if hit.whence == "library")
    assert (told.memory.metadata["author"], told.memory.metadata["title"]) == (
        "ada",
        "How deploys go through staging",
    )
    assert told.memory.channel == "library"
    assert step(found)["told"] == 1
    assert ask(people("ben"), shared=False) == [("own", own)]


def test_each_user_switches_it_for_themselves_and_each_call_may(people):
    item = people("ada").publish("How deploys go", "Deploys go through staging first")
    people("ben", **ON)
    assert ask(people("ben")) == [("library", item.id)]
    assert ask(people("eve")) == []
    assert ask(people("eve", **{"shared.deadline_ms": 60_000.0}), shared=True) == [("library", item.id)]


def test_a_question_about_ones_own_memory_is_asked_of_nobody_else(people):
    people("ada").publish("How deploys go", "Deploys go through staging first", tags=["ops"])
    ben = people("ben", **ON)
    for options in ({"tags": ["ops"]}, {"kinds": "note"}, {"lanes": "log"}, {"since": "2020-01-01"}):
        assert step(ben.recall(QUESTION, **options)) is None
    assert step(ben.recall("thanks!")) is None


def test_the_context_says_who_published_what(people):
    people("ada").publish("How deploys go", "Deploys go through staging first")
    ben = people("ben", **ON)
    assert "published by ada" in ben.context(QUESTION)
    assert 'from="published by ada"' in ben.context(QUESTION, format="xml")


def test_a_recall_of_others_counts_as_no_use_and_is_never_in_ones_own_memory(people):
    people("ada").publish("How deploys go", "Deploys go through staging first")
    ben = people("ben", **ON)
    found = ben.recall(QUESTION, session="s1")
    assert [hit.whence for hit in found] == ["library"]
    ben.flush()
    assert ben.in_mind("s1") == []
    assert ben.list() == []
    assert list(ben.library._tools.store.counters("_library", [found[0].id]).values()) == []


def test_after_unpublishing_the_next_recall_of_everybody_is_without_it(people):
    item = people("ada").publish("How deploys go", "Deploys go through staging first")
    for name in ("ben", "eve"):
        assert ask(people(name, **ON)) == [("library", item.id)]
    people("ada").unpublish(item.id)
    assert ask(people("ben")) == ask(people("eve")) == []


@pytest.fixture
def alone(tmp_path):
    with Recollect(
        tmp_path / "own.db",
        user="ben",
        embedder=HashEmbedder(),
        clock=FakeClock(),
        settings={"shared.enabled": True, "shared.deadline_ms": 80.0},
    ) as memory:
        memory.remember("Deploys go through staging first")
        yield memory


def test_a_slow_library_leaves_ones_own_answer_as_it_is_and_is_said_in_the_trace(alone, monkeypatch):
    plain = alone.recall(QUESTION, shared=False)
    go = threading.Event()
    monkeypatch.setattr(alone.library, "search", lambda *_, **__: go.wait(30))
    began = time.monotonic()
    found = alone.recall(QUESTION)
    assert time.monotonic() - began < 20
    assert (found.hits, step(found)) == (plain.hits, {"left_out": "no answer in time"})
    again = alone.recall(QUESTION)
    assert (again.hits, step(again)["left_out"]) == (
        plain.hits,
        "it has not answered an earlier question yet",
    )
    go.set()


class Slow(HashEmbedder):
    """Takes its time over a question, as a model does, until somebody lets it go on."""

    def __init__(self):
        super().__init__()
        self.is_asked = False
        self.go = threading.Event()

    def embed(self, texts, progress=None):
        if self.is_asked:
            assert self.go.wait(30)
        return super().embed(texts, progress)


@pytest.fixture
def slow(tmp_path):
    settings = {"shared.enabled": True, "shared.deadline_ms": 2_000.0, "embedder.cached_texts": 1}
    with Recollect(tmp_path / "own.db", user="ben", embedder=Slow(), settings=settings) as memory:
        memory.remember("Deploys go through staging first")
        memory.publish("How deploys go", "Deploys wait for the night")
        yield memory


def test_the_library_is_asked_while_the_question_is_being_embedded(slow, monkeypatch):
    search = slow.library.search

    def going_on(*asked, **options):
        slow.embedder._embedder.go.set()
        return search(*asked, **options)

    monkeypatch.setattr(slow.library, "search", going_on)
    slow.embedder._embedder.is_asked = True
    assert {hit.whence for hit in slow.recall(QUESTION)} == {"own", "library"}


def test_one_of_the_two_makes_the_vector_of_the_question_for_both(slow, monkeypatch):
    made, embed = [], slow.embedder._embedder.embed
    monkeypatch.setattr(
        slow.embedder._embedder,
        "embed",
        lambda *texts: made.append(texts) or time.sleep(0.2) or embed(*texts),
    )
    assert {hit.whence for hit in slow.recall(QUESTION)} == {"own", "library"}
    assert len(made) == 1


def test_the_deadline_begins_when_the_question_is_embedded(slow, monkeypatch):
    embedder, search = slow.embedder._embedder, slow.library.search
    monkeypatch.setattr(slow.library, "search", lambda *a, **o: time.sleep(0.5) or search(*a, **o))
    embedder.is_asked = True
    threading.Timer(2.2, embedder.go.set).start()
    assert "left_out" not in step(slow.recall("how do deploys of the staging go?"))


def test_a_question_that_cannot_be_embedded_fails_and_keeps_nobody_waiting(slow, monkeypatch):
    def broken(*_):
        raise RuntimeError("the model is gone")

    monkeypatch.setattr(slow.embedder._embedder, "embed", broken)
    with pytest.raises(RuntimeError, match="the model is gone"):
        slow.recall("how do deploys of the staging go?")
    monkeypatch.undo()
    assert {hit.whence for hit in slow.recall("how do deploys of the staging go?")} == {"own", "library"}


def test_a_dead_library_leaves_ones_own_answer_as_it_is(alone, monkeypatch):
    plain = alone.recall(QUESTION, shared=False)

    def dead(*_, **__):
        raise StoreUnavailable("postgresql://nowhere does not answer")

    monkeypatch.setattr(alone.library, "search", dead)
    found = alone.recall(QUESTION)
    assert (found.hits, step(found)) == (plain.hits, {"left_out": "StoreUnavailable"})
    assert "did not answer lately" in step(alone.recall(QUESTION))["left_out"]


def test_a_library_that_cannot_be_opened_is_a_dead_one(tmp_path):
    damaged = tmp_path / "library.db"
    damaged.write_bytes(b"this is no store" * 1_000)
    settings = {"shared.enabled": True, "shared.deadline_ms": 60_000.0, "shared.store": str(damaged)}
    with Recollect(
        tmp_path / "own.db", user="ben", embedder=HashEmbedder(), clock=FakeClock(), settings=settings
    ) as memory:
        own = memory.remember("Deploys go through staging first").id
        found = memory.recall(QUESTION)
        assert [hit.id for hit in found] == [own]
        assert step(found) == {"left_out": "StoreCorrupt"}
