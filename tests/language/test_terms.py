"""Terms: whatever way a word is written, it is found by the other ways of writing it."""

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language import terms as module
from recollect.language.terms import MAX_TERM_CHARACTERS, STOP_WORDS, query_terms, term_hashes, terms

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    "spellings",
    [
        ["İstanbul", "istanbul", "ISTANBUL", "İSTANBUL", "ıstanbul"],
        ["Iğdır", "IĞDIR", "iğdir", "igdir", "İĞDİR"],
        ["ŞİŞLİ", "şişli", "sisli"],
        ["café", "cafe\u0301", "CAFÉ", "cafe"],
        ["Straße", "STRASSE", "strasse"],
        ["naïve", "naive"],
        ["Łódź", "lodz"],
        ["ﬁle", "file", "ｆｉｌｅ"],
        ["کتاب\u200cها", "کتابها"],
    ],
)
def test_spellings_of_one_word_agree(spellings):
    assert len({tuple(terms(spelling)) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ankara'da", ["ankara"]),
        ("Ankara’dakilerden", ["ankara"]),
        ("Ada's dogs", ["ada", "dog"]),
        ("don't", ["dont"]),
        ("DON’T", ["dont"]),
        ("I'm I've I'd I'll", ["i", "i", "i", "i"]),
        ("O'Brien", ["obrien", "brien"]),
        ("rock'n'roll", ["rock", "n", "roll"]),
        ("'quoted words'", ["quot", "word"]),
    ],
)
def test_apostrophes_cut_suffixes_and_keep_contractions_and_names(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("session_manager.py", ["session_manager.py", "session", "manag", "py"]),
        ("sessionManager", ["sessionmanager", "session", "manag"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("kullanıcıAdı", ["kullaniciadi", "kullanici", "adi"]),
        ("__init__", ["init"]),
        ("MAX_RETRIES", ["max_retries", "max", "retri"]),
        ("src/recall/rank.py", ["src", "recal", "rank.py", "rank", "py"]),
        ("well-known", ["well", "known"]),
        ("python3", ["python3"]),
    ],
)
def test_identifiers_are_kept_and_split(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("room 101", ["room", "101"]),
        ("2026-03-01", ["2026", "03", "01"]),
        ("version 3.11.7", ["version", "3.11.7", "3", "11", "7"]),
        ("１２３", ["123"]),
    ],
)
def test_numbers_are_kept(text, expected):
    assert terms(text) == expected


def test_words_meet_in_their_stem():
    assert terms("deploying deployed deploys deployment")[:3] == ["deploy"] * 3
    assert terms("memories memory") == ["memori", "memori"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("猫", ["猫"]),
        ("한국어", ["한국", "국어"]),
        ("한국", ["한국"]),
        ("ｶﾞｽ", ["ガス"]),
        ("東京2020大会", ["東京", "2020", "大会"]),
        ("สวัสดี", ["สว", "วั", "ัส", "สด", "ดี"]),
        ("I ♥ 東京!", ["i", "東京"]),
    ],
)
def test_scripts_without_spaces_give_pairs_of_characters(text, expected):
    assert terms(text) == expected


def test_vowel_signs_do_not_cut_a_word():
    assert len(terms("हिन्दी भाषा")) == 2


def test_a_long_word_is_cut_and_meets_itself():
    assert terms("x" * 100) == terms("x" * 5_000) == ["x" * MAX_TERM_CHARACTERS]


@pytest.mark.parametrize(
    "text", ["", " \n\t", "😀👩\u200d💻🇹🇷", "\x00\x01", "___ ... '''", "\ud800\udfff", "!?@#$%"]
)
def test_what_has_no_words_has_no_terms(text):
    assert terms(text) == []
    assert term_hashes(text).shape == (0,)
    assert query_terms(text) == []


def test_broken_characters_end_a_word_and_lose_no_other():
    assert terms("alpha\x00beta\ud800gamma😀delta") == ["alpha", "beta", "gamma", "delta"]


@given(any_text)
def test_any_text_gives_short_words_and_raises_nothing(text):
    found = terms(text)
    assert all(0 < len(term) <= MAX_TERM_CHARACTERS for term in found)
    assert len(term_hashes(text)) == len(found)


@given(any_text)
def test_a_query_is_unique_in_order_and_empty_only_without_terms(text):
    asked, said = query_terms(text), terms(text)
    assert asked == [term for term in dict.fromkeys(said) if term in asked]
    assert bool(asked) == bool(said)


def test_a_query_drops_stop_words_of_both_languages():
    assert query_terms("what is the name of our cat") == ["name", "cat"]
    assert query_terms("kedimizin adı nedir ve bu ne için") == ["kedimizin", "adi", "nedir"]


def test_a_query_of_stop_words_keeps_them():
    assert query_terms("who is who") == ["who", "is"]
    assert query_terms("o ne") == ["o", "ne"]


@pytest.mark.parametrize("word", ["why", "does", "THE", "Için", "nasıl", "Mı", "şu"])
def test_stop_words_are_kept_as_terms(word):
    assert set(terms(word)) <= STOP_WORDS


def test_hashes_follow_the_terms_in_order():
    together, apart = term_hashes("red fox red"), [term_hashes("red")[0], term_hashes("fox")[0]]
    assert together.dtype == np.uint32
    assert together.tolist() == [apart[0], apart[1], apart[0]]


def test_hashes_are_the_same_in_another_process_with_another_seed():
    code = "from recollect.language.terms import term_hashes; print(term_hashes('Kuş gözlem 観察').tolist())"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{term_hashes('Kuş gözlem 観察').tolist()}\n"}


def test_threads_do_not_disturb_each_others_stems():
    words = [f"{stem}{ending}" for stem in SYLLABLES for ending in ("ing", "ation", "ness", "ies", "edly")]
    expected = [terms(word) for word in words]
    module._token_terms.cache_clear()
    module._stem.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        for answer in pool.map(lambda _: [terms(word) for word in words], range(8)):
            assert answer == expected


SYLLABLES = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("n", "rt", "l", "st", "m")]


def sentences(count):
    rng = random.Random(7)
    vocabulary = [first + second for first in SYLLABLES for second in ("er", "ing", "ly", "ed", "o")]
    for _ in range(count):
        sentence = ""
        while len(sentence) < 100:
            # Squaring the draw makes some words common, as in language.
            sentence += vocabulary[int(rng.random() ** 2 * len(vocabulary))] + " "
        yield sentence[:100]


def test_fifteen_thousand_sentences_take_less_than_a_second():
    batch = list(sentences(15_000))
    best = min(_seconds(lambda: [terms(sentence) for sentence in batch]) for _ in range(3))
    assert best < 1.0


@pytest.mark.parametrize(
    "unit",
    ["a", "a.", "a'", "東", "ş", "aB", "é'", "a\u0301\u0316", "word ", "\ud800", "\x00", "x_"],
    ids=ascii,
)
def test_five_megabytes_take_seconds_at_most(unit):
    assert _seconds(lambda: terms(unit * (5_000_000 // len(unit)))) < 20


def _seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
