"""In a ball, depth is the distance from the centre, texts teach it, and what is of the level lies closest."""

import numpy as np
import pytest

from recollect.formulas.ball import Ball, closeness, laid_out, read_depth, reader_from
from recollect.formulas.hyperbolic import distance
from recollect.formulas.levels import DEEPEST, UNKNOWN

DIMENSIONS = 24


def unit(rng, count):
    rows = rng.normal(size=(count, DIMENSIONS))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("curvature", [0.1, 1.0, 2.0])
@pytest.mark.parametrize("spread", [0.1, 1.0])
def test_a_memory_lies_as_far_out_as_it_is_deep(rng, curvature, spread):
    vectors, depth = unit(rng, 20), rng.uniform(0, DEEPEST, 20)
    at = laid_out(vectors, depth, Ball(curvature, spread, vectors.mean(axis=0)))
    assert distance(np.zeros(DIMENSIONS), at, curvature) == pytest.approx(depth + 1, abs=1e-7)


def test_a_smaller_spread_brings_meanings_together_and_leaves_levels_apart(rng):
    vectors = unit(rng, 2)
    centre = unit(rng, 1)[0]
    wide, narrow = (laid_out(vectors, [2.0, 2.0], Ball(1.0, spread, centre)) for spread in (1.0, 0.1))
    assert distance(narrow[0], narrow[1]) < 0.3 * distance(wide[0], wide[1])


def test_texts_that_tell_their_depth_are_read_and_never_beyond_the_levels(rng):
    depth = rng.integers(0, DEEPEST + 1, 300).astype(float)
    vectors = unit(rng, 300)
    vectors[:, 0] += depth
    reader = reader_from(vectors[:200], depth[:200])
    read = read_depth(reader, vectors[200:])
    assert np.abs(read - depth[200:]).mean() < 0.3
    assert read_depth(reader, [np.eye(DIMENSIONS)[0] * 99])[0] == DEEPEST


@pytest.mark.parametrize("asked", range(DEEPEST + 1))
def test_of_the_same_meaning_what_is_of_the_level_lies_closest(rng, asked):
    question = unit(rng, 1)[0]
    vectors = np.tile(question, (DEEPEST + 2, 1))
    depth = np.array([*range(DEEPEST + 1), np.nan])
    near = closeness(vectors, depth, question, asked, Ball(centre=unit(rng, 1)[0]))
    assert near[:-1].argmax() == asked
    assert near[asked] == pytest.approx(1.0)
    assert near[-1] == UNKNOWN


def test_of_the_same_level_what_means_the_same_lies_closer(rng):
    question = unit(rng, 1)[0]
    vectors = np.vstack([question, unit(rng, 9)])
    near = closeness(vectors, np.full(10, 2.0), question, 2, Ball())
    assert near.argmax() == 0
    assert (near[1:] < 0.95).all()
