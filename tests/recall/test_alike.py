"""What is like the best hits together counts for a message and for an order of things, and for nothing else."""

import numpy as np
import pytest

from recollect.language.turns import goes_on
from recollect.recall import alike

MESSAGE = "I am ready for the training plan. Tell me more."
QUESTION = "What is the training plan?"
ORDER = "Can you list the order in which I brought up the training plan?"
GOING_ON = "summarize what you know about my training plan"
SUMMARY = "Can you give me a short summary of the training plan?"


@pytest.fixture
def plans(memory, monkeypatch):
    monkeypatch.setattr(alike, "AMONG", 4)
    for number, text in enumerate(
        ["The training plan has hills", "The training plan has rest", "Hills and rest matter", "Bees sleep"]
    ):
        memory.observe([{"role": "user", "content": text}], session=f"s{number}")
    return memory


def counted(found):
    return {hit.text: hit.values["alike"] for hit in found if "alike" in hit.values}


@pytest.mark.parametrize("asked", [MESSAGE, ORDER])
def test_what_is_like_the_best_hits_counts(plans, asked):
    found = plans.recall(asked)
    values = counted(found)
    assert max(values.values()) == 1.0
    assert values["Bees sleep"] < min(value for text, value in values.items() if text != "Bees sleep")
    for hit in found:
        assert hit.signals["alike"] == pytest.approx(alike.WEIGHT * hit.values["alike"])
        assert sum(hit.signals.values()) == pytest.approx(hit.score)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.parametrize("asked", [QUESTION, SUMMARY])
def test_for_what_has_one_answer_and_for_a_summary_it_does_not(plans, asked):
    assert counted(plans.recall(asked)) == {}


def test_a_summary_that_goes_on_with_a_talk_is_a_summary(plans):
    assert goes_on(GOING_ON)
    assert counted(plans.recall(GOING_ON)) == {}


def test_of_few_candidates_none_is_told_by_the_middle_of_the_best(plans, monkeypatch):
    monkeypatch.setattr(alike, "AMONG", 5)
    assert counted(plans.recall(MESSAGE)) == {}


def test_the_layer_can_be_left_out(plans):
    assert counted(plans.recall(MESSAGE, ablate=["alike"])) == {}
    assert counted(plans.recall(MESSAGE, ablate=["lately"])) == {}


@pytest.mark.parametrize("asked", [MESSAGE, ORDER])
def test_a_document_s_formula_ranks_as_the_document_says(plans, asked):
    assert counted(plans.recall(asked, profile="cognitive")) == {}


def test_where_nothing_has_a_vector_nothing_is_alike(plans, monkeypatch):
    index = type(plans._index())
    nothing = (np.empty(0, np.int64), np.empty((0, 8), np.float32))
    monkeypatch.setattr(index, "vectors", lambda *_: nothing)
    assert counted(plans.recall(MESSAGE)) == {}
