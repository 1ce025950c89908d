"""Who goes on with a conversation, and who asks for something in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.turns import goes_on


@pytest.mark.parametrize(
    "text",
    [
        "I am ready for the next level. What is the plan for today?",
        "Got malaria, doctor says rest. Please suspend my training plan.",
        "I finished the second chapter",
        "Raporu bitirdim. Sırada ne var?",
        "Benim raporum bitti",
    ],
)
def test_a_message_goes_on(text):
    assert goes_on(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is the plan for today?",
        "Where are we with the script? What should be done next?",
        "plan for today",
        "deploy script staging",
        "Sırada ne var?",
        "???",
        "",
    ],
)
def test_a_question_and_a_search_do_not(text):
    assert not goes_on(text)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_any_text_is_answered(text):
    goes_on(text)
