"""Synthesis: two texts as one, with every word of both and nothing said twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.synthesis import MAX_CHARACTERS, merged
from recollect.language.terms import terms

sentences = st.lists(
    st.sampled_from(["Ada", "Tom", "loves", "not", "Porto", "12", "in", "ışık", ".", "!", "\n", "🙂"]),
    max_size=20,
)


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        ("Ada lives in Porto", "Ada lives in Porto.", "Ada lives in Porto"),
        ("Ada lives in Porto.", "Ada lives in Porto with two cats.", "Ada lives in Porto with two cats."),
        ("Ada lives in Porto with two cats.", "Ada lives in Porto.", "Ada lives in Porto with two cats."),
        ("Ada is a pilot", "She flies on Mondays", "Ada is a pilot. She flies on Mondays"),
        ("Tom loves Ann.", "Ann loves Tom.", "Tom loves Ann. Ann loves Tom."),
        ("Ada lives in Porto.", "Ada never lives in Porto.", "Ada lives in Porto. Ada never lives in Porto."),
        ("A. B c.", "B c. D e.", "A. B c. D e."),
        (
            "Ayşe İzmir'de yaşıyor.",
            "Ayşe İzmir'de iki kedisiyle yaşıyor.",
            "Ayşe İzmir'de iki kedisiyle yaşıyor.",
        ),
        ("Ayşe pilot.", "Pazartesi uçuyor.", "Ayşe pilot. Pazartesi uçuyor."),
        ("", "Ada is a pilot.", "Ada is a pilot."),
    ],
)
def test_both_are_said_once(old, new, both):
    assert merged(old, new) == both


@given(sentences, sentences)
def test_every_word_of_both_is_kept(old, new):
    text = merged(" ".join(old), " ".join(new))
    assert text is not None
    assert set(terms(" ".join(old))) | set(terms(" ".join(new))) <= set(terms(text))


@given(sentences)
def test_a_text_merged_with_itself_grows_by_nothing(words):
    text = " ".join(words)
    once = merged(text, "")
    assert merged(text, text) == once


@given(st.text(max_size=600), st.text(max_size=600))
def test_any_texts_are_merged_or_refused(old, new):
    text = merged(old, new)
    assert text is None or len(text) <= MAX_CHARACTERS


def test_a_memory_that_would_be_too_long_is_refused():
    old, new = "a" * 600, "b" * 600
    assert merged(old, new) is None
    assert merged("a" * (MAX_CHARACTERS + 1), "") is None
    assert merged("a " * 300, "b " * 199) is not None
