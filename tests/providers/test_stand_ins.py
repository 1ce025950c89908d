"""The stand-ins that recollect.testing ships for users' tests."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.testing import FakeClock, HashEmbedder

ANY_TEXT = st.text(st.characters())


def similarity(left, right):
    first, second = HashEmbedder().embed([left, right])
    return float(first @ second)


@given(st.lists(ANY_TEXT, max_size=5), st.integers(1, 400))
def test_every_text_has_a_finite_unit_vector(texts, dimension):
    vectors = HashEmbedder(dimension).embed(texts)
    assert vectors.shape == (len(texts), dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_a_vector_does_not_depend_on_the_other_texts(text, others):
    np.testing.assert_array_equal(HashEmbedder().embed([*others, text])[-1], HashEmbedder().embed([text])[0])


def test_lone_surrogates_have_vectors_too():
    assert similarity("\ud800", "\ud800") == pytest.approx(1)


def test_vectors_are_the_same_in_every_process():
    script = (
        "from recollect.testing import HashEmbedder;"
        "print(HashEmbedder().embed(['deploys go through staging']).tobytes().hex())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_texts_that_share_words_are_closer_than_texts_that_do_not():
    question = "how do we deploy to production?"
    assert similarity(question, "we deploy to production through staging") > 0.5
    assert similarity(question, "Deploying the productions") > similarity(question, "my cat likes tuna")
    assert abs(similarity(question, "my cat likes tuna")) < 0.2


def test_the_order_of_words_counts_a_little():
    assert 0.6 < similarity("dog bites man", "man bites dog") < 0.95


def test_case_and_punctuation_do_not_count():
    assert similarity("Hello, World!", "hello world") == pytest.approx(1)


def test_the_name_says_the_dimension():
    assert HashEmbedder(64).name == "hash-64"
    assert HashEmbedder(64).dimension == 64
    with pytest.raises(InvalidInput, match="dimension"):
        HashEmbedder(0)


def test_progress_ends_at_the_total():
    heard = []
    HashEmbedder().embed(["a", "b"], lambda done, total: heard.append((done, total)))
    assert heard == [(2, 2)]


def test_a_clock_stands_still_until_it_is_moved():
    clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    assert clock.now() == clock.now()
    clock.advance(days=1, minutes=-30)
    assert clock.now() == datetime(2026, 3, 2, 11, 30, tzinfo=UTC)


def test_a_clock_speaks_utc_whatever_zone_it_is_set_in():
    clock = FakeClock()
    clock.set(datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=3))))
    assert clock.now().isoformat() == "2026-03-01T09:00:00+00:00"


def test_a_moment_without_a_zone_is_refused():
    with pytest.raises(InvalidInput, match="time zone"):
        FakeClock().set(datetime(2026, 3, 1))  # noqa: DTZ001 - that is what is refused
