"""Corrections: what a speaker takes back, and what is to be believed instead."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.corrections import correction

CORRECTED = {
    "Actually, I live in Porto.": "I live in Porto",
    "Wait, actually it's on Friday": "it's on Friday",
    "No, I meant Tuesday": "Tuesday",
    "Thanks! Sorry, I meant Porto.": "Porto",
    "Correction: the port is 8082": "the port is 8082",
    "I misspoke, the port is 8082": "the port is 8082",
    "No, my name is Ada": "my name is Ada",
    "It's not Monday but Tuesday": "Tuesday",
    "Not Monday, but Tuesday.": "Tuesday",
    "The demo is on Friday, not Thursday": "The demo is on Friday",
    "Aslında İzmir'de yaşıyorum": "İzmir'de yaşıyorum",
    "Hayır, salı demek istedim": "salı",
    "Düzeltme: port 8082": "port 8082",
    "Yanlış söyledim, port 8082": "port 8082",
    "Pazartesi değil, salı": "salı",
}


@pytest.mark.parametrize("text", CORRECTED)
def test_a_correction_gives_what_holds(text):
    assert correction(text) == CORRECTED[text]


@pytest.mark.parametrize(
    "text",
    [
        "I like tea",
        "I actually like tea",
        "No problem, thanks",
        "I don't like tea but I like coffee",
        "Ben evli değilim",
        "Bugün hava güzel değil ama çıkacağım",
        "",
    ],
)
def test_a_plain_statement_corrects_nothing(text):
    assert correction(text) is None


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text):
    correction(text)


@pytest.mark.parametrize("piece", ["no, ", "not a, but ", "actually ", "degil, ", "a. "])
def test_the_time_grows_with_the_length_and_no_faster(piece):
    began = time.process_time()
    correction(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 1.0
