"""Density: what tells something is worth forming, what tells nothing is not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.density import LEAST_DENSITY, Density, density
from recollect.language.statements import statements

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea",
        "My dog is called Max",
        "I moved to Lisbon yesterday",
        "Actually it is Friday",
        "We use Postgres and Redis",
        "The build takes ten minutes",
        "Dün Lizbon'a taşındım",
        "Kahve sevmem",
        "Acme'de çalışıyorum",
        "İki kedim var",
    ],
)
def test_what_tells_something_is_informative(text):
    assert density(text).informative


@pytest.mark.parametrize(
    "text",
    [
        "Sounds good, let me think about that",
        "That's a really interesting point you made",
        "I think that is a good idea",
        "I don't know what you mean",
        "It was great to see you",
        "haha yeah totally",
        "What do you think about it?",
        "Tamam, olur",
        "Bence de öyle",
        "Sanırım haklısın, bakalım",
        "",
        "!!!",
    ],
)
def test_filler_is_not(text):
    assert not density(text).informative


def test_the_least_density_is_two():
    assert LEAST_DENSITY == 2
    assert Density(1, 1, 0, 0).informative
    assert not Density(0, 1, 0, 0).informative


def test_everything_is_counted_once():
    assert density("Actually, I moved from Rome to Lisbon yesterday") == Density(
        entities=2, facts=2, times=1, corrections=1
    )
    once = density("I moved to Lisbon yesterday.")
    assert density("I moved to Lisbon yesterday. I moved to Lisbon yesterday.") == once
    assert density("Dün Roma'ya gittim, aslında her gün gidiyorum").times == 2


def test_what_points_elsewhere_or_asks_is_half_a_fact():
    assert density("It eats purple dragons").facts == 1
    assert density("Write a poem about purple dragons").facts == 1
    assert density("Max eats purple dragons").facts == 2


def test_what_is_known_already_is_used():
    text = "I prefer tea"
    assert density(text, said=(), named=()) == Density(0, 0, 0, 0)
    assert density(text, said=statements(text), named=()) == density(text)


@given(any_text)
def test_any_text_has_a_density_within_its_length(text):
    assert 0 <= density(text).total <= 2 * len(text) + 8


@pytest.mark.parametrize("piece", ["I like tea. ", "since ", "yesterday ", "aslında "])
def test_a_long_text_takes_time_in_proportion(piece):
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    density(text)
    assert time.perf_counter() - started < 5
