"""Intentions are due at their time or in their context, until they are done, once or again and again."""

from datetime import timedelta

import pytest
from dream_values import keep, sleeps

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.testing import HashEmbedder

DAY = timedelta(days=1)


def ids(found):
    return [one.memory.id for one in found]


def test_an_intention_is_due_from_its_time_on_until_it_is_done(memory, clock):
    one = memory.intend("Renew the certificate", at=clock.now() + DAY).id
    clock.advance(hours=23, minutes=59)
    assert memory.due() == []
    clock.advance(minutes=1)
    assert ids(memory.due()) == [one]
    clock.advance(days=5)
    assert [(due.memory.id, due.since) for due in memory.due()] == [(one, clock.now() - 5 * DAY)]
    assert sleeps(memory, memory.done(one).id)
    assert memory.due() == []


def test_an_intention_waits_for_a_context_that_is_like_its_words(memory):
    one = memory.intend("Mention the outage", when="a call with the hosting company").id
    assert memory.due() == []
    assert memory.due("what shall we eat tonight?") == []
    [due] = memory.due("a call with the hosting company today")
    assert (due.memory.id, due.since) == (one, None)
    assert due.similarity >= 0.6


def test_the_threshold_says_how_like_a_context_is(memory):
    memory.intend("Mention the outage", when="a call with the hosting company", threshold=1.0)
    assert memory.due("a call with the hosting company today") == []


def test_a_repeated_intention_keeps_its_rhythm(memory, clock):
    start = clock.now() + DAY
    one = memory.intend("Water the plants", at=start, every=7 * DAY).id
    clock.advance(days=2)
    memory.done(one)
    assert memory.due() == []
    clock.set(start + 7 * DAY - timedelta(seconds=1))
    assert memory.due() == []
    clock.set(start + 7 * DAY)
    assert ids(memory.due()) == [one]
    clock.set(start + 30 * DAY)
    memory.done(one)
    assert memory.due() == [], "what was missed is not made up for"
    clock.set(start + 35 * DAY)
    assert ids(memory.due()) == [one]


def test_a_repeated_intention_of_a_context_rests_for_a_while(memory, clock):
    one = memory.intend("Ask about the invoice", when="a call with the bank", every=DAY).id
    memory.done(one)
    clock.advance(hours=23)
    assert memory.due("a call with the bank") == []
    clock.advance(hours=1)
    assert ids(memory.due("a call with the bank")) == [one]


def test_what_is_due_stands_at_the_head_of_every_context(memory, clock):
    memory.intend("Renew the certificate", at=clock.now())
    keep(memory, "The cat sleeps on the printer")
    text = memory.context("where does the cat sleep?", k=1)
    assert text.startswith("Due now (intended earlier):\n- Renew the certificate")
    assert text.count("Renew") == 1
    assert "The cat sleeps" in text


def test_open_intentions_outlive_every_dream(memory, clock):
    one = memory.intend("Renew the certificate", at=clock.now() + 700 * DAY).id
    for _ in range(5):
        clock.advance(days=140)
        memory.dream()
    assert ids(memory.due()) == [one]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"when": " "},
        {"at": "2026-02-01", "when": "x"},
        {"when": "x", "threshold": 0},
        {"when": "x", "every": -DAY},
    ],
)
def test_an_intention_that_would_never_be_due_is_refused(memory, wrong):
    with pytest.raises(InvalidInput):
        memory.intend("Renew the certificate", **wrong)
    assert memory.list() == []


def test_only_intentions_are_done(memory):
    with pytest.raises(InvalidInput, match="not an intention"):
        memory.done(keep(memory, "The cat sleeps on the printer"))


def test_metadata_of_another_shape_are_no_intention(memory):
    keep(memory, "odd", kind="intention", metadata={"intention": {"at": "soon", "every": "x"}})
    keep(memory, "none", kind="intention")
    assert memory.due("odd") == []


def test_channels_and_users_have_their_own_intentions(memory, clock):
    here = memory.intend("Ship it", at=clock.now(), channel="project").id
    assert memory.due() == []
    assert ids(memory.due(channel="project")) == [here]
    eve = Recollect(memory.store, user="eve", channel="project", embedder=HashEmbedder(), clock=clock)
    assert eve.due() == []
