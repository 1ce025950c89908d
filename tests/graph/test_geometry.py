"""Levels are told from structure, and the report says whether texts tell them and which space fits."""

import numpy as np
import pytest

from recollect.graph.geometry import distortion, geometry, spearman
from recollect.graph.shape import Pair, Rows

CHILDREN = 4
DEPTH = 3


def tree(per_node=CHILDREN, deep=DEPTH):
    """A tree of parts: the ids by level, and its rows."""
    levels, links = [["root"]], {}
    for level in range(deep):
        levels.append([f"{upper}.{number}" for upper in levels[level] for number in range(per_node)])
        for lower in levels[-1]:
            links[lower, lower.rpartition(".")[0]] = ()
    return levels, Rows({}, {Pair("part_of", "Memory", "Memory"): links})


def vectors(levels, rng):
    """Each near the one above it, and its level in one direction of its own."""
    topics, found = {}, {}
    for depth, level in enumerate(levels):
        for one in level:
            topic = topics.get(one.rpartition(".")[0], np.zeros(16)) + rng.normal(size=16) * 0.3
            topics[one] = topic
            told = np.append(topic / np.linalg.norm(topic), 0.5 * depth)
            found[one] = (told / np.linalg.norm(told)).astype(np.float32)
    return found


def test_a_tree_whose_texts_tell_their_level_benefits():
    levels, rows = tree()
    found = geometry("x", rows, vectors(levels, np.random.default_rng(1)))
    assert found.levels == (1, 4, 16, 64)
    assert found.nodes == 85
    assert found.told_by_text > 0.6
    assert found.curved < found.flat
    assert found.benefits


def test_texts_that_tell_nothing_of_their_level_do_not_benefit():
    levels, rows = tree()
    rng = np.random.default_rng(1)
    found = geometry(
        "x", rows, {one: rng.normal(size=16).astype(np.float32) for level in levels for one in level}
    )
    assert found.told_by_text < 0.5
    assert not found.benefits


def test_of_few_nodes_and_of_one_level_nothing_is_told():
    levels, rows = tree(per_node=2, deep=1)
    few = geometry("x", rows, vectors(levels, np.random.default_rng(1)))
    assert (few.nodes, few.told_by_text, few.benefits) == (3, None, False)
    assert geometry("x", Rows({}, {}), {}).levels == ()


def test_texts_that_are_all_alike_have_no_distances_to_tell_of():
    levels, rows = tree()
    same = {one: np.ones(16, np.float32) / 4 for level in levels for one in level}
    found = geometry("x", rows, same)
    assert (found.nodes, found.flat, found.curved, found.curvature) == (85, None, None, None)


def test_a_circle_does_not_hang():
    links = {("a", "b"): (), ("b", "a"): (), ("c", "a"): ()}
    found = geometry("x", Rows({}, {Pair("part_of", "Memory", "Memory"): links}), {})
    assert found.nodes == 0


def test_what_is_derived_lies_above_its_sources(memory):
    source = memory.remember("a turn").id
    theme = memory.remember("a theme").id
    memory.link(source, theme, "part_of")
    report = memory.geometry()
    assert [one.channel for one in report] == ["_global"]
    assert report[0].levels == (1, 1)


def test_measures_agree_with_what_they_are_by_definition():
    rng = np.random.default_rng(3)
    one = rng.normal(size=40)
    assert spearman(one, np.exp(one)) == pytest.approx(1.0)
    assert spearman(one, -one) == pytest.approx(-1.0)
    assert abs(spearman(one, rng.normal(size=40))) < 0.5
    assert spearman(one, np.ones(40)) == 0.0
    steps = np.arange(1.0, 6.0)
    assert distortion(3 * steps, steps) == pytest.approx(0.0)
    assert distortion(np.ones(5), steps) > 0.3
