"""Contrasts adapt questions: at once, for good, in every process, checked, and only where it is switched on."""

import numpy as np
import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.learn.contrasts import BATCH
from recollect.testing import FakeClock, HashEmbedder

THINGS = ("billing", "search", "login", "orders", "news", "maps")
ON = {"learning.lens": True, "recall.profile": "meaning"}


def filled(memory):
    return {
        (thing, way): memory.remember(f"set up {thing}: done {way}").id
        for thing in THINGS
        for way in ("by script", "by hand")
    }


def first(memory, thing):
    return memory.recall(f"how to set up {thing}?", 1, learn=False)[0].text.rpartition("done ")[2]


def taught(memory, ids, way, times, things=THINGS[:4]):
    other = {"by script": "by hand", "by hand": "by script"}[way]
    for number in range(times):
        thing = things[number % len(things)]
        memory.contrast(f"how to set up {thing}?", better=ids[thing, way], worse=[ids[thing, other]])


@pytest.fixture
def ids(memory):
    memory.configure(ON)
    return filled(memory)


def test_questions_about_other_things_learn_from_it_too(memory, ids):
    taught(memory, ids, "by hand", 20)
    assert {first(memory, thing) for thing in THINGS} == {"by hand"}
    memory.reset_lens()
    taught(memory, ids, "by script", 20)
    assert {first(memory, thing) for thing in THINGS} == {"by script"}


def test_switched_off_or_reset_questions_are_asked_as_they_are(memory, ids):
    before = [hit.id for hit in memory.recall("how to set up maps?", learn=False)]
    way = "by script" if first(memory, "maps") == "by hand" else "by hand"
    taught(memory, ids, way, 20)
    after = [hit.id for hit in memory.recall("how to set up maps?", learn=False)]
    assert after != before
    memory.configure({"learning.lens": False})
    assert [hit.id for hit in memory.recall("how to set up maps?", learn=False)] == before
    memory.configure({"learning.lens": True})
    assert [hit.id for hit in memory.recall("how to set up maps?", learn=False)] == after
    memory.reset_lens()
    assert [hit.id for hit in memory.recall("how to set up maps?", learn=False)] == before


def test_a_batch_makes_a_version_and_nothing_is_lost_by_it(memory, ids):
    taught(memory, ids, "by hand", BATCH - 1)
    assert (memory.lens().version, memory.lens().pending) == (0, BATCH - 1)
    before = memory._contrasts().lens().weights
    taught(memory, ids, "by hand", 1)
    state = memory.lens()
    assert (state.version, state.contrasts, state.pending, state.rolled_back) == (1, BATCH, 0, 0)
    assert state.canary == 1.0
    assert np.abs(memory._contrasts().lens().weights - before).max() < 0.2
    assert first(memory, "maps") == "by hand"


def test_contrasts_that_make_past_questions_worse_are_rolled_back(memory, ids):
    memory.configure({"learning.consolidation": 0.0})
    taught(memory, ids, "by hand", BATCH)
    good = memory._contrasts().lens().weights
    taught(memory, ids, "by script", BATCH)
    state = memory.lens()
    assert (state.version, state.rolled_back, state.pending) == (1, 1, 0)
    assert np.allclose(memory._contrasts().lens().weights, good, atol=1e-6)
    assert first(memory, "maps") == "by hand"
    memory.configure({"learning.canary": False})
    taught(memory, ids, "by script", BATCH)
    assert (memory.lens().version, first(memory, "maps")) == (2, "by script")


def test_another_process_sees_it_at_once(tmp_path):
    options = {"user": "ada", "channel": "_global", "embedder": HashEmbedder(), "clock": FakeClock()}
    with Recollect(tmp_path / "a.db", **options, settings=ON) as one:
        ids = filled(one)
        with Recollect(tmp_path / "a.db", **options, settings=ON) as two:
            taught(one, ids, "by hand", 20)
            assert {first(two, thing) for thing in THINGS} == {"by hand"}
            taught(two, ids, "by hand", BATCH)
            assert one.lens() == two.lens()
            assert one.lens().version == 1
        with Recollect(tmp_path / "a.db", **{**options, "user": "ben"}, settings=ON) as other:
            assert other.lens().contrasts == 0


def test_what_was_purged_teaches_nothing_any_more(memory, ids):
    taught(memory, ids, "by hand", 8, things=("billing",))
    memory.purge(ids["billing", "by hand"])
    assert np.all(memory._contrasts().lens().weights[2:] == 0.0)


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [(" ", "billing", "search"), ("how?", [], "search"), ("how?", "billing", "billing")],
)
def test_half_a_contrast_is_refused(memory, ids, question, better, worse):
    chosen = [
        [ids[one, "by hand"] for one in ([side] if isinstance(side, str) else side)]
        for side in (better, worse)
    ]
    with pytest.raises(InvalidInput):
        memory.contrast(question, better=chosen[0], worse=chosen[1])
    assert memory.lens().pending == 0
