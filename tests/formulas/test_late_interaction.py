"""Words are kept at 4 bits a dimension, and the best match of each counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.formulas.late_interaction import (
    DIMENSIONS,
    LEVELS,
    REACH,
    NearbyParams,
    best_matches,
    coverage,
    nearby,
    pack,
    unpack,
)
from recollect.ports import WORD_BYTES

HALF_A_STEP = REACH / LEVELS / 2
numbers = st.floats(-1, 1, width=32)
counts = st.lists(st.integers(0, 4), max_size=8)
seeds = st.integers(0, 2**32 - 1)


def unit_rows(rows, seed, dimension=DIMENSIONS):
    made = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), np.float32(1e-9))


@given(arrays(np.float32, (3, DIMENSIONS), elements=numbers))
def test_every_number_comes_back_within_half_a_step_of_what_fits(vectors):
    codes = pack(vectors)
    assert codes.shape == (3, WORD_BYTES)
    assert codes.dtype == np.uint8
    kept = unpack(codes)
    assert kept.dtype == np.float32
    assert abs(kept - np.clip(vectors, -REACH, REACH)).max() <= HALF_A_STEP + 1e-6


@given(seeds)
def test_what_was_kept_packs_to_the_same_codes(seed):
    codes = pack(unit_rows(5, seed))
    np.testing.assert_array_equal(pack(unpack(codes)), codes)


def test_the_similarity_of_two_words_is_off_by_a_few_hundredths():
    first, second = unit_rows(5_000, 1), unit_rows(5_000, 2)
    kept = (unpack(pack(first)) * unpack(pack(second))).sum(axis=1)
    off = kept - (first * second).sum(axis=1)
    assert off.std() < 0.03
    assert abs(off).max() < 0.15


def test_no_words_pack_to_no_codes():
    assert pack(np.empty((0, DIMENSIONS), np.float32)).shape == (0, WORD_BYTES)
    assert unpack(np.empty((0, WORD_BYTES), np.uint8)).shape[0] == 0


@given(counts, st.integers(0, 4), seeds)
def test_the_best_match_is_that_of_a_plain_loop(word_counts, asked, seed):
    query, codes = unit_rows(asked, seed), pack(unit_rows(sum(word_counts), seed + 1))
    ends = np.cumsum(np.array(word_counts, np.int64), dtype=np.int64)
    found = best_matches(query, codes, ends)
    assert found.shape == (len(word_counts), asked)
    words, start = unpack(codes), 0
    for text, end in enumerate(ends.tolist()):
        for place, word in enumerate(query):
            wanted = max((float(other @ word) for other in words[start:end]), default=0.0)
            assert found[text, place] == pytest.approx(wanted, abs=1e-5)
        start = end


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_text_without_words_matches_nothing(place):
    word = unit_rows(1, 3)
    ends = np.array([2, 2, 2], np.int64)
    ends[:place] = 0
    found = best_matches(word, pack(np.concatenate([word, word])), ends)
    assert [row for row in range(3) if found[row, 0] > 0.9] == [place]
    assert np.count_nonzero(found) == 1


def test_a_best_match_may_be_unlike():
    word = unit_rows(1, 3)
    assert best_matches(word, pack(-word), np.array([1]))[0, 0] < -0.9


@given(st.integers(1, 12), st.integers(1, 3), st.integers(0, 3), seeds)
def test_matches_nearby_are_those_of_a_plain_loop(texts, asked, reach, seed):
    random = np.random.default_rng(seed)
    matches = random.uniform(-0.5, 1.1, (texts, asked)).astype(np.float32)
    around = random.integers(-1, texts, (texts, 2 * reach + 1))
    params = NearbyParams(decay=0.6, floor=0.2)
    found = nearby(matches, around, params)
    for text in range(texts):
        for word in range(asked):
            wanted = 0.0
            for place, neighbour in enumerate(around[text].tolist()):
                if neighbour != -1:
                    over = max(float(matches[neighbour, word]) - params.floor, 0.0)
                    wanted = max(wanted, params.decay ** abs(place - reach) * over)
            assert found[text, word] == pytest.approx(wanted, abs=1e-6)


def test_a_match_counts_less_the_further_away_it_stands():
    matches = np.array([[1.0], [0.0], [0.0], [0.0]], np.float32)
    around = np.array([[-1, -1, -1, 0, 1, 2, 3], [-1, -1, 0, 1, 2, 3, -1], [-1, 0, 1, 2, 3, -1, -1]])
    found = nearby(matches, around)[:, 0]
    assert found == pytest.approx([0.7, 0.7**2, 0.7**3])
    # Whoever does not see the text has nothing of it.
    assert nearby(matches, np.array([[-1, 3, -1]]))[0, 0] == 0


def test_what_all_words_have_in_common_is_no_match_nearby():
    params = NearbyParams()
    matches = np.full((2, 1), params.floor, np.float32)
    assert nearby(matches, np.array([[-1, 0, 1], [0, 1, -1]]))[:, 0].tolist() == [0, 0]


@given(
    arrays(np.float32, (4, 3), elements=st.floats(-2, 2, width=32)),
    st.lists(numbers.map(abs), min_size=3, max_size=3),
)
def test_coverage_lies_between_nothing_and_all(matches, weights):
    covered = coverage(matches, np.array(weights, np.float64))
    assert covered.shape == (4,)
    assert (covered >= 0).all()
    assert (covered <= 1 + 1e-9).all()


def test_a_text_covers_itself_wholly_and_not_more():
    """A packed vector may be a little longer than 1: that must not count."""
    codes = pack(unit_rows(60, seed=1))
    matches = best_matches(unpack(codes), codes, np.arange(1, 61))
    own = np.diagonal(matches)
    assert own.max() > 1
    covered = [coverage(matches[[row]][:, [row]], np.ones(1))[0] for row in range(60)]
    assert max(covered) == 1
    assert min(covered) > 0.85


def test_rare_words_count_more():
    matches = np.array([[1, 0], [0, 1]], np.float32)
    rare, common = coverage(matches, np.array([5.0, 1.0]))
    assert rare == pytest.approx(5 / 6)
    assert common == pytest.approx(1 / 6)


def test_nothing_asked_is_covered_by_nothing():
    assert coverage(np.empty((2, 0), np.float32), np.empty(0)).tolist() == [0, 0]
    assert coverage(np.ones((2, 1), np.float32), np.zeros(1)).tolist() == [0, 0]
