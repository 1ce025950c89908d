"""Coreference: whoever a noun introduced can be meant as much as whoever has a name."""

import pytest

from recollect.language.coreference import Person, people_in
from recollect.language.statements import statements


@pytest.mark.parametrize(
    "text",
    [
        "Anna has a new neighbour. She works at Saab.",
        "Anna adopted a dog. She is 3 years old.",
        "Anna had a baby. It's a girl. She is called Elsa.",
        "Anna visited her mother. She lives in Rome.",
        "Anna's sister came. She lives in Rome.",
        "Tom works with another colleague. He lives in Rome.",
        "I met a girl. She lives in Rome.",
        "My brother Tom got a dog. His name is Rex.",
        "Anna moved. Her name is Elsa.",
        "Tom got a dog. I like him.",
    ],
)
def test_a_pronoun_stays_where_a_noun_introduced_somebody_else_or_another_name_is_told(text):
    assert statements(text)[-1].text == text.split(". ")[-1].rstrip(".")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Anna is a nurse. She lives in Rome.", "Anna lives in Rome"),
        ("Anna, a nurse, moved. She lives in Rome.", "Anna lives in Rome"),
        ("Anna became a mother. She lives in Rome.", "Anna lives in Rome"),
        ("Anna has a lovely house. She lives in Rome.", "Anna lives in Rome"),
        ("Anna met a boy. She lives in Rome.", "Anna lives in Rome"),
        ("Anna has a dog. Her dog is big.", "Anna's dog is big"),
        ("My sister married. Her name is Ada.", "My sister's name is Ada"),
        ("Anna moved. A colleague met her yesterday.", "A colleague met Anna yesterday"),
    ],
)
def test_what_says_who_somebody_is_introduces_nobody(text, last):
    assert statements(text)[-1].text == last


def test_somebody_of_the_message_before_without_a_name_can_be_meant_too():
    assert people_in("Anna has a new neighbour", "en") == (
        Person("neighbour", "either", unnamed=True),
        Person("Anna", "f"),
    )
    [left] = statements("She works at Saab.", people_in("Anna has a new neighbour", "en"))
    assert (left.text, left.dangling) == ("She works at Saab", True)
