"""Depth follows structure, never goes below what a kind tells, and says nothing where there is a circle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.levels import DEEPEST, LEVELS, depth_of, depths, level_match, name_of

NODES = st.integers(0, 11)
FORESTS = st.lists(st.tuples(NODES, NODES), max_size=30)


def above(pairs):
    """Edges from smaller to greater numbers, so that there is no circle."""
    found = {}
    for one, other in pairs:
        if one != other:
            found.setdefault(str(max(one, other)), set()).add(str(min(one, other)))
    return found


@given(FORESTS, st.dictionaries(NODES.map(str), st.integers(0, DEEPEST), max_size=6))
def test_what_lies_below_is_deeper_and_nothing_lies_above_its_floor(pairs, floors):
    links = above(pairs)
    found = depths(links, floors)
    assert found.keys() == {*links, *floors, *(upper for uppers in links.values() for upper in uppers)}
    assert all(found[lower] > found[upper] for lower, uppers in links.items() for upper in uppers)
    assert all(found[one] >= floor for one, floor in floors.items())
    assert all(
        found[one] in (floors.get(one, 0), *(found[u] + 1 for u in links.get(one, ()))) for one in found
    )


def test_a_circle_and_what_hangs_below_it_have_no_depth():
    found = depths({"a": ["b"], "b": ["a"], "c": ["a", "root"], "d": ["root"]}, {"a": 2})
    assert found == {"root": 0, "d": 1}


def test_levels_are_known_by_their_names_and_numbers():
    assert [depth_of(name) for name in LEVELS] == [depth_of(depth) for depth in LEVELS.values()]
    assert [name_of(depth) for depth in range(DEEPEST + 1)] == [*LEVELS]
    assert depth_of(" Goal ") == 0
    for wrong in ("nonsense", -1, DEEPEST + 1, 1.5, True, ""):
        with pytest.raises(InvalidInput, match="goals, strategies, steps, findings"):
            depth_of(wrong)


@given(st.lists(st.floats(0, 9), min_size=2, max_size=9), st.integers(0, DEEPEST))
def test_the_nearer_the_level_the_better_it_matches(depth, asked):
    match = level_match(depth, asked)
    away = np.abs(np.minimum(depth, DEEPEST) - asked)
    assert ((match > 0) & (match <= 1)).all()
    assert (np.diff(match[np.argsort(away)]) <= 1e-12).all()
    assert level_match([asked], asked) == 1.0
