"""What look-ups teach: what helped is believed more, what was brought in vain less, and never doubted for that alone."""

import pytest

from recollect.dream import steps
from recollect.dream.serving import Served, believed, common_tag

BACKUP, DISK, TEA = "Backups run at night", "The backup is on disk 2", "Priya likes green tea"


@pytest.fixture
def kept(memory):
    """Three memories, by their texts."""
    ids = {text: memory.remember(text, confidence=0.5).id for text in (BACKUP, DISK, TEA)}
    return {text: memory.get(one) for text, one in ids.items()}


def told(memory, kept, text):
    return memory.get(kept[text].id)


def test_what_helped_is_believed_more_and_what_did_not_less(memory, kept):
    served = Served()
    for _ in range(3):
        served.note("did the backups finish?", [kept[BACKUP]], [kept[TEA]])
    assert memory.learn_from_serving(served) == 2
    assert told(memory, kept, BACKUP).confidence == pytest.approx(0.53)
    assert told(memory, kept, TEA).confidence == pytest.approx(0.44)
    assert told(memory, kept, DISK) == kept[DISK]


def test_all_of_it_is_one_entry_of_the_chain(memory, kept):
    before = len(memory.store.witness(memory.user))
    served = Served()
    served.note("did the backups finish?", [kept[BACKUP], kept[DISK]], [kept[TEA]])
    memory.learn_from_serving(served)
    assert [entry.operation for entry in memory.store.witness(memory.user)][-1] == "served"
    assert memory.verify() == []
    assert len(memory.store.witness(memory.user)) == before + 1


def test_nothing_is_doubted_because_it_was_brought_in_vain():
    assert believed(0.5, 0, 1_000) == 0.3
    assert believed(0.1, 0, 1_000) == 0.1
    assert believed(0.99, 50, 0) == 1.0


def test_what_is_immutable_or_gone_is_left_alone(memory, kept):
    memory.pin(kept[BACKUP].id, immutable=True)
    memory.purge(kept[TEA].id)
    served = Served()
    served.note("did the backups finish?", [kept[BACKUP]], [kept[TEA]])
    assert memory.learn_from_serving(served) == 0
    assert told(memory, kept, BACKUP).confidence == 0.5


def test_nothing_is_written_where_recording_is_off(memory, kept):
    memory.configure({"memory.recording": False})
    served = Served()
    served.note("did the backups finish?", [kept[BACKUP]], [])
    assert memory.learn_from_serving(served) == 0
    assert told(memory, kept, BACKUP) == kept[BACKUP]


def test_memories_that_help_together_get_the_word_they_share_where_that_is_wanted(memory, kept):
    served = Served()
    served.note("Did the backups finish?", [kept[BACKUP], kept[DISK]], [])
    memory.learn_from_serving(served)
    assert told(memory, kept, BACKUP).tags == ()
    memory.learn_from_serving(served, tags=True)
    assert told(memory, kept, BACKUP).tags == told(memory, kept, DISK).tags == ("backups",)


def test_a_memory_that_has_a_tag_keeps_its_own(memory, kept):
    memory.tag(kept[DISK].id, "storage")
    both = [kept[BACKUP], told(memory, kept, DISK)]
    assert common_tag("Did the backups finish?", both) is None
    assert common_tag("Did the backups finish?", [kept[BACKUP]]) is None
    assert common_tag("Who likes tea?", [kept[BACKUP], kept[DISK]]) is None


def test_what_is_new_is_put_into_its_cluster(memory, monkeypatch):
    memory.learn_from_serving(Served())
    asked = []

    def clustering(night):
        asked.append(night.user)
        yield from ()

    monkeypatch.setattr(steps, "STEPS", (clustering,))
    memory.learn_from_serving(Served())
    assert asked == [], "themes are off"
    memory.configure({"dream.themes": True})
    memory.learn_from_serving(Served())
    assert asked == [memory.user]
