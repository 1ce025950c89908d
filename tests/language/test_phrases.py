"""Phrases: a flat text is the text letter for letter, and spaces in patterns are any spaces."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.phrases import either, flat, pattern

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)


@given(any_text)
def test_a_flat_text_has_a_letter_for_each_letter(text):
    assert len(flat(text)) == len(text)


@given(any_text)
def test_what_is_flat_stays_as_it_is(text):
    assert flat(flat(text)) == flat(text)


def test_turkish_letters_are_flat_in_either_case():
    assert flat("ÇĞİIÖŞÜ çğiıöşü") == "cgiiosu cgiiosu"


def test_letters_that_fold_into_several_keep_their_place():
    assert flat("Straße ﬁn") == "strase fn"


def test_the_longest_word_wins():
    assert pattern(either(["day", "day after"])).fullmatch("day after") is not None


def test_no_expression_matches_nothing():
    assert pattern([]).search("anything") is None


def test_a_space_stands_for_any_spaces():
    assert pattern("last week").search("last \n week") is not None
