"""Tongue: a sentence is read by the rules of its own language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.lexicon import languages
from recollect.language.tongue import tongue

ENGLISH = [
    "I moved to Lisbon yesterday.",
    "Deploy is broken",
    "my wife works at Acme",
    "Item system memory",
    "Ada lives in İzmir and works at Koç",
    "",
    "12345",
    "The team uses Kubernetes.",
]
TURKISH = [
    "Dün Lizbon'a taşındım.",
    "Acme'de calisiyorum",
    "Kahveyi sekersiz iciyorum",
    "Benim adım Ada",
    "Toplantı yarın saat 10'da",
    "asla main'e push yapma",
    "Berlin'deyim, cumaya kadar",
    "Python kullanmayı tercih ediyorum",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_english(text):
    assert tongue(text) == "en"


@pytest.mark.parametrize("text", TURKISH)
def test_turkish_is_turkish_with_and_without_its_letters(text):
    assert tongue(text) == "tr"


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=200))
def test_any_text_has_one_of_the_languages(text):
    assert tongue(text) in languages()
