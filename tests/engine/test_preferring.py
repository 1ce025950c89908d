"""Feedback and outcomes are contrasts of the recalls that brought what they speak of, where contrasts teach something."""

import pytest

from recollect import Recollect
from recollect.learn.contrasts import BATCH
from recollect.testing import HashEmbedder

THINGS = ("billing", "search", "login", "orders", "news", "maps")
WAYS = ("by script", "by hand")
ON = {"learning.lens": True, "recall.profile": "meaning"}


def filled(memory):
    return {
        (thing, way): memory.remember(f"set up {thing}: done {way}").id for thing in THINGS for way in WAYS
    }


def question(thing):
    return f"how to set up {thing}?"


def first(memory, thing):
    return memory.recall(question(thing), 1, learn=False)[0].text.rpartition("done ")[2]


def other(memory):
    """The way that fewer questions prefer by themselves."""
    liked = [first(memory, thing) for thing in THINGS]
    return min(WAYS, key=liked.count)


@pytest.fixture
def ids(memory):
    memory.configure(ON)
    return filled(memory)


def test_feedback_on_what_stood_below_teaches_the_lens(memory, ids):
    way = other(memory)
    for number in range(28):
        thing = THINGS[number % 4]
        memory.recall(question(thing))
        memory.feedback(ids[thing, way], helpful=True)
    assert memory.lens().pending > 0
    assert {first(memory, thing) for thing in THINGS[:4]} == {way}


def test_feedback_on_the_best_hit_says_nothing_new(memory, ids):
    for thing in THINGS:
        memory.feedback(memory.recall(question(thing))[0].id, helpful=True)
    assert memory.lens().pending == 0


def test_what_did_not_help_is_worse_than_what_did(memory, ids):
    best, second = memory.recall(question("maps"))[:2]
    memory.feedback(best.id, helpful=False)
    assert memory.lens().pending == 0
    memory.feedback(second.id, helpful=True)
    assert memory.lens().pending == 1


def test_how_a_run_ended_counts_for_what_it_used(memory, ids):
    way = other(memory)
    for number in range(28):
        thing = THINGS[number % 4]
        memory.recall(question(thing))
        with memory.episode(f"set up {thing}", task_type="setup") as run:
            run.step(state="a shell is open", action="type", observation="ok")
            run.finish(success=True, used=ids[thing, way])
    assert memory.lens().pending > 0
    assert {first(memory, thing) for thing in THINGS[:4]} == {way}


def test_nothing_is_kept_or_learnt_where_no_contrast_teaches(memory, ids):
    memory.configure({"learning.lens": False})
    low = memory.recall(question("maps"))[-1]
    memory.feedback(low.id, helpful=True)
    memory.configure({"learning.lens": True})
    memory.feedback(low.id, helpful=True)
    assert memory.lens().pending == 0


def test_feedback_on_what_no_recall_brought_is_no_contrast(memory, ids):
    memory.feedback(ids["maps", "by hand"], helpful=True)
    assert memory.lens().pending == 0


def test_what_was_purged_meanwhile_is_left_out(memory, ids):
    best, second = memory.recall(question("maps"))[:2]
    memory.purge(best.id)
    memory.feedback(second.id, helpful=True)
    assert memory.lens().pending == 0


def test_another_user_learns_nothing_from_it(memory, ids, place, clock):
    memory.feedback(memory.recall(question("maps"))[-1].id, helpful=True)
    assert memory.lens().pending == 1
    with Recollect(
        place, user="bob", channel="_global", embedder=HashEmbedder(), clock=clock, settings=ON
    ) as other_user:
        assert other_user.lens().pending == 0


def test_a_lens_of_another_rank_learns_its_contrasts_anew(memory, ids):
    way = other(memory)
    opposite = next(one for one in WAYS if one != way)
    for number in range(BATCH + 5):
        thing = THINGS[number % 4]
        memory.contrast(question(thing), better=ids[thing, way], worse=ids[thing, opposite])
    assert memory.lens().version == 1
    memory.configure({"learning.lens_rank": 4})
    assert memory._contrasts().lens().rank == 4
    assert memory.lens().pending == BATCH + 5
    assert first(memory, "maps") == way
