"""A correction that is no more than a value takes the place of the one value that it can mean, or of none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.amending import alike, amended

HOLDS = {
    ("en", "The budget is about 150 euros per night", "make it 180, since it's a holiday"): (
        "The budget is about 180 euros per night"
    ),
    ("en", "The budget is about €150 per night", "make it €180"): "The budget is about €180 per night",
    ("en", "The meeting is at 3pm", "make that 4pm"): "The meeting is at 4pm",
    ("en", "The meeting is at 3pm", "make that 4"): "The meeting is at 4pm",
    ("en", "My flight leaves at 9", "it leaves at 10"): "My flight leaves at 10",
    ("en", "We need 5 seats for 2 days", "6 seats"): "We need 6 seats for 2 days",
    ("en", "The deadline is Friday", "Monday"): "The deadline is Monday",
    ("en", "The party is on May 5th", "it's June 6th"): "The party is on June 6th",
    ("en", "I live in Porto", "Lisbon"): "I live in Lisbon",
    ("tr", "Toplantı saat 3'te", "4'te olsun"): "Toplantı saat 4'te",
    ("tr", "Bütçe gecelik 150 euro", "180 yapalım"): "Bütçe gecelik 180 euro",
    ("tr", "Uçağım cuma günü", "salı"): "Uçağım salı günü",
    ("tr", "Benim evim Roma'da", "Lizbon'da"): "Benim evim Lizbon'da",
}


@pytest.mark.parametrize(("language", "said", "fragment"), HOLDS)
def test_the_new_value_takes_the_place_of_the_old_one(language, said, fragment):
    assert amended(said, fragment, language) == HOLDS[language, said, fragment]


@pytest.mark.parametrize(
    ("said", "fragment", "language"),
    [
        ("We are open from Monday to Friday", "Sunday", "en"),  # two that it could be
        ("The meeting is at 3pm", "make it quick", "en"),  # no value
        ("I want the red one", "the blue one", "en"),
        ("The meeting is at 3pm", "Tuesday", "en"),  # of another kind
        ("We need 5 seats", "6 tables", "en"),  # of something else
        ("Ada lives in Porto", "Tim", "en"),  # a person or a place?
        ("The budget is 150", "180 or 200", "en"),
        ("The budget is 150", "", "en"),
        ("Ada ile Ben geldi", "Cem", "tr"),
    ],
)
def test_where_it_is_not_sure_what_is_corrected_nothing_is(said, fragment, language):
    assert amended(said, fragment, language) is None


def test_what_else_could_be_meant_is_of_the_same_kind():
    assert alike("Shall we meet on Monday at 3 pm, or on Tuesday?", "Friday", "en") == {"monday", "tuesday"}
    assert alike("That is 150 euros.", "make it 180", "en") == {"150"}
    assert alike("Got it!", "make it 180", "en") == frozenset()


@given(st.text(max_size=200), st.text(max_size=100), st.sampled_from(["en", "tr"]))
def test_any_text_is_read_without_an_error(said, fragment, language):
    amended(said, fragment, language)
    alike(said, fragment, language)


@pytest.mark.parametrize("piece", ["make it ", "3 ", "Aa ", "monday ", "' ", "a"])
def test_the_time_grows_with_the_length_and_no_faster(piece):
    began = time.thread_time()
    for language in ("en", "tr"):
        amended(piece * (50_000 // len(piece)), "make it 3", language)
        amended("It is 3", piece * (50_000 // len(piece)), language)
    assert time.thread_time() - began < 2.0
