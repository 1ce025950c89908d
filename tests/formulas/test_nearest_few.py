"""The nearest are found among few and many alike."""

import numpy as np
import pytest

from recollect.formulas import nearest as module
from recollect.formulas.nearest import nearest, signs


def unit(count, dimension=64, seed=1):
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_few_are_compared_exactly():
    vectors, query = unit(500), unit(1, seed=2)[0]
    places, cosines = nearest(query, vectors, signs(vectors), 10)
    assert places.tolist() == np.argsort(-(vectors @ query))[:10].tolist()
    assert cosines.tolist() == pytest.approx(sorted(vectors @ query, reverse=True)[:10])


def test_only_allowed_ones_are_found():
    vectors, query = unit(500), unit(1, seed=2)[0]
    allowed = np.zeros(500, bool)
    allowed[[3, 77, 400]] = True
    assert set(nearest(query, vectors, signs(vectors), 10, allowed)[0].tolist()) == {3, 77, 400}


def test_of_many_the_nearest_are_found_by_their_signs(monkeypatch):
    vectors = unit(module.EXACT_UP_TO + 2_000)
    noise = unit(40, seed=3)
    found = exact = 0
    for place in range(40):
        query = vectors[place * 7] + 0.6 * noise[place]
        query /= np.linalg.norm(query)
        best, _ = nearest(query, vectors, signs(vectors), 5)
        found += len(set(best.tolist()) & set(np.argsort(-(vectors @ query))[:5].tolist()))
        exact += int(best[0] == place * 7)
    assert exact == 40
    assert found >= 180, "nine of ten of the nearest five of unrelated vectors, the hardest case"


def test_signs_of_a_dimension_that_fills_no_word_are_padded():
    assert signs(unit(3, dimension=70)).shape == (3, 2)
