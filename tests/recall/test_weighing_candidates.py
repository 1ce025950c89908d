"""What the candidates are weighed by, wherever it is known from."""

import threading
from dataclasses import replace

import pytest

from recollect.recall.pipeline import answered, understood
from recollect.recall.query import Query
from recollect.recall.signals import ACCESSED, SIGNALS


@pytest.fixture
def work(memory, clock):
    """A recall that was weighed by everything."""
    memory.remember("Deploys go through staging first", confidence=0.25, importance=0.75)
    clock.advance(days=2)
    memory.remember("Deploys wait for the night window")
    query = Query("how do deploys go?", channel=memory.channel)
    sources = memory._sources(query, memory._index())
    found, _ = understood(query, sources, clock.now())
    found.profile = replace(found.profile, weights=dict.fromkeys(SIGNALS, 0.0))
    answered(found, (), sources)
    return found, sources


@pytest.mark.parametrize("signal", SIGNALS)
def test_only_signals_that_are_known_to_ask_for_accesses_do(memory, clock, monkeypatch, work, signal):
    asked = []
    accesses = type(memory.store).accesses
    monkeypatch.setattr(
        type(memory.store), "accesses", lambda *given: asked.append(given) or accesses(*given)
    )
    found, sources = work
    weighed = replace(found, profile=replace(found.profile, weights={signal: 1.0}))
    assert answered(weighed, (), sources).hits
    assert bool(asked) == (signal in ACCESSED)


@pytest.mark.parametrize("profile", ["default", "cognitive"])
def test_what_the_index_knows_of_candidates_is_what_the_store_knows(memory, work, profile):
    found, sources = work
    query = Query("how do deploys go?", channel=memory.channel, profile=profile)
    known, _ = understood(query, sources, found.now)
    asked = replace(known, doubted=True)
    with memory.store.reading():
        assert answered(known, (), sources).hits == answered(asked, (), sources).hits
    assert [getattr(known.confirmed, name).tolist() for name in known.confirmed.__slots__] == [
        getattr(asked.confirmed, name).tolist() for name in asked.confirmed.__slots__
    ]


@pytest.mark.parametrize("profile", ["default", "cognitive"])
def test_an_index_that_is_ahead_of_the_view_shows_nothing_from_after_it(memory, place, profile):
    if place == ":memory:":
        pytest.skip("a store in memory has one view at a time")
    kept = memory.remember("Deploys go through staging first")
    gone = memory.remember("Deploys wait for the night window")

    def write_and_ask():
        memory.remember("Deploys need two approvals, and deploys are announced")
        memory.forget(gone.id)
        assert len(memory.recall("how do deploys go?", learn=False)) == 2

    with memory.store.reading():
        assert len(memory.list()) == 2
        beside = threading.Thread(target=write_and_ask)
        beside.start()
        beside.join()
        found = memory.recall("how do deploys go?", profile=profile, learn=False)
        assert [hit.id for hit in found] == [kept.id]
    after = memory.recall("how do deploys go?", profile=profile, learn=False)
    assert len(after) == 2
