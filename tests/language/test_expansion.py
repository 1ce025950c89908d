"""Expansion: a question becomes statements in its own words, by the kind of question that it is."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.expansion import MAX_VARIANTS, variants
from recollect.language.lexicon import tables

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is HyDE?", ["HyDE is", "HyDE means"]),
        ("How do I bake bread?", ["To bake bread, first", "The steps to bake bread are"]),
        ("Why did Ada move?", ["Ada move because", "The reason is that Ada move", "Ada move, that is why"]),
        ("Where did I park?", ["I park in", "I park on", "I told you that I park"]),
        ("And where is my car?!", ["my car in", "my car on", "I told you that my car"]),
        (
            "What is the docker error?",
            [
                "The problem with the docker error was fixed by",
                "the docker error is configured with",
                "In the code, the docker error uses",
            ],
        ),
        (
            "What's my favourite colour?",
            ["my favourite colour is", "I prefer my favourite colour", "I like my favourite colour best"],
        ),
        ("Which tea do I prefer?", ["tea I prefer is", "I prefer tea I prefer", "I like tea I prefer best"]),
        ("Can you tell me about Ada?", ["Ada", "We talked about Ada"]),
    ],
)
def test_an_english_question_becomes_statements(question, expected):
    assert variants(question) == tuple(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Enflasyon nedir?", ["Enflasyon şudur:", "Enflasyon demek"]),
        ("Ekmek nasıl yapılır?", ["Ekmek yapılır için önce", "Ekmek yapılır adımları şunlardır:"]),
        ("Neden taşındım?", ["taşındım çünkü", "Bunun sebebi: taşındım", "taşındım, bu yüzden"]),
        ("Arabam nerede?", ["Arabam şurada:", "Arabam şu tarihte:", "Sana söylemiştim: Arabam"]),
        ("İSTANBUL NEREDE?", ["İSTANBUL şurada:", "İSTANBUL şu tarihte:", "Sana söylemiştim: İSTANBUL"]),
        (
            "Sunucu hatası ne?",
            [
                "Sunucu hatası sorunu şöyle çözüldü:",
                "Sunucu hatası şu şekilde ayarlandı:",
                "Kodda Sunucu hatası şunu kullanıyor:",
            ],
        ),
        (
            "En sevdiğim renk ne?",
            ["En sevdiğim renk şudur:", "En sevdiğim renk tercih ederim", "en çok En sevdiğim renk severim"],
        ),
        ("Ada evli mi?", ["Ada evli", "Ada evli hakkında konuştuk"]),
    ],
)
def test_a_turkish_question_becomes_statements(question, expected):
    assert variants(question) == tuple(expected)


@pytest.mark.parametrize("text", ["Ada moved to Lisbon.", "", "?", "What?", "ne?", "Kedim öldü.", "x" * 2000])
def test_what_asks_nothing_has_no_variants(text):
    assert variants(text) == ()


def test_every_language_has_the_seven_kinds_with_two_or_three_templates():
    wanted = {"definition", "howto", "reasoning", "lookup", "technical", "preference", "general"}
    for table in tables("expansion").values():
        assert {kind["name"] for kind in table["kind"]} == wanted
        assert all(2 <= len(kind["templates"]) <= MAX_VARIANTS for kind in table["kind"])
        assert all(template.count("{topic}") == 1 for kind in table["kind"] for template in kind["templates"])


def test_braces_in_a_question_are_only_text():
    assert variants("What is {topic} {0}?") == ("{topic} {0} is", "{topic} {0} means")


@given(any_text | any_text.map("what is {}?".format))
def test_any_text_has_few_different_variants(text):
    found = variants(text)
    assert len(found) == len(set(found)) <= MAX_VARIANTS
    assert all(len(one) <= len(text) + 60 for one in found)


@pytest.mark.parametrize("piece", ["a ", "what ", "and ", "ne ", "where is ", "ı", "do a "])
@pytest.mark.parametrize("size", [1000, 10**6])
def test_a_megabyte_takes_little_time(piece, size):
    started = time.perf_counter()
    variants(piece * (size // len(piece)))
    assert time.perf_counter() - started < 0.5
