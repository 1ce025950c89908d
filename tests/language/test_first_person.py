"""First person: the asker is found by pronouns and Turkish endings, not by words that only look like them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.first_person import first_person

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    "question",
    [
        "Where did I park?",
        "what's my favourite colour",
        "My keys?",
        "I'm looking for the keys",
        "i’ve said what?",
        "What have we decided about the api?",
        "What is our budget?",
        "did he tell us the price",
        "Is that book of mine?",
        "When did Sam and I meet?",
        "On Monday I went where?",
        "What did you recommend to me?",
        "I/O is slow, what did I say?",
        "Tell me about my dog",
        "OUR PLAN",
    ],
)
def test_an_english_asker_is_found(question):
    assert first_person(question)


@pytest.mark.parametrize(
    "question",
    [
        "ben kime söyledi?",
        "Benim adresim ne?",
        "BENİM ADRESİM NE",
        "Dün ne yedim?",
        "DÜN NE YEDİM?",
        "dun ne yedim",
        "Nereye baktım?",
        "Geçen hafta nereye gittik?",
        "Nerede kaldık?",
        "Hangi projede çalışıyorum?",
        "ne yapıyoruz?",
        "ne zaman gideceğim?",
        "Ne zaman taşınacağım?",
        "hasta mıyım?",
        "kime gitmeliyim?",
        "nerede unutmuşum?",
        "söylediğim şey neydi",
        "bana ne önerdin?",
        "annem nerede yaşıyor",
        "Arabamı kim aldı?",
        "evimin numarası",
        "kendime ne aldım?",
        "bizim kedi",
    ],
)
def test_a_turkish_asker_is_found(question):
    assert first_person(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where did Ada park?",
        "Can you tell me about Ada?",
        "Tell me about the project",
        "ok, remind me what Ada said",
        "I want to know where Ada lives",
        "May I ask who Ada is?",
        "When did World War I end?",
        "Who was Elizabeth I?",
        "Which US state was Sam in?",
        "What did Ben say?",
        "What is the I/O limit?",
        "i.e. what is it?",
        "What does the musical My Fair Lady tell?",
        "the coal mine accident",
        "what happened to the victim of the memorandum",
        "Bana Ayşe'yi anlat",
        "Eğitim ne zaman?",
        "Yardım ne zaman gelir?",
        "bir sonraki adım ne?",
        "Ayşe nerede oturuyor?",
        "Ankara'nın nüfusu kaç?",
        "Plastik ne zaman bulundu?",
        "Durum ne, kim sorumlu?",
        "deneyim ne demek",
        "hangi sistem?",
        "Tim ne zaman geldi?",
        "",
    ],
)
def test_a_question_about_others_has_no_asker(question):
    assert not first_person(question)


@given(any_text)
def test_any_text_is_answered(text):
    assert first_person(text) in {True, False}
    assert first_person(f"{text}\nwhere did I park?")


@pytest.mark.parametrize(
    "piece", ["a ", "ne ", "i-", "world war ", "can you please ", "bana ", "abcdefghijklmnopqrst", "ş"]
)
def test_a_megabyte_takes_linear_time(piece):
    started = time.perf_counter()
    first_person(piece * (10**6 // len(piece)))
    assert time.perf_counter() - started < 5.0
