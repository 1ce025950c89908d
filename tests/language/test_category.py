"""Category: corrections, preferences, decisions, names and facts, each with the confidence of its signs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.category import BASE_CONFIDENCE, category, signals
from recollect.language.entities import entities

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Actually, I live in Rome", "correction"),
        ("No, I meant Paris", "correction"),
        ("It should be port 8080", "correction"),
        ("The old number was wrong", "correction"),
        ("I no longer live in Rome", "correction"),
        ("I prefer tea", "preference"),
        ("She doesn't like coffee", "preference"),
        ("I hate meetings", "preference"),
        ("My favorite color is blue", "preference"),
        ("Always use tabs", "preference"),
        ("I'd rather walk", "preference"),
        ("We decided to use it", "decision"),
        ("I'm going with the blue one", "decision"),
        ("She chose the small one", "decision"),
        ("Let's stick with it", "decision"),
        ("Kafka feeds Redis and Docker", "entity-rich"),
        ("My name is Zorblax", "fact"),
        ("The version is three", "fact"),
        ("The API is slow", "fact"),
        ("I live in a flat", "fact"),
        ("Thomas was born in the city", "fact"),
        ("Aslında Roma'da yaşıyorum", "correction"),
        ("Hayır, Paris demek istedim", "correction"),
        ("Yanlış söyledim, cuma olacak", "correction"),
        ("Artık Roma'da yaşamıyorum", "correction"),
        ("Çayı tercih ederim", "preference"),
        ("Kahve sevmem", "preference"),
        ("En sevdiğim renk mavi", "preference"),
        ("Bunu kullanmaya karar verdik", "decision"),
        ("Mavi olanı seçtim", "decision"),
        ("Redis ve Kafka ile çok hızlı", "entity-rich"),
        ("Adım Zorblax", "fact"),
        ("Bir bankada çalışıyorum", "fact"),
        ("İki çocuğum var", "fact"),
    ],
)
def test_a_text_has_the_kind_its_words_show(text, kind):
    assert category(text).name == kind


@pytest.mark.parametrize(
    "text", ["Sounds good to me", "It looks like rain", "", "Tamam, olur", "Hava güzel olacak", "12345"]
)
def test_a_text_without_signs_has_no_kind(text):
    assert category(text) is None


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Actually, fine", 0.4),
        ("I hate meetings", 0.3),
        ("We decided it", 0.35),
        ("Kafka feeds Redis", 0.3),
        ("My name is Zorblax", 0.25),
    ],
)
def test_one_sign_gives_the_base_confidence(text, confidence):
    assert category(text).confidence == confidence == BASE_CONFIDENCE[category(text).name]


def test_each_further_sign_makes_it_surer_up_to_a_ceiling():
    assert category("Scratch that, it was wrong").confidence == 0.5
    assert (
        category(
            "Actually no longer, scratch that, I meant it was wrong, it should be, I misspoke. Update: i made a mistake, sorry it's anymore"
        ).confidence
        == 0.9
    )


def test_a_word_is_one_sign_however_many_patterns_know_it():
    assert signals("I prefer tea", "preference") == ("i prefer",)


def test_signs_of_another_language_do_not_count():
    assert signals("The API is slow", "fact") == ("the api is",)


def test_entities_that_are_known_already_are_used():
    assert category("Kafka feeds Redis", entities("")) is None
    assert category("it grew", entities("Kafka feeds Redis")).name == "entity-rich"


@given(any_text)
def test_any_text_has_a_kind_with_signs_or_none(text):
    found = category(text)
    assert found is None or (0 < found.confidence <= 0.9 and found.signals)


@pytest.mark.parametrize("piece", ["actually ", "the a ", "not a ", "i really ", "her zaman ", "my x-"])
def test_a_long_text_takes_time_in_proportion(piece):
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    category(text)
    assert time.perf_counter() - started < 5
