"""The walker's shares are a distribution, and agree with the linear system that defines them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.pagerank import personalised_pagerank

SIZE = 7
ends = st.integers(0, SIZE - 1)
graphs = st.lists(st.tuples(ends, ends, st.floats(0.1, 5.0)), min_size=1, max_size=20)
starts = st.lists(st.floats(0.0, 1.0), min_size=SIZE, max_size=SIZE).filter(lambda one: sum(one) > 0.01)


@given(graphs, starts, st.floats(0.1, 0.9))
def test_shares_solve_the_equation(graph, start, damping):
    one, other, weight = zip(*graph, strict=True)
    shares = personalised_pagerank(one, other, weight, start, damping=damping)
    walk = np.zeros((SIZE, SIZE))
    for source, target, heavy in graph:
        walk[source, target] += heavy
        walk[target, source] += heavy
    restart = np.array(start) / sum(start)
    out = walk.sum(axis=1)
    rows = np.where(out[:, None] > 0, walk / np.where(out > 0, out, 1.0)[:, None], restart[None, :])
    exact = np.linalg.solve(np.eye(SIZE) - damping * rows.T, (1 - damping) * restart)
    assert shares.sum() == pytest.approx(1.0, abs=1e-4)
    assert np.abs(shares - exact).max() < 1e-4


def test_nothing_to_start_from_is_nowhere():
    assert personalised_pagerank([0], [1], [1.0], [0.0, 0.0]).tolist() == [0.0, 0.0]


def test_what_lies_nearer_has_more():
    shares = personalised_pagerank([0, 1, 2], [1, 2, 3], [1.0] * 3, [1.0, 0, 0, 0])
    assert shares.tolist() == sorted(shares.tolist(), reverse=True)
