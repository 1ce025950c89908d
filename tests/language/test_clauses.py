"""Clauses: taken apart with their subject where it is safe, and left whole where it is not."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.clauses import clauses
from recollect.language.lexicon import languages

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)
WORDS = [
    "I",
    "she",
    "Ada",
    "and",
    "but",
    ",",
    ";",
    "live",
    "lives",
    "in",
    "Rome",
    "to",
    "want",
    "work",
    "at",
    "not",
    "her",
    "that",
    "if",
    "ve",
    "ama",
    "yaşıyorum",
    "çalışıyor",
    "Ayşe",
]
word_salad = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


def parts(sentence, language="en"):
    return [clause.text for clause in clauses(sentence, language)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I live in Lisbon and work at Acme", ["I live in Lisbon", "I work at Acme"]),
        ("I am a nurse and have two kids", ["I am a nurse", "I have two kids"]),
        ("I was born in Rome and grew up in Paris", ["I was born in Rome", "I grew up in Paris"]),
        ("I'm learning Spanish and training for a race", ["I'm learning Spanish", "I'm training for a race"]),
        ("I will move to Rome and work at Acme", ["I will move to Rome", "I will work at Acme"]),
        ("I want to live in Rome and work at Acme", ["I want to live in Rome", "I want to work at Acme"]),
        ("I went to buy milk and met Bob", ["I went to buy milk", "I met Bob"]),
        ("She wants to leave Rome and works at Acme", ["She wants to leave Rome", "She works at Acme"]),
        (
            "My sister Ada lives in Rome and works at Acme",
            ["My sister Ada lives in Rome", "My sister Ada works at Acme"],
        ),
        (
            "Last year I moved to Rome and joined Acme",
            ["Last year I moved to Rome", "Last year I joined Acme"],
        ),
        ("I like tea but I hate coffee", ["I like tea", "I hate coffee"]),
        ("My names can be long and can change", ["My names can be long", "My names can change"]),
        ("My sister might come and might stay", ["My sister might come", "My sister might stay"]),
        ("I don't eat meat but drink milk", ["I don't eat meat", "I drink milk"]),
        ("I moved to Rome and my wife works at Acme", ["I moved to Rome", "my wife works at Acme"]),
        ("I work at Acme; my wife works at Initech", ["I work at Acme", "my wife works at Initech"]),
        ("I met Bob and Ada works at Acme", ["I met Bob", "Ada works at Acme"]),
        (
            "I live in Rome, I work at Acme, and I have a dog",
            ["I live in Rome", "I work at Acme", "I have a dog"],
        ),
        (
            "I live in Rome and work at Acme and have a dog",
            ["I live in Rome", "I work at Acme", "I have a dog"],
        ),
        ("I think Python is great and I use Rust daily", ["I think Python is great", "I use Rust daily"]),
    ],
)
def test_clauses_are_taken_apart_with_their_subject(sentence, expected):
    assert parts(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Bob and Ada work at Acme",
        "I manage sales and support teams",
        "I love music and dance",
        "I bought a car and painted it",
        "I have a cat and I love her",
        "I don't drink coffee and smoke cigars",
        "I think she left and moved to Rome",
        "I know the man who lives in Rome and works at Acme",
        "If I move to Rome and find a job, I'll be happy",
        "I asked Bob to cook and clean up",
        "The dogs I have comfort me and give me love",
        "I use React and Vue for the frontend and Django for the backend",
        "I read the draft on April 2 and May 13 for style",
        "I have a painting to remind me and be a leader",
        "It makes me happy and have fun",
    ],
)
def test_what_would_change_its_meaning_stays_whole(sentence):
    assert parts(sentence)[0] == sentence or len(parts(sentence)) == 1


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Lizbon'da yaşıyorum ve Acme'de çalışıyorum", ["Lizbon'da yaşıyorum", "Acme'de çalışıyorum"]),
        ("Kahve severim ama çay sevmem", ["Kahve severim", "çay sevmem"]),
        ("Dün taşındım, bugün işe başladım", ["Dün taşındım", "bugün işe başladım"]),
        ("İki çocuğum var ve Ankara'da oturuyorum", ["İki çocuğum var", "Ankara'da oturuyorum"]),
        ("Ayşe Roma'da yaşıyor ve Acme'de çalışıyor", ["Ayşe Roma'da yaşıyor", "Ayşe Acme'de çalışıyor"]),
        ("Acme'den ayrıldım ve Ayşe beni aradı", ["Acme'den ayrıldım", "Ayşe beni aradı"]),
    ],
)
def test_turkish_clauses_are_taken_apart_at_their_verbs(sentence, expected):
    assert parts(sentence, "tr") == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "çay ve kahve seviyorum",
        "Kitap aldım ve onu okudum",
        "Hem çalışıyorum, hem okuyorum",
        "Annem ve babam Roma'da yaşıyor",
        "Hava güzel oldu ve herkes sevindi",
        "Kedi, köpek ve kuş severim",
    ],
)
def test_turkish_that_would_change_its_meaning_stays_whole(sentence):
    assert parts(sentence, "tr") == [sentence]


def test_a_clause_says_where_its_own_words_stand():
    sentence = "I live in Rome and work at Acme and have a dog"
    assert [sentence[c.start : c.end] for c in clauses(sentence, "en")] == [
        "I live in Rome",
        "work at Acme",
        "have a dog",
    ]


@given(st.one_of(any_text, word_salad), st.sampled_from(languages()))
def test_any_text_gives_clauses_in_order_within_it(text, language):
    found = clauses(text, language)
    assert all(0 <= c.start <= c.end <= len(text) for c in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert all(c.text.endswith(text[c.start : c.end]) for c in found)


@pytest.mark.parametrize("piece", ["I have a cat and ", "a, ", "I live in Rome and work at Acme and "])
def test_a_long_sentence_takes_time_in_proportion(piece):
    started = time.perf_counter()
    clauses((piece * 100_000)[:100_000], "en")
    assert time.perf_counter() - started < 5
