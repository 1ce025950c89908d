"""Sorts: a thing is of its sort, of the sort's sort, and of no other."""

import pytest

from recollect.language.lexicon import tables
from recollect.language.sorts import counted, is_a
from recollect.language.terms import terms


@pytest.mark.parametrize(
    ("value", "sort"),
    [("beagle", "dog"), ("beagle", "pets"), ("two old dogs", "pet"), ("son", "children"), ("ogl", "cocug")],
)
def test_a_thing_is_of_its_sort_and_of_the_sorts_sort(value, sort):
    assert is_a(value, sort)


@pytest.mark.parametrize(
    ("value", "sort"), [("pet", "dog"), ("dog", "dog"), ("dog food", "pet"), ("", "pet"), ("dog", "")]
)
def test_nothing_else_is(value, sort):
    assert not is_a(value, sort)


def test_only_what_somebody_has_a_certain_number_of_is_counted():
    assert counted("three kids") == counted("3 kids") != counted("two kids")
    assert counted("three ideas") is None
    assert counted("old kids") is None


def test_every_language_counts_things_that_it_has_sorts_of_or_names_alone():
    for table in tables("sorts").values():
        assert all(terms(word) for words in table["sorts"].values() for word in words)
        assert table["counted"]["words"]
