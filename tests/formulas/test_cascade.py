"""A score spreads along links and never grows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.cascade import Link, cascade

NODES = [f"n{number}" for number in range(8)]
links = st.lists(
    st.builds(Link, st.sampled_from(NODES), st.sampled_from(NODES), st.floats(0.01, 1.0)), max_size=30
)


def walk(found):
    return lambda nodes: [link for link in found if link.source in nodes]


@given(links, st.floats(0.1, 1.0))
def test_nothing_that_is_reached_has_more_than_a_step_leaves_of_the_best_seed(found, score):
    reached = cascade({"n0": score}, walk(found))
    assert "n0" not in reached  # nothing comes back to where it began
    assert all(0 < one <= score * 0.7 + 1e-12 for one in reached.values())


@given(links)
def test_a_deeper_cascade_reaches_the_same_and_more(found):
    near, far = (cascade({"n0": 1.0}, walk(found), depth=depth) for depth in (1, 2))
    assert near.items() <= far.items()


def test_of_two_ways_of_the_same_length_the_better_counts():
    found = [Link("a", "c", 0.5), Link("b", "c", 1.0)]
    assert cascade({"a": 1.0, "b": 0.8}, walk(found)) == {"c": pytest.approx(0.56)}


def test_seeds_support_each_other():
    found = [Link("a", "b", 0.5), Link("b", "a", 0.5)]
    assert cascade({"a": 1.0, "b": 0.4}, walk(found)) == {
        "a": pytest.approx(0.14),
        "b": pytest.approx(0.35),
    }


def test_every_level_is_asked_once():
    asked = []

    def steps(nodes):
        asked.append(nodes)
        return walk([Link("a", "b", 1.0), Link("a", "c", 1.0), Link("b", "d", 1.0)])(nodes)

    cascade({"a": 1.0}, steps)
    assert asked == [{"a"}, {"b", "c"}]
