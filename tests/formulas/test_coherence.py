"""Coherence: bounded, and greater the more of the recent is there to be like."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.coherence import coherence


def units(seed, count):
    vectors = np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_it_is_a_cosine_and_never_falls_when_more_came_before(seed, count):
    vector, *before = units(seed, count + 1)
    found = [coherence(vector, np.stack(before[:n])) for n in range(1, count + 1)]
    assert all(-1.0001 <= one <= 1.0001 for one in found)
    assert all(after >= before_it - 1e-5 for before_it, after in pairwise(found))


def test_what_nothing_came_before_is_coherent():
    assert coherence(units(1, 1)[0], np.empty((0, 8), np.float32)) == 1.0
