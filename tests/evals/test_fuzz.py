"""Odd messages: the same for a seed, odd indeed, and observed without an error or a loss; and what is lost is seen."""

import unicodedata

import pytest

from recollect.evals.measuring import unwatched
from recollect.evals.sets import oddities
from recollect.evals.writing import fuzz
from recollect.write.observer import Observer


def test_the_same_seed_makes_the_same_messages():
    assert list(oddities.messages(7, 50)) == list(oddities.messages(7, 50))
    assert list(oddities.messages(7, 50)) != list(oddities.messages(8, 50))


def test_they_are_of_many_scripts_sizes_and_kinds_of_breakage():
    texts = [one["content"] for one in oddities.messages(1, 2_000)]
    letters = {unicodedata.category(letter) for text in texts for letter in text}
    assert {"Lu", "Lo", "Mn", "Cf", "Cc", "Cs", "So", "Nd"} <= letters
    assert max(map(len, texts)) > 10_000
    assert any("Porto" in text for text in texts)
    assert any("<a><b>" in text for text in texts)


def test_odd_messages_raise_nothing_and_lose_nothing():
    found = fuzz.fuzz(300, 11, unwatched)
    assert (found["fuzz_messages"], found["fuzz_raised"], found["fuzz_lost"]) == (300, 0, 0), found
    assert found["fuzz_formed"] > 50


@pytest.mark.slow
def test_many_odd_messages_raise_nothing_and_lose_nothing():
    found = fuzz.fuzz(600, 12, unwatched)
    assert (found["fuzz_raised"], found["fuzz_lost"]) == (0, 0), found


def test_what_raises_and_what_is_lost_is_counted(monkeypatch):
    observe = Observer.observe

    def failing(self, scene, messages, **options):
        raise RuntimeError("a rule fell over")

    monkeypatch.setattr(Observer, "observe", failing)
    found = fuzz.fuzz(30, 1, unwatched)
    assert (found["fuzz_raised"], found["fuzz_errors"], found["fuzz_lost"]) == (2, "RuntimeError 2", 30)

    def forgetful(self, scene, messages, **options):
        kept = [one for one in messages if one.text.strip()]
        whole = observe(self, scene, messages[:-1], **options)
        return [*whole, whole[0]] if kept else whole

    monkeypatch.setattr(Observer, "observe", forgetful)
    assert fuzz.fuzz(20, 1, unwatched)["fuzz_lost"] > 0
