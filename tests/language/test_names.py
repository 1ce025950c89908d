"""Names: what capital letters and quotes mark, without the words that only begin a sentence."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.names import MAX_NAMES, mentions, name_key, names

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
capital_text = st.text(alphabet="AaĞİı '’\"“”.-of the\n", max_size=200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did Ada Lovelace write?", ["Ada Lovelace"]),
        ("Lord of the Rings is long", ["Lord of the Rings"]),
        ("He works at Bank of America with Leonardo da Vinci", ["Bank of America", "Leonardo da Vinci"]),
        ("Ada and Ben met Cleo", ["Ada", "Ben", "Cleo"]),
        (
            "We met Dr. Smith, J.K. Rowling and Robert J. Bentley.",
            ["Dr. Smith", "J.K. Rowling", "Robert J. Bentley"],
        ),
        ("I saw O'Brien's dog and Ada’s cat", ["O'Brien", "Ada"]),
        ("Jean-Luc uses FastAPI with Node.js", ["Jean-Luc", "FastAPI", "Node.js"]),
        ("NASA and the FBI", ["NASA", "FBI"]),
        ("director of film The Golden Calf?", ["The Golden Calf"]),
        ("They live in Columbiana, Alabama.", ["Columbiana", "Alabama"]),
        ("Ada likes Ada and Ben", ["Ada", "Ben"]),
        ("Ada\nBen", ["Ada", "Ben"]),
        ("Who was Elizabeth I?", ["Elizabeth"]),
    ],
)
def test_english_names_are_found_in_order(text, expected):
    assert names(text) == tuple(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ankara'da ne yaptım?", ["Ankara"]),
        ("İstanbul’daki Ayşe Yılmaz ile görüştüm", ["İstanbul", "Ayşe Yılmaz"]),
        ("Dün Çağrı geldi, Iğdır'a gitti", ["Çağrı", "Iğdır"]),
        ("Nerede oturuyor Mehmet Bey?", ["Mehmet Bey"]),
        ("Kaan: Evet, Defne ile İzmir'e gittik.", ["Kaan", "Defne", "İzmir"]),
        ("“Kürk Mantolu Madonna” kimin kitabı?", ["Kürk Mantolu Madonna"]),
        ("Geçen Mart ayında Şişli", ["Şişli"]),
    ],
)
def test_turkish_names_are_found_without_their_suffixes(text, expected):
    assert names(text) == tuple(expected)
    assert names(unicodedata.normalize("NFD", text)) == tuple(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('She read "War and Peace" twice', ["War and Peace"]),
        ("the books 'The Nightingale' and ‘The Witcher’", ["The Nightingale", "The Witcher"]),
        ("the film «Amour»", ["Amour"]),
        ('played "1984," and left', ["1984"]),
        ('he said "I will go there tomorrow with Ada" and left', ["Ada"]),
        ('a "nice" day', []),
        ("it's Ada's and Ben's", ["Ada", "Ben"]),
    ],
)
def test_quoted_titles_are_names_and_quoted_sentences_are_not(text, expected):
    assert names(text) == tuple(expected)


@pytest.mark.parametrize(
    "text",
    [
        "When did we go? What's up. Don't! Thanks",
        "Hey! Wow. That's great",
        "My sister came. The dog slept. I'm home; it's late",
        "On Monday I slept. In May it rained, said I",
        "I swim on Mondays and sleep on Sundays",
        "WHERE DID I PARK THE CAR",
        "Ne zaman geldi? Nereye gittik. Evet, Pazartesi geldik.",
        "no capitals at all",
        "",
    ],
)
def test_words_that_begin_a_sentence_are_no_names(text):
    assert names(text) == ()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("She starred in the golden calf", "The Golden Calf (1930 film)"),
        ("ISTANBUL'DA YAŞIYOR", "İstanbul"),
        ("Iğdır ve Şişli", "ığdır"),
        ("(Ada)", "Ada"),
        ("Adana, Ada", "Ada"),
        ("the Golden\n Calf", "Golden  Calf"),
        ("Beyoncé's song", "Beyonce"),
    ],
)
def test_a_title_is_mentioned_however_it_is_spelled(text, title):
    assert mentions(text, title)


@pytest.mark.parametrize(
    ("text", "title"),
    [("Adana", "Ada"), ("Canada", "Ada"), ("Golden", "Golden Calf"), ("Ada", ""), ("Ada", "  ")],
)
def test_a_title_is_mentioned_only_as_whole_words(text, title):
    assert not mentions(text, title)


def test_a_title_that_is_all_parenthesis_keeps_it():
    assert name_key("(500)") == "(500)"
    assert name_key("Amour (2012 film)") == name_key("AMOUR") == "amour"


@given(any_text | capital_text)
def test_any_text_gives_few_names_that_stand_in_it(text):
    found = names(text)
    assert len(found) == len(set(found)) <= MAX_NAMES
    composed = unicodedata.normalize("NFC", text)
    assert all(name in composed and 1 < len(name) <= 100 for name in found)


@given(any_text, any_text)
def test_any_text_mentions_itself(text, title):
    assert mentions(text, title) in {True, False}
    assert mentions(f"{text} {title} {text}", title) is bool(name_key(title)) or "(" in title


@pytest.mark.parametrize("piece", ["A", "A ", "A of ", "A.", "'A", '"a', "“", "of the ", "Aa'", "Mr. ", "İ"])
def test_a_megabyte_takes_linear_time(piece):
    text = piece * (10**6 // len(piece))
    started = time.perf_counter()
    assert len(names(text)) <= MAX_NAMES
    mentions(text, piece * 3)
    assert not mentions("x" + text, text)
    assert time.perf_counter() - started < 8.0


def test_a_page_takes_less_than_a_millisecond():
    page = ("Ada Lovelace met Charles Babbage in London, and they spoke of the machine. " * 30)[:2000]
    taken = []
    for _ in range(20):
        started = time.perf_counter()
        names(page)
        taken.append(time.perf_counter() - started)
    assert min(taken) < 0.001
