"""The past: questions about what held before or how it changed, not every question in the past tense."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.past import about_the_past

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    "question",
    [
        "What did I use before?",
        "What did she do before that?",
        "Where did I live before Lisbon?",
        "Where did I used to live?",
        "What did James use to play?",
        "Which editor did I use previously?",
        "What was my previous address?",
        "Who was Ada's former boss?",
        "What was my old phone number?",
        "What was our first choice?",
        "What did I originally want?",
        "How has my diet changed?",
        "How have my goals evolved over time?",
        "How did my plans change over the years?",
        "What has changed in the plan?",
        "Did my opinion change?",
        "the history of my jobs",
        "Is it not there anymore?",
        "Since when do I work at Acme?",
        "How long have I lived here?",
        "Have I always liked tea?",
        "Have I ever used Flask?",
        "When did I switch from vim to emacs?",
        "WHAT DID I USE BEFORE",
    ],
)
def test_english_questions_about_the_past_are_seen(question):
    assert about_the_past(question)


@pytest.mark.parametrize(
    "question",
    [
        "Eskiden nerede otururdum?",
        "ESKİDEN NEREDE YAŞIYORDUM",
        "Önceki adresim neydi?",
        "ÖNCEKİ İŞİM NEYDİ?",
        "eski telefonum neydi",
        "ilk planımız neydi",
        "Ne zamandan beri burada çalışıyorum?",
        "Kaç yıldır burada yaşıyorum?",
        "daha önce ne kullandım?",
        "hangi editörü kullanıyordum?",
        "Planım nasıl değişti?",
        "Zamanla neler oldu?",
        "Bundan önce ne vardı",
        "Artık et yemiyor muyum?",
        "Sigarayı bıraktım mı?",
        "geçmişte nerede çalıştım",
        "çay içmezdim, değil mi",
    ],
)
def test_turkish_questions_about_the_past_are_seen(question):
    assert about_the_past(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where did we eat yesterday?",
        "What did I say to Ada?",
        "When did Ada move?",
        "What did I do last week?",
        "Where was Tim in the week before 16 November 2023?",
        "Which city was John in before traveling to Chicago?",
        "What should I do before the meeting?",
        "Where did I live before the flood?",
        "I got used to it, what now?",
        "What is used to store vectors?",
        "What criteria did I use to prioritize tasks?",
        "What kind of games has James tried to develop?",
        "How long did it take?",
        "What is my last name?",
        "What is my first name?",
        "When does my first sprint end?",
        "Who wrote the history book?",
        "What is my address?",
        "Dün nerede yedik?",
        "Önceki gün ne yaptık?",
        "önce ne yapayım?",
        "ilk önce ne yapmalıyım?",
        "Kaç kilo verdim?",
        "Adresim ne?",
        "Geçen hafta nereye gittim?",
        "Hangi kitabı okudum?",
        "",
    ],
)
def test_ordinary_questions_are_not_about_the_past(question):
    assert not about_the_past(question)


@given(any_text)
def test_any_text_is_answered(text):
    assert about_the_past(text) in {True, False}
    assert about_the_past(f"{text}\nWhat was my previous address?")


def test_a_question_after_a_long_text_is_read():
    assert about_the_past("lorem ipsum " * 10_000 + "What did I use before?")


@pytest.mark.parametrize(
    "piece", ["a ", "has a ", "how a ", "what the ", "artik a ", "my old ", "a's ", "ı", "nasil "]
)
def test_a_megabyte_takes_little_time(piece):
    started = time.perf_counter()
    about_the_past(piece * (10**6 // len(piece)))
    assert time.perf_counter() - started < 2.0
