"""What helped is believed more and lasts; what did not is believed less; nothing is lost among many who judge."""

import threading

import pytest
from dream_values import keep, learnt

from recollect.errors import NotFound


def test_what_helped_rises_and_what_did_not_falls(memory):
    helped, failed = (
        keep(memory, "Ada likes tea", confidence=0.5),
        keep(memory, "Rain on Monday", confidence=0.5),
    )
    memory.feedback(helped, helpful=True)
    memory.feedback(failed, helpful=False)
    assert (learnt(memory, helped).utility, learnt(memory, failed).utility) == pytest.approx((0.55, 0.45))
    assert (learnt(memory, helped).strength, learnt(memory, failed).strength) == (pytest.approx(1.9), 1.0)
    assert (learnt(memory, helped).wins, learnt(memory, failed).losses) == (1.0, 1.0)
    assert (memory.get(helped).confidence, memory.get(failed).confidence) == (0.55, 0.4)
    assert memory.store.verify("ada") == []


def test_confidence_ends_at_nought_and_one(memory):
    sure, doubted = keep(memory, "Ada likes tea"), keep(memory, "Rain on Monday", confidence=0.05)
    memory.feedback([sure], helpful=True)
    memory.feedback([doubted], helpful=False)
    assert (memory.get(sure).confidence, memory.get(sure).version, memory.get(doubted).confidence) == (
        1.0,
        1,
        0.0,
    )


def test_an_immutable_memory_is_believed_as_before(memory):
    one = keep(memory, "Ada likes tea", confidence=0.5, immutable=True)
    memory.feedback(one, helpful=False)
    assert (memory.get(one).confidence, learnt(memory, one).utility) == pytest.approx((0.5, 0.45))


def test_all_of_the_memories_are_judged_or_none(memory):
    one = keep(memory, "Ada likes tea")
    with pytest.raises(NotFound):
        memory.feedback([one, "nobody"], helpful=True)
    assert learnt(memory, one).utility == 0.5


def test_two_who_judge_at_once_both_count(on_file):
    one = keep(on_file, "Ada likes tea")
    threads = [
        threading.Thread(target=on_file.feedback, args=(one,), kwargs={"helpful": True}) for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert learnt(on_file, one).wins == 4.0


def test_nothing_is_judged_while_recording_is_off(memory):
    one = keep(memory, "Ada likes tea")
    memory.configure({"memory.recording": False})
    memory.feedback(one, helpful=True)
    assert learnt(memory, one).utility == 0.5
