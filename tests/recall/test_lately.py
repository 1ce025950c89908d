"""A message that goes on with a conversation prefers what was said lately; a question does not."""

from datetime import UTC, datetime, timedelta

import pytest

START = datetime(2026, 3, 1, tzinfo=UTC)
MESSAGE = "I am ready for the training plan. Tell me more."
QUESTION = "What is the training plan?"


@pytest.fixture
def days(memory):
    for day, text in enumerate(
        ["The training plan is A", "Bees sleep", "Birds fly", "The training plan is A!"]
    ):
        at = (START + timedelta(days=day)).isoformat()
        memory.observe([{"role": "user", "content": text, "timestamp": at}], session=f"day {day}")
    return memory


def lately(found):
    return {hit.text: hit.values["lately"] for hit in found}


def test_of_two_alike_the_later_one_stands_first_for_a_message(days):
    found = days.recall(MESSAGE)
    assert found[0].text == "The training plan is A!"
    (earlier,) = (hit for hit in found if hit.text == "The training plan is A")
    by_the_day = found[0].signals["lately"] - earlier.signals["lately"]
    assert found[0].score - earlier.score >= by_the_day > 0.01
    assert lately(found)["The training plan is A!"] == 1.0
    assert lately(found)["The training plan is A"] == pytest.approx(0.5 ** (3 / 20))


def test_for_a_question_the_day_does_not_count(days):
    assert set(lately(days.recall(QUESTION)).values()) == {0.0}


def test_the_layer_can_be_switched_off(days):
    assert set(lately(days.recall(MESSAGE, ablate=["lately"])).values()) == {0.0}


def test_a_message_is_weighed_by_what_it_says_as_a_whole_more_than_a_question(days):
    message, question = days.recall(MESSAGE).trace, days.recall(QUESTION).trace
    assert message.weights["meaning"] > question.weights["meaning"]
    assert message.weights["session_words"] < question.weights["session_words"]
    assert days.recall(MESSAGE, ablate=["lately"]).trace.weights == question.weights


def test_a_formula_of_a_document_ranks_a_message_as_the_document_says(days):
    weights = [days.recall(text, profile="cognitive").trace.weights for text in (MESSAGE, QUESTION)]
    assert weights[0] == weights[1]
