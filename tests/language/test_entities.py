"""Entities: one id for every spelling, no names where there are none, eight at most."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.entities import MAX_ENTITIES, entities, slug

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


def ids(text):
    return [entity.id.removeprefix("entity://") for entity in entities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We run k8s", ["tech/kubernetes"]),
        ("kubernetes and Postgres", ["tech/kubernetes", "tech/postgresql"]),
        ("PostgreSQL 16.2.1 runs there", ["tech/postgresql", "version/16-2-1"]),
        ("I know C++, C# and .NET", ["tech/cpp", "tech/csharp", "tech/dotnet"]),
        ("built with React Native, not React", ["tech/react-native", "tech/react"]),
        ("We use Go and Rust.", ["tech/go", "tech/rust"]),
        ("I live in New York City", ["place/new-york"]),
        ("i live in istanbul and use mongo", ["place/istanbul", "tech/mongodb"]),
        ("I work at Acme", ["org/acme"]),
        ("She joined Globex Corp", ["org/globex-corp"]),
        ("They moved to Zanzibar", ["place/zanzibar"]),
        ("My sister Zelda called", ["person/zelda"]),
        ("Dr. Smith called", ["person/smith"]),
        ("We met Alan Turing today", ["person/alan-turing"]),
        ("Meeting Bob at noon", ["person/bob"]),
        ("The Kestrel project slipped", ["name/kestrel"]),
        ("See https://example.org/a.html.", ["url/https-example-org-a-html"]),
        ("Mail ada@example.org now", ["email/ada-example-org"]),
        ("Look at src/app/main.py and Makefile.toml", ["file/src-app-main-py", "file/makefile-toml"]),
        ("Upgrade to v2.3", ["version/v2-3"]),
        ("İstanbul'da yaşıyorum", ["place/istanbul"]),
        ("İSTANBUL'DA YAŞIYORUM", ["place/istanbul"]),
        ("Lizbon’a taşındım", ["place/lisbon"]),
        ("Ankaraya taşındım", ["place/ankara"]),
        ("Berlinde yaşıyorum", ["place/berlin"]),
        ("İzmirliyim ve çok mutluyum", ["place/izmir"]),
        ("Acme'de çalışıyorum", ["org/acme"]),
        ("Fintekno'ya taşındım", ["place/fintekno"]),
        ("arkadaşım Kemal de geldi", ["person/kemal"]),
        ("Boğaziçi Üniversitesi'nde okuyorum", ["org/bogazici-universitesi"]),
        ("Türkiye'den Almanya'ya gittim", ["place/turkey", "place/germany"]),
        ("ODTÜ'de Python öğrendim", ["org/odtu", "tech/python"]),
    ],
)
def test_what_is_named_has_its_kind_and_id(text, expected):
    assert ids(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Go home. React quickly! Nice day.",
        "i will go and react to the spring",
        "THE SKY IS RED",
        "Yesterday was fine. Thanks!",
        "On Monday in March I rest",
        "I swim on Mondays and sleep on Sundays",
        "we ate turkey and apple pie",
        "Bugün hava çok güzel",
        "Ordu gibi kalabalık",
        "",
    ],
)
def test_ordinary_words_are_not_names(text):
    assert ids(text) == []


def test_spellings_of_one_name_are_one_entity():
    assert ids("Postgres, PostgreSQL and psql") == ["tech/postgresql"]
    assert ids("Mrs. Jones came. The Jones family left.") == ["person/jones"]


def test_an_entity_says_where_it_stands_without_its_ending():
    text = "Dün Ankaraya, bugün İstanbul'a"
    assert [text[e.start : e.end] for e in entities(text)] == ["Ankara", "İstanbul"]


def test_an_ending_is_taken_off_in_its_own_language_only():
    assert ids("the Berlinde shop is where we are") == ["name/berlinde"]


def test_at_most_eight_and_the_known_before_the_unknown():
    text = "See Foox Barx, Quuxo and " + "Redis, Docker, Kafka, Django, Flask, Celery, Nginx, Linux"
    assert len(entities(text)) == MAX_ENTITIES
    assert all(entity.kind == "tech" for entity in entities(text))
    assert len(entities(text, limit=2)) == 2


@given(any_text)
def test_any_text_gives_disjoint_entities_within_it(text):
    found = entities(text)
    assert len(found) <= MAX_ENTITIES
    assert len({slug(entity.name) for entity in found}) == len(found)
    assert all(0 <= a.start < a.end <= len(text) for a in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize(
    "piece", ["Ada Foo ", "a/b.", "x@y.", "İ'", "v1.1.1 ", "A.", "aaaa/aaaa", "New York "]
)
def test_a_long_text_takes_time_in_proportion(piece):
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    entities(text)
    assert time.perf_counter() - started < 5
