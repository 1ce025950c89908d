"""A year in minutes, on sets made here: what is told when, what is measured, and what is kept."""

import json
from pathlib import Path

import made_sets
import numpy as np
import pytest

from recollect.errors import InvalidInput
from recollect.evals.embeddings import KeptEmbedder
from recollect.evals.lifetime import compared, growth, lifetime
from recollect.evals.lifetime_living import Answered, Life, Slept, lived
from recollect.evals.lifetime_stream import SITTING, conversations, year
from recollect.evals.model import Corpus, Item, Question, Session
from recollect.testing import HashEmbedder


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    for one in (made_sets.locomo, made_sets.beam, made_sets.realmem):
        one(folder)
    return folder


def corpus(turns=40, *questions):
    items = tuple(Item(f"k{n}", f"Turn {n}") for n in range(turns))
    return Corpus("talk", questions, (Session("s", items),))


def test_a_conversation_is_spread_over_all_of_the_days_in_sittings():
    days = year([corpus(turns=4 * SITTING)], days=100).days
    told = [(number, len(one.part.items)) for number, day in enumerate(days) for one in day.told]
    assert told == [(0, SITTING), (25, SITTING), (50, SITTING), (75, SITTING)]


def test_every_other_question_is_for_practice_after_its_answer_was_told():
    asked = [Question(f"What is {n}?", (f"k{n}",), "single") for n in range(40)]
    made = year([corpus(40, *asked)], days=100)
    assert {one.question.text for one in made.exam} == {f"What is {n}?" for n in range(0, 40, 2)}
    told = {"k1": 0, "k39": 50}
    for number, day in enumerate(made.days):
        for one in day.asked:
            assert one.practice
            assert number > told.get(one.question.gold[0], 0) - 1


def test_questions_about_a_change_are_all_for_measuring_and_those_without_evidence_are_left_out():
    changed = [Question("Which?", ("k0", "k9"), "update", newer=("k9",), older=("k0",)) for _ in range(3)]
    lost = [Question("Lost?", ("gone",), "single")]
    made = year([corpus(20, *lost, *changed)], days=10)
    assert [one.question.text for one in made.exam] == ["Which?"] * 3
    assert not any(day.asked for day in made.days)


def test_a_question_that_belongs_before_a_session_is_asked_on_its_day(data):
    _, found = conversations(data)
    made = year([one for one in found if one.grouped], days=30)
    asked = [(number, one.question.before) for number, day in enumerate(made.days) for one in day.asked]
    assert asked == [(10, "s2")]


def test_the_limit_takes_the_first_turns_of_each_set(data):
    def turns(limit):
        found = conversations(data, limit)[1]
        return {one.name: sum(len(session.items) for session in one.sessions) for one in found}

    assert turns(2) == {"conv-1": 2, "beam-3": 2, "Kim": 2}
    assert turns(5) == {"conv-1": 4, "conv-2": 1, "beam-3": 3, "Kim": 5}
    asked = [one for day in year(conversations(data, 2)[1], days=5).days for one in day.asked]
    assert not any(one.question.before for one in asked), "its session is not there"
    with pytest.raises(InvalidInput, match="turns above 0"):
        conversations(data, limit=0)


def test_missing_sets_are_left_out_and_none_at_all_is_an_error(data, tmp_path):
    (data / "locomo.json").unlink()
    assert conversations(data)[0] == ["beam", "realmem"]
    with pytest.raises(InvalidInput, match="nothing to live through"):
        conversations(tmp_path)


def test_the_figures_of_a_life_are_flat_and_of_both_stores(data, tmp_path):
    kept = tmp_path / "kept"
    found = lifetime(data, HashEmbedder(), days=12, stores=kept)
    assert not any(isinstance(value, dict | list) for value in found.values())
    assert (found["sets"], found["turns"], found["nights"]) == ("locomo+beam+realmem", 13, 12)
    assert found["recall@10_dreamt"] == found["recall@10_never_dreamt"] == 1.0
    assert found["update_questions"] == 2
    assert found["recall_p95_ratio"] > 0
    assert json.loads(json.dumps(found)) == found
    again = lifetime(data, HashEmbedder(), days=12, stores=kept)
    assert again["recall@10_never_dreamt"] == 1.0


def test_a_year_that_was_stopped_goes_on_from_its_last_evening(data, tmp_path):
    told = year(conversations(data)[1], days=12)

    def stop(done, _):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lived(told, tmp_path / "life", HashEmbedder(), dreams=True, heard=stop)
    resumed = lived(told, tmp_path / "life", HashEmbedder(), dreams=True)
    at_once = lived(told, tmp_path / "other", HashEmbedder(), dreams=True)
    assert len(resumed.nights) == len(at_once.nights) == 12
    assert (resumed.formed, resumed.current, resumed.answers) == (
        at_once.formed,
        at_once.current,
        at_once.answers,
    )
    assert sorted(resumed.keys.values()) == sorted(at_once.keys.values())
    again = lived(told, tmp_path / "life", HashEmbedder(), dreams=True)
    assert again == resumed


def test_what_dreaming_takes_and_gives_is_told_in_points_and_shares():
    def life(formed, current, *answers):
        return Life(Path(), formed=formed, current=current, answers=list(answers))

    awake = life(10, 9, Answered((1, 20), False, 0, 0), Answered((1,), True, 3, 4, 2))
    slept = life(10, 5, Answered((20, 20), False, 0, 0), Answered((10,), True, 3, 1))
    found = compared(awake, slept)
    assert found["recall@10_fall_points"] == 25.0
    assert (found["stale_facts_top5_fall"], found["stale_hits_top5_fall"]) == (0.75, 0.0)
    assert (found["fresh_facts_top5_never_dreamt"], found["fresh_facts_top5_dreamt"]) == (2, 0)
    assert (found["active_share_never_dreamt"], found["active_share_dreamt"]) == (0.9, 0.5)
    assert found["update_questions"] == 1


@pytest.mark.parametrize("power", [1.0, 2.0])
def test_growth_is_told_as_a_power_of_what_is_awake(power):
    nights = [Slept(n, 0.0, 0.001 * n**power, 1) for n in range(1, 200)]
    assert growth(nights)["night_growth_power"] == pytest.approx(power)


def test_a_text_is_embedded_once_and_its_vectors_are_kept(tmp_path):
    class Counting(HashEmbedder):
        made = 0

        def encode(self, texts, progress=None):
            self.made += len(texts)
            return super().encode(texts, progress)

    first = KeptEmbedder(Counting(), tmp_path)
    vectors, words = first.encode(["Ada likes tea", "", "Rain on Monday"])
    first.flush()
    inner = Counting()
    vectors_again, words_again = KeptEmbedder(inner, tmp_path).encode(["Rain on Monday", "", "Ada likes tea"])
    assert inner.made == 0
    np.testing.assert_array_equal(vectors_again, vectors[::-1])
    for own, other in zip(words_again, words[::-1], strict=True):
        np.testing.assert_array_equal(own.terms, other.terms)
        np.testing.assert_array_equal(own.codes, other.codes)
