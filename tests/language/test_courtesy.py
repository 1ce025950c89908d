"""Courtesy: what is said to be kind, or to keep a talk going, and what only begins like it."""

import pytest

from recollect.language.courtesy import courteous, guessed, of_itself


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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I live in Boston", "en"),
        ("Hi, I'm Lena", "en"),
        ("I have ten years of experience", "en"),
        ("For example, I grew up in Texas", "en"),
        ("Roma'da yaşıyorum", "tr"),
        ("İki kedim var", "tr"),
    ],
)
def test_how_somebody_is_and_lives_is_told_from_what_they_do(text, language):
    assert of_itself(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I booked the table for Friday", "en"),
        ("I have scheduled the meeting", "en"),
        ("I've added milk to the list", "en"),
        ("I'll send it on Monday", "en"),
        ("I recommend the red shoes", "en"),
        ("I have your requirements: at most 500 euros", "en"),
        ("Anna lives in Rome", "en"),
        ("We deploy to Porto", "en"),
        ("Masayı ayırttım", "tr"),
    ],
)
def test_what_was_done_or_concerns_the_listener_is_not_how_somebody_lives(text, language):
    assert not of_itself(text, language)


@pytest.mark.parametrize(
    ("text", "language", "guess"),
    [
        ("You must be allergic to cats", "en", True),
        ("It sounds like you hate your boss", "en", True),
        ("Your sister probably lives in Rome", "en", True),
        ("Galiba Roma'da yaşıyorsun", "tr", True),
        ("You must have a visa to enter Japan", "en", False),
        ("You are allergic to cats", "en", False),
    ],
)
def test_what_nobody_knows_of_another_is_guessed(text, language, guess):
    assert guessed(text, language) is guess
