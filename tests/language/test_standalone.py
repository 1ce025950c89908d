"""Standalone: a statement names who said it, agrees with its verbs, and stays short."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.lexicon import languages
from recollect.language.standalone import MAX_CHARACTERS, standalone, without_fillers

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Lisbon", "Ada moved to Lisbon"),
        ("I am a nurse", "Ada is a nurse"),
        ("I have a dog", "Ada has a dog"),
        ("I'm vegan", "Ada is vegan"),
        ("I’m vegan", "Ada is vegan"),
        ("I've got two kids", "Ada has got two kids"),
        ("I'll move in May", "Ada will move in May"),
        ("I'd like a tea", "Ada would like a tea"),
        ("I'd gone home", "Ada had gone home"),
        ("I don't like tea", "Ada doesn't like tea"),
        ("I was late", "Ada was late"),
        ("I really love sushi", "Ada really loves sushi"),
        ("I cook and bake daily", "Ada cooks and bakes daily"),
        ("I work from home and live with my cat", "Ada works from home and lives with their cat"),
        ("i live in Rome", "Ada lives in Rome"),
        ("Bob and I like tea", "Bob and Ada like tea"),
        ("I have a dog and I sing", "Ada has a dog and Ada sings"),
        ("I'm a nurse and I sing", "Ada is a nurse and Ada sings"),
        ("Bob lives in Rome, and I sing", "Bob lives in Rome, and Ada sings"),
        ("I hope Bob and I sing", "Ada hopes Bob and Ada sing"),
        ("Since we moved, Bob and I sing", "Since we moved, Bob and Ada sing"),
        ("My name is Ada", "Ada's name is Ada"),
        ("I need to renew my passport", "Ada needs to renew their passport"),
        ("I moved to Lisbon with my wife", "Ada moved to Lisbon with their wife"),
        ("I told Bob about my car", "Ada told Bob about Ada's car"),
        ("My boss told me to rest", "Ada's boss told Ada to rest"),
        ("This car is mine", "This car is Ada's"),
        ("I did it myself", "Ada did it themselves"),
        ("I think I can swim", "Ada thinks Ada can swim"),
        ('He said "I love you" to me', 'He said "I love you" to Ada'),
        ("My sister said: I live in Rome", "Ada's sister said: I live in Rome"),
        ("Bob wrote to me: I miss my dog", "Bob wrote to Ada: I miss my dog"),
        ("I told my boss: I work from home", "Ada told their boss: Ada works from home"),
        ("Bob: I live in Rome", "Bob: I live in Rome"),
        ("Ada: I live in Rome", "Ada: Ada lives in Rome"),
        ("World War I", "World War I"),
        ("We decided to use Postgres", "We decided to use Postgres"),
        ("Well, I like tea", "Ada likes tea"),
        ("Remember that I prefer tabs", "Ada prefers tabs"),
        ("I never eat meat", "Ada never eats meat"),
        ("I almost moved to Rome", "Ada almost moved to Rome"),
        ("The i18n build is mine", "The i18n build is Ada's"),
        ("The deploy takes an hour", "The deploy takes an hour"),
    ],
)
def test_the_first_person_becomes_the_third(text, expected):
    assert standalone(text, "Ada", language="en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lizbon'a taşındım", "Ada Lizbon'a taşındı"),
        ("Dün Lizbon’a taşındım", "Ada dün Lizbon’a taşındı"),
        ("Acme'de çalışıyorum", "Ada Acme'de çalışıyor"),
        ("Yarın Berlin'e gideceğim", "Ada yarın Berlin'e gidecek"),
        ("Çayı seviyordum", "Ada çayı seviyordu"),
        ("Eskiden gelmişim", "Ada eskiden gelmiş"),
        ("Daha çok uyumalıyım", "Ada daha çok uyumalı"),
        ("Kahve sevmem", "Ada kahve sevmez"),
        ("Çay severim", "Ada çay sever"),
        ("Çay severim, kahve içmem", "Ada çay sever, kahve içmez"),
        ("Berlin'deyim", "Ada Berlin'de"),
        ("Evliyim", "Ada evli"),
        ("Ben doktorum", "Ada doktor"),
        ("Vejetaryen değilim", "Ada vejetaryen değil"),
        ("Adım Ada", "Ada'nın adı Ada"),
        ("Annem Roma'da yaşıyor", "Ada'nın annesi Roma'da yaşıyor"),
        ("İki çocuğum var", "Ada'nın iki çocuğu var"),
        ("Benim arabam kırmızı", "Ada'nın arabası kırmızı"),
        ("Benim kalemim kırık", "Ada'nın kalemi kırık"),
        ("Annemle Roma'ya gittim", "Ada annesiyle Roma'ya gitti"),
        ("Kardeşimin adı Ali", "Ada'nın kardeşinin adı Ali"),
        ("Bana çay verdi", "Ada'ya çay verdi"),
        ("Beni aradı", "Ada'yı aradı"),
        ("Yani, Acme'de çalışıyorum", "Ada Acme'de çalışıyor"),
        ("Toplantı yarın", "Toplantı yarın"),
        ("Yardım lazım", "Yardım lazım"),
        ("Ayşe geldi", "Ayşe geldi"),
        ("Python kullanıyorum", "Ada Python kullanıyor"),
        ("Doğum günüm 3 Mart", "Ada'nın doğum günü 3 Mart"),
        ("Benim doğum günüm 3 Mart", "Ada'nın doğum günü 3 Mart"),
        ("Kız kardeşim Elif doktor", "Ada'nın kız kardeşi Elif doktor"),
        ("Dün kız kardeşim geldi", "Dün Ada'nın kız kardeşi geldi"),
        ("Telefon numaram 555", "Ada'nın telefon numarası 555"),
        ("E-posta adresim değişti", "Ada'nın e-posta adresi değişti"),
        ("Yeni adresim Moda", "Ada'nın yeni adresi Moda"),
        ("En yakın arkadaşım Can", "Ada'nın en yakın arkadaşı Can"),
        ("Evim Kadıköy'de, iş yerim Levent'te", "Ada'nın evi Kadıköy'de, iş yeri Levent'te"),
        ("İş yerimde kantin var", "Ada'nın iş yerinde kantin var"),
        ("Elma yerim", "Elma yerim"),
        ("Ege Yazılım'da çalışıyorum", "Ada Ege Yazılım'da çalışıyor"),
        ("Sabah Ankara'ya gittim", "Ada sabah Ankara'ya gitti"),
        ("Ben Ada, 29 yaşındayım", "Ada, 29 yaşında"),
        # Whose these are is not sure, so that they stay as they were said.
        ("Almanca öğretmenim çok iyi", "Almanca öğretmenim çok iyi"),
        ("Acme'deki müdürüm aradı", "Acme'deki müdürüm aradı"),
    ],
)
def test_turkish_endings_of_the_first_person_become_the_third(text, expected):
    assert standalone(text, "Ada", language="tr") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Rome with my dog", "The user moved to Rome with their dog"),
        ("My dog likes me", "The user's dog likes the user"),
        ("Annem Roma'da yaşıyor", "Kullanıcının annesi Roma'da yaşıyor"),
        ("Bu benim kararım", "Bu kullanıcının kararı"),
    ],
)
def test_without_a_name_it_is_the_user(text, expected):
    assert standalone(text) == expected
    assert standalone(text, "  ") == expected


def test_what_is_said_to_a_known_listener_is_about_them():
    assert (
        standalone("You prefer tabs and you're in Rome", "Bob", listener="Ada")
        == "Ada prefers tabs and Ada is in Rome"
    )
    assert standalone("I like your dog", "Bob", listener="Ada") == "Bob likes Ada's dog"
    assert standalone("It helps you find a job", "Bob", listener="Ada") == "It helps Ada find a job"
    assert standalone("I like your dog", "Bob") == "Bob likes your dog"


@pytest.mark.parametrize(
    ("text", "expected", "language"),
    [
        ("Um, well, I like tea", "I like tea", "en"),
        ("I like, you know, tea lol", "I like tea", "en"),
        ("To be honest, I like tea", "I like tea", "en"),
        ("Şey, yani çay severim", "Çay severim", "tr"),
        ("Çay severim işte", "Çay severim", "tr"),
        ("Well", "Well", "en"),
        ("I like tea", "I like tea", "en"),
        ("So many people came", "So many people came", "en"),
        ("So, I moved", "I moved", "en"),
        ("You are absolutely right", "You are absolutely right", "en"),
        ("I moved to Rome, mate", "I moved to Rome", "en"),
        ("No dairy for me", "No dairy for me", "en"),
        ("No, I eat dairy", "I eat dairy", "en"),
        ("Right now I work at Acme", "Right now I work at Acme", "en"),
        ("My friend, I moved to Rome", "I moved to Rome", "en"),
        ("My friend moved to Rome", "My friend moved to Rome", "en"),
        ("It is also clear that my shifts end at 5", "My shifts end at 5", "en"),
        ("Hocam, çay severim", "Çay severim", "tr"),
    ],
)
def test_fillers_are_left_out_unless_nothing_else_is_said(text, expected, language):
    assert without_fillers(text, language) == expected


def test_a_long_text_is_cut_between_words():
    cut = standalone("I like " + "tea " * 400, "Ada")
    assert len(cut) <= MAX_CHARACTERS
    assert cut.endswith("tea…")


@given(any_text, st.one_of(st.none(), any_text), st.sampled_from(languages()))
def test_any_text_stays_short(text, speaker, language):
    assert len(standalone(text, speaker, speaker, language)) <= MAX_CHARACTERS


@pytest.mark.parametrize("piece", ["I ", "well, ", '"', "my ", "benim ", "annem ", ", um,", "I like "])
def test_a_long_text_takes_time_in_proportion(piece):
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    standalone(text, "Ada")
    assert time.perf_counter() - started < 2
