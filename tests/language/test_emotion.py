"""Emotion: words, their negations and their loudness give valence, arousal and one of six feelings."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.emotion import EKMAN, FLASHBULB_AROUSAL, Emotion, emotion

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I am so happy today", "joy"),
        ("I'm furious about the delay", "anger"),
        ("I'm afraid of flying", "fear"),
        ("I was crying all night", "sadness"),
        ("That was completely unexpected", "surprise"),
        ("The food was gross", "disgust"),
        ("look 😡", "anger"),
        ("Bugün çok mutluyum", "joy"),
        ("Sana çok kızgınım", "anger"),
        ("Köpeklerden korkuyorum", "fear"),
        ("Dedem için çok üzgünüm", "sadness"),
        ("Haberi duyunca şaşırdım", "surprise"),
        ("Yemek iğrençti", "disgust"),
        ("I own several seven acid pistols", None),
        ("The meeting is at ten", None),
        ("I'm not happy", None),
        ("Korkmuyorum", None),
        ("Lizbon'da yaşıyorum", None),
        ("", None),
    ],
)
def test_a_text_has_the_feeling_of_its_words(text, category):
    assert emotion(text).category == category


@pytest.mark.parametrize(
    "text", ["I love it", "what a wonderful day", "not bad", "Çok güzel oldu", "Bayıldım buna", "great 🎉"]
)
def test_good_words_are_good(text):
    assert emotion(text).valence > 0


@pytest.mark.parametrize(
    "text",
    [
        "I hate it",
        "I'm not happy",
        "I don't love it",
        "Mutlu değilim",
        "Bu berbat bir gün",
        "Hiç iyi değil aslında kötü",
    ],
)
def test_bad_words_and_denied_good_words_are_bad(text):
    assert emotion(text).valence < 0


def test_a_denial_ends_with_its_clause():
    assert emotion("No, I'm happy").valence > 0
    assert emotion("I did not come, happy days").valence > 0


def test_words_beside_it_make_a_feeling_stronger_or_weaker():
    plain = emotion("I am worried")
    assert (
        emotion("I am extremely worried").arousal > plain.arousal > emotion("I am slightly worried").arousal
    )
    assert (
        emotion("Çok endişeliyim").arousal
        > emotion("Endişeliyim ben de").arousal
        > emotion("Biraz endişeliyim").arousal
    )


@pytest.mark.parametrize(
    "louder",
    ["The build is RED AGAIN", "The build is red!", "The build is red, damn", "Urgent: the build is red"],
)
def test_marks_capitals_curses_and_urgency_are_arousing(louder):
    assert emotion(louder).arousal > emotion("The build is red").arousal == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "I'm absolutely terrified!!!",
        "PRODUCTION IS DOWN!!! URGENT security breach",
        "fuck this shit, I'm furious!!!",
        "We got engaged!!! I'm so happy 🎉",
        "ACİL!!! Sunucu çöktü, panik yapıyorum!",
        "Şok oldum, inanamıyorum!!!",
    ],
)
def test_what_stirs_much_is_a_flashbulb(text):
    assert emotion(text).flashbulb


@pytest.mark.parametrize(
    "text",
    [
        "I love tea!",
        "I'm a bit worried",
        "This is great, thanks!",
        "Çayı çok severim!",
        "MY NAME IS ADA AND I LIVE IN ROME",
    ],
)
def test_everyday_feelings_are_not(text):
    assert not emotion(text).flashbulb


def test_a_flashbulb_begins_at_its_border():
    assert FLASHBULB_AROUSAL == 0.8
    assert Emotion(0.0, 0.8, None).flashbulb
    assert not Emotion(0.0, 0.799, None).flashbulb


@given(any_text)
def test_any_text_feels_within_bounds(text):
    found = emotion(text)
    assert -1 <= found.valence <= 1
    assert 0 <= found.arousal <= 1
    assert found.category is None or found.category in EKMAN


@pytest.mark.parametrize("piece", ["happy ", "not ", "!", "A", "😀", "çok "])
def test_a_long_text_takes_time_in_proportion(piece):
    started = time.perf_counter()
    emotion((piece * 100_000)[:100_000])
    assert time.perf_counter() - started < 5
