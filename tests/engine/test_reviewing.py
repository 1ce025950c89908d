"""What is flagged waits, is listed with what it contradicts, and is resolved in one of three ways."""

import pytest

from recollect import Recollect, State
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.testing import HashEmbedder


@pytest.fixture
def memory(clock):
    chosen = {"formation.enabled": True, "formation.conflicts": "flag_review"}
    with Recollect(
        ":memory:", user="ada", channel="_global", embedder=HashEmbedder(), clock=clock, settings=chosen
    ) as engine:
        yield engine


def said(text, at):
    return {"role": "user", "name": "Ada", "content": text, "timestamp": at}


@pytest.fixture
def flagged(memory):
    """Two homes: the id of the older and of the newer memory."""
    [old] = memory.observe(said("I live in Porto.", "2026-03-02T09:00:00Z"))[0].formed
    [new] = memory.observe(said("I live in Lisbon.", "2026-05-01T00:00:00Z"))[0].formed
    return old.id, new.id


def test_what_waits_is_listed_with_what_it_contradicts_and_why(memory, flagged):
    old, new = flagged
    [review] = memory.reviews()
    assert (review.memory.id, [one.id for one in review.against]) == (new, [old])
    assert "porto → lisbon" in review.reason
    assert memory.reviews(channel="elsewhere") == []


def test_the_new_one_replaces_what_it_contradicts(memory, flagged):
    old, new = flagged
    memory.resolve(new[:-1], keep="new")
    ended, held = memory.get(old), memory.get(new)
    assert (ended.superseded_by, ended.valid_until) == (new, held.valid_from)
    assert (held.supersedes, held.tags) == (old, tuple(t for t in held.tags if t != "review"))
    assert "supersedes" in {edge.type for edge in memory.edges(new)}
    assert memory.reviews() == []


def test_the_old_one_stays_and_the_new_one_can_be_restored(memory, flagged):
    old, new = flagged
    memory.resolve(new, keep="old")
    assert memory.get(new).state is State.DORMANT
    assert memory.get(old).superseded_by is None
    assert memory.reviews() == []
    assert memory.restore(new).state is State.ACTIVE


def test_both_can_hold(memory, flagged):
    old, new = flagged
    memory.resolve(new, keep="both")
    assert {memory.get(one).state for one in (old, new)} == {State.ACTIVE}
    assert memory.get(old).superseded_by is None
    assert memory.reviews() == []


def test_what_is_immutable_is_not_replaced_and_goes_on_waiting(memory, flagged):
    old, new = flagged
    memory.pin(old, immutable=True)
    before = memory.get(old)
    with pytest.raises(Refused, match="--mutable"):
        memory.resolve(new, keep="new")
    assert memory.get(old) == before
    assert len(memory.reviews()) == 1
    memory.resolve(new, keep="old")


def test_what_does_not_wait_cannot_be_resolved(memory, flagged):
    old, new = flagged
    with pytest.raises(InvalidInput, match="does not wait"):
        memory.resolve(old, keep="new")
    with pytest.raises(InvalidInput, match="new, old, both"):
        memory.resolve(new, keep="neither")
    with pytest.raises(NotFound):
        memory.resolve("01NOTHING", keep="new")


def test_nobody_sees_or_resolves_what_waits_for_another(memory, flagged):
    other = Recollect(memory.store, user="bob", embedder=HashEmbedder())
    assert other.reviews() == []
    with pytest.raises(NotFound):
        other.resolve(flagged[1], keep="new")
