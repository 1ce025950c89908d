"""Courtesy: what is said to be kind, or to keep a talk going, and what only begins like it."""

import pytest

from recollect.language.courtesy import courteous


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Welcome back, Ada", "en"),
        ("My sincerest apologies for the confusion", "en"),
        ("You're absolutely right", "en"),
        ("I'll be right here, ready for your confirmation", "en"),
        ("Just let me know when you have sorted it", "en"),
        ("Tekrar hoş geldin", "tr"),
        ("Kesinlikle haklısın", "tr"),
    ],
)
def test_who_helps_keeps_a_talk_going_with_what_tells_nothing(text, language):
    assert courteous(text, language, helper=True)
    assert not courteous(text, language), "of a person it may be what happened"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("You're right that the deadline moved to Friday", "en"),
        ("You're right, the deadline is not this week, it is the week after", "en"),
        ("I'll be in Porto on Friday", "en"),
        ("Haklısın, teslim tarihi bu hafta değil gelecek hafta", "tr"),
    ],
)
def test_what_says_something_after_it_is_no_courtesy(text, language):
    assert not courteous(text, language, helper=True)
