"""Small talk: what needs no memory is told, and nothing that could be a question is refused."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.smalltalk import no_need

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
small_words = st.sampled_from(
    [
        "hi",
        "hello",
        "ok",
        "thanks",
        "yes",
        "no",
        "tamam",
        "evet",
        "merhaba",
        "selam",
        "great",
        "lol",
        ",",
        "!",
        "there",
        "so",
        "much",
    ]
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hi", "greeting"),
        ("Hi there!", "greeting"),
        ("hiiiii", "greeting"),
        ("How are you?", "greeting"),
        ("what’s up?", "greeting"),
        ("Good morning 🙂", "greeting"),
        ("See you later!", "farewell"),
        ("Thanks so much!", "thanks"),
        ("thank you", "thanks"),
        ("Yes please", "confirmation"),
        ("go ahead", "confirmation"),
        ("No, thanks.", "refusal"),
        ("never mind", "refusal"),
        ("ok", "acknowledgement"),
        ("OK, got it", "acknowledgement"),
        ("okkkk", "acknowledgement"),
        ("Let me think about that", "acknowledgement"),
        ("hahaha", "laughter"),
        ("/help", "slash command"),
        ("/dream now", "slash command"),
        ("  /Status  ", "slash command"),
        ("👍", "no words"),
        ("...", "no words"),
        ("", "no words"),
    ],
)
def test_english_small_talk_needs_no_memory(text, reason):
    assert no_need(text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Merhaba", "greeting"),
        ("SELAM", "greeting"),
        ("Günaydın!", "greeting"),
        ("GÜNAYDIN", "greeting"),
        ("Nasılsın?", "greeting"),
        ("NASILSIN?", "greeting"),
        ("Görüşürüz", "farewell"),
        ("İyi geceler", "farewell"),
        ("çok teşekkür ederim", "thanks"),
        ("sağ ol", "thanks"),
        ("Evet", "confirmation"),
        ("TABİİ Kİ", "confirmation"),
        ("hayır, teşekkürler", "refusal"),
        ("tamam", "acknowledgement"),
        ("Tamam, anladım, teşekkürler", "acknowledgement"),
    ],
)
def test_turkish_small_talk_needs_no_memory(text, reason):
    assert no_need(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "hi, where did I park?",
        "ok but what is my address",
        "yes, the blue one",
        "thanks, and when is the meeting",
        "hello Ada",
        "right?",
        "ok?",
        "next week",
        "good restaurants",
        "there",
        "please",
        "password",
        "42",
        "why",
        "who am I",
        "/etc/hosts",
        "/home is where?",
        "merhaba, arabam nerede?",
        "tamam mı?",
        "evet mi dedim",
        "çok",
        "adım ne",
        "güzel bir restoran",
        "你好吗",
        "สวัสดี",
        "ok " * 200,
        "ok" + " " * 200 + "where is my car",
    ],
)
def test_what_may_need_memory_is_let_through(text):
    assert no_need(text) is None


@given(any_text)
def test_any_text_is_answered_and_a_question_after_it_is_let_through(text):
    assert no_need(text) is None or isinstance(no_need(text), str)
    if not text.strip().startswith("/"):
        assert no_need(f"{text}\nwhere did I park my car?") is None


@given(st.lists(small_words, min_size=1, max_size=8).map(" ".join))
def test_a_question_mark_after_small_talk_lets_all_but_greetings_through(text):
    assert no_need(f"{text} ?") in {None, "greeting", "no words"}


@pytest.mark.parametrize("piece", ["a", "ok ", "/", "/a ", " ", "ı", "?!"])
def test_a_megabyte_takes_little_time(piece):
    started = time.perf_counter()
    no_need(piece * (10**6 // len(piece)))
    assert time.perf_counter() - started < 0.5


def test_a_question_costs_microseconds():
    taken = []
    for _ in range(50):
        started = time.perf_counter()
        no_need("What did we decide about the database in the last meeting with Ada?")
        taken.append(time.perf_counter() - started)
    assert min(taken) < 50e-6
