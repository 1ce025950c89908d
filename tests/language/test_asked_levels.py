"""A question is read for the level that it asks for, in English and in Turkish, and for no other word."""

import pytest

from recollect.language.levels import asked_level

ASKED = {
    "goals": ["What were our goals for the quarter?", "hangi hedefler vardı?"],
    "strategies": [
        "Which strategies worked for flaky tests?",
        "strategies for making the app secure",
        "What approaches have we tried?",
        "Ödeme hataları için stratejiler neydi?",
    ],
    "steps": [
        "List the steps of the last migration",
        "Show me all actions in the run",
        "Hangi adımlar atıldı?",
    ],
    "findings": [
        "What findings do we have about the outage?",
        "Give me the details about the crash",
        "Bulgular nelerdi?",
    ],
}
NOT_ASKED = [
    "Where does Ada live?",
    "Why did the last step fail?",
    "Is my strategy board game still at Ben's?",
    "Bu adresi kaydet",
    "Which goals and which steps are known?",
    "which strategies " + "and so on " * 40,
]


@pytest.mark.parametrize(("level", "question"), [(k, one) for k, some in ASKED.items() for one in some])
def test_the_level_that_is_asked_for(level, question):
    assert asked_level(question) == level


@pytest.mark.parametrize("question", NOT_ASKED)
def test_no_level_is_read_where_none_or_several_are_asked_for(question):
    assert asked_level(question) is None
