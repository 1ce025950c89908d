"""What came up and nothing was known about is kept, counted, looked at and answered."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.serve.companion import Companion
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture(params=["reference", "sqlite"])
def memory(request, tmp_path):
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=FakeClock()) as engine:
        yield engine


def test_the_same_gap_is_counted_and_not_kept_twice(memory):
    first = memory.note_gap("Where is the  office?", session="s1")
    again = memory.note_gap("where is the office?")
    other = memory.note_gap("Who is Priya?")
    assert (again.id, again.count, first.session) == (first.id, 2, "s1")
    assert [(one.id, one.count) for one in memory.gaps()] == [(other.id, 1), (first.id, 2)]


def test_a_gap_is_not_recalled(memory):
    memory.note_gap("Where is the office?")
    assert list(memory.recall("where is the office?")) == []
    assert memory.verify() == []


def test_a_gap_that_is_answered_is_closed_and_the_answer_points_at_it(memory):
    gap = memory.note_gap("Where is the office?")
    kept = memory.close_gap(gap.id, answer="The office is in Porto")
    assert memory.gaps() == []
    assert memory.get(kept.id).origin.sources == (gap.id,)
    assert [hit.text for hit in memory.recall("where is the office?")] == ["The office is in Porto"]
    with pytest.raises(Refused, match="closed already"):
        memory.close_gap(gap.id)
    assert memory.note_gap("Where is the office?").id != gap.id


def test_a_gap_may_be_dismissed(memory):
    gap = memory.note_gap("Where is the office?")
    assert memory.close_gap(gap.id) is None
    assert memory.gaps() == []


def test_gaps_come_page_by_page_and_by_channel(memory):
    made = [memory.note_gap(f"question number {one}", channel="shop").id for one in range(3)]
    memory.note_gap("another", channel="bank")
    first = memory.gaps(channel="shop", limit=2)
    assert [one.id for one in first] == [made[2], made[1]]
    assert [one.id for one in memory.gaps(channel="shop", after=first[-1].id)] == [made[0]]


def test_gaps_of_others_and_what_is_no_gap_are_not_touched(memory):
    gap, note = memory.note_gap("Where is the office?"), memory.remember("a note").id
    with pytest.raises(InvalidInput, match="not a gap"):
        memory.close_gap(note)
    bob = memory.beside("bob")
    assert bob.gaps() == []
    with pytest.raises(NotFound):
        bob.close_gap(gap.id)


def test_secrets_and_what_was_purged_are_not_kept_as_gaps(memory):
    assert "correct-horse" not in memory.note_gap("The password is correct-horse-battery").text
    known = memory.remember("Where is the treasure?").id
    memory.purge(known)
    assert memory.note_gap("Where is the treasure?") is None
    with pytest.raises(InvalidInput, match="not empty"):
        memory.note_gap("  ")


def test_switched_off_nothing_is_noticed(memory):
    memory.configure({"memory.recording": False})
    assert memory.note_gap("Where is the office?") is None
    assert memory.gaps() == []


def test_a_companion_notices_what_it_knows_nothing_about(memory):
    memory.remember("Deploys go through staging first")
    with Companion(memory) as companion:
        for context in ("how do we deploy?", "quantum chromodynamics lecture", "how do we deploy?"):
            companion.update(context)
            assert companion.settle(30)
    assert [one.text for one in memory.gaps()] == ["quantum chromodynamics lecture"]
