"""The vectors of a text's words, as the real model sees them in their context."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.late_interaction import DIMENSIONS, best_matches, unpack
from recollect.language.terms import STOP_WORDS, hash_of, terms
from recollect.ports import WORD_BYTES, WordEmbedder
from recollect.providers import adapters
from recollect.providers.words import unit, words_of
from recollect.testing import HashEmbedder

TEXTS = [
    "The deploy goes through staging first.",
    "ok",
    "Caroline went to a support group yesterday, and it was so powerful that she told everyone about it.",
    "Kahveyi sade severim, şekersiz; İstanbul'da içerim.",
    "def add(a, b):\n    return a + b\n" * 12,
    "日本語のテキスト",
]


def told(text):
    """The distinct terms that a question could ask by, as they come."""
    return list(dict.fromkeys(hash_of(term) for term in terms(text) if term not in STOP_WORDS))


def test_a_row_of_zeros_stays_one():
    np.testing.assert_array_equal(unit(np.zeros((2, 3), np.float32)), np.zeros((2, 3)))


@pytest.mark.parametrize("adapter", [adapters.NONE, *adapters.SHA256])
def test_the_projection_narrows_the_models_states(adapter):
    mean, matrix = adapters.projection(adapter)
    assert mean.shape == (384,)
    assert matrix.shape == (384, DIMENSIONS)
    # Its axes are at right angles, so that it keeps the angles between what it keeps.
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(DIMENSIONS), atol=0.02)


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 99))
def test_each_term_has_one_vector_the_mean_of_its_tokens_in_the_order_of_their_coming(owners, seed):
    states = np.random.default_rng(seed).standard_normal((len(owners), 384)).astype(np.float32)
    mean, matrix = projection = adapters.projection(adapters.NEWEST)
    found = words_of(states, np.array(owners, np.uint32), projection)
    assert found.terms.tolist() == list(dict.fromkeys(owner for owner in owners if owner))
    assert found.codes.shape == (len(found.terms), WORD_BYTES)
    for term, kept in zip(found.terms.tolist(), unpack(found.codes), strict=True):
        own = unit((states[np.array(owners) == term] - mean) @ matrix).sum(axis=0)
        # Fifteen steps of the largest number: of 60,000 such words 57 lay under .98, and none under .969.
        assert kept @ own / np.linalg.norm(kept) / np.linalg.norm(own) > 0.96


@pytest.mark.model
class TestRealModel:
    @pytest.fixture
    def encoded(self, model):
        return model.encode(TEXTS)

    def test_it_gives_words(self, model):
        assert isinstance(model, WordEmbedder)

    def test_the_vectors_are_those_of_embed(self, model, encoded):
        np.testing.assert_array_equal(encoded[0], model.embed(TEXTS))

    def test_a_text_alone_and_in_a_batch_has_nearly_the_same_words(self, model, encoded):
        for text, together in zip(TEXTS, encoded[1], strict=True):
            (alone,) = model.encode([text])[1]
            np.testing.assert_array_equal(alone.terms, together.terms)
            low = alone.codes & 15, together.codes & 15
            high = alone.codes >> 4, together.codes >> 4
            steps = np.abs(np.concatenate([a.astype(int) - b.astype(int) for a, b in (low, high)]))
            assert steps.max(initial=0) <= 1, "a number near a border may fall to either side"
            assert np.count_nonzero(steps) <= 0.005 * steps.size

    def test_words_come_in_the_order_of_the_texts(self, model, encoded):
        for forwards, backwards in zip(encoded[1], model.encode(TEXTS[::-1])[1][::-1], strict=True):
            np.testing.assert_array_equal(forwards.terms, backwards.terms)

    def test_every_word_that_is_searched_for_has_a_vector_once(self, encoded):
        for row in (0, 1, 2):
            assert encoded[1][row].terms.tolist() == told(TEXTS[row])
        assert all(len(set(words.terms.tolist())) == len(words.terms) for words in encoded[1])
        assert all(words.codes.shape == (len(words.terms), WORD_BYTES) for words in encoded[1])
        assert all(words.codes.dtype == np.uint8 and words.terms.dtype == np.uint32 for words in encoded[1])

    def test_a_word_of_several_tokens_has_one_vector(self, model):
        (words,) = model.encode(["Kubernetes unaffordability"])[1]
        assert words.terms.tolist() == told("Kubernetes unaffordability")

    def test_accents_and_cases_find_their_words(self, model):
        (words,) = model.encode(["Çiğdem Kahvesi"])[1]
        assert words.terms.tolist() == told("Çiğdem kahvesi")

    @pytest.mark.parametrize("text", ["", " \n\t", "the of and", "?!… —", "🧠🧠", "\0", "\ud800"])
    def test_stop_words_signs_and_nothing_have_no_vector(self, model, text):
        vectors, (words,) = model.encode([text])
        assert vectors.shape == (1, 384)
        assert words.terms.shape == (0,)
        assert words.codes.shape == (0, WORD_BYTES)

    def test_texts_without_words_may_stand_between_others(self, model):
        _, words = model.encode(["", "staging", "🧠", "deploy"])
        assert [len(one.terms) for one in words] == [0, 1, 0, 1]

    def test_no_texts_give_no_words(self, model):
        vectors, words = model.encode([])
        assert vectors.shape == (0, 384)
        assert words == []

    def test_a_repeated_word_has_one_vector(self, model):
        (words,) = model.encode(["Deploy it and then deploy; it deploys"])[1]
        assert words.terms.tolist() == [hash_of("deploy")]

    def test_a_text_of_a_megabyte_has_the_words_of_its_beginning(self, model):
        huge = "Deploys go through staging. " * 40_000
        vectors, (words,) = model.encode([huge])
        assert words.terms.tolist() == told("Deploys go through staging")
        np.testing.assert_array_equal(vectors, model.embed([huge]))

    def test_a_word_is_most_like_itself_and_its_kin(self, model):
        texts = ["We bought a car last spring", "The automobile broke down", "My cat likes tuna"]
        words = model.encode(texts)[1]
        codes = np.concatenate([one.codes for one in words])
        ends = np.cumsum([len(one.terms) for one in words])
        asked = words[0].codes[words[0].terms == hash_of("car")]
        own, kin, other = best_matches(unpack(asked), codes, ends)[:, 0]
        assert own == pytest.approx(1, abs=0.1)
        assert own > kin > other

    def test_progress_ends_at_the_total(self, model):
        heard = []
        model.encode(TEXTS, lambda done, total: heard.append((done, total)))
        assert heard[-1] == (len(TEXTS), len(TEXTS))


@given(st.lists(st.text(st.characters()), max_size=5))
def test_the_stand_in_gives_words_by_the_same_rules(texts):
    vectors, words = HashEmbedder().encode(texts)
    np.testing.assert_array_equal(vectors, HashEmbedder().embed(texts))
    for text, own in zip(texts, words, strict=True):
        assert own.terms.tolist() == told(text)
        assert own.codes.shape == (len(own.terms), WORD_BYTES)
        lengths = np.linalg.norm(unpack(own.codes), axis=1)
        assert ((lengths > 0.3) & (lengths < 1.2)).all()
