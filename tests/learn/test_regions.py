"""Regions: alike situations, stable whatever comes, told by all of a state but what is seen last."""

import numpy as np
import pytest

from recollect.learn.regions import LEVELS, Leaders, region_vectors, stored, vector_of
from recollect.learn.situations import situation, state_text
from recollect.testing import HashEmbedder


def unit(count, dimension=32, seed=1):
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def grown(vectors, likeness=0.5):
    leaders = Leaders(vectors.shape[1])
    assigned = []
    for vector in vectors:
        region = leaders.nearest(vector, likeness)
        if region is None:
            region = f"0.{len(leaders.ids)}"
            leaders.add(region, vector)
        assigned.append(region)
    return leaders, assigned


def test_a_region_never_moves_when_others_come():
    vectors = unit(600)
    early, _ = grown(vectors[:300])
    late, _ = grown(vectors)
    assert late.ids[: len(early.ids)] == early.ids
    for place, name in enumerate(early.ids):
        assert late.best(early._vectors[place]) == (name, pytest.approx(1.0))


def test_what_is_like_no_leader_lies_in_no_region():
    leaders, _ = grown(np.eye(4, dtype=np.float32)[:2])
    assert leaders.nearest(np.eye(4, dtype=np.float32)[3], 0.5) is None
    assert Leaders(4).nearest(np.eye(4, dtype=np.float32)[3], 0.5) is None


def test_what_is_seen_does_not_change_the_region_and_the_last_but_one_part_only_the_finer():
    def levels(*parts):
        return situation(state_text(parts), HashEmbedder()).levels

    here = levels("tidy up", "took the book", "book desk", "a lamp")
    there = levels("tidy up", "took the book", "book desk", "a wardrobe full of coats")
    other = levels("tidy up", "took the book", "cup shelf", "a lamp")
    assert len(here) == LEVELS == 2
    assert all(np.allclose(a, b) for a, b in zip(here, there, strict=True))
    assert not np.allclose(here[0], other[0])
    assert np.allclose(here[1], other[1])


def test_a_state_of_one_part_is_its_own_region():
    (vector,) = unit(1)
    assert all(np.allclose(level, vector) for level in region_vectors([vector]))


def test_a_vector_comes_back_from_its_record_as_a_unit_vector():
    (vector,) = unit(1, dimension=384)
    back = vector_of(stored(vector, "hash-384", "step"))
    assert float(back @ vector) == pytest.approx(1.0, abs=1e-3)
    assert float(np.linalg.norm(back)) == pytest.approx(1.0, abs=1e-6)
