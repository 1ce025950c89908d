"""MMR puts the most relevant first and then leaves out what repeats it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.diversity import mmr


@st.composite
def pools(draw):
    size = draw(st.integers(min_value=1, max_value=8))
    unit = st.floats(min_value=0, max_value=1)
    relevance = np.array(draw(st.lists(unit, min_size=size, max_size=size)))
    cells = np.array(draw(st.lists(unit, min_size=size * size, max_size=size * size))).reshape(size, size)
    similarity = (cells + cells.T) / 2
    np.fill_diagonal(similarity, 1.0)
    return relevance, similarity


def slow_mmr(relevance, similarity, count, lam):
    """Say the equation word for word."""
    shown: list[int] = []
    while len(shown) < min(count, len(relevance)):
        rest = [item for item in range(len(relevance)) if item not in shown]
        if shown:
            worth = {
                item: lam * relevance[item] - (1 - lam) * max(similarity[item, other] for other in shown)
                for item in rest
            }
        else:
            worth = {item: relevance[item] for item in rest}
        shown.append(max(rest, key=lambda item: (worth[item], -item)))
    return shown


def test_a_twin_of_the_best_gives_way_to_something_new():
    similarity = np.array([[1.0, 0.95, 0.0], [0.95, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert mmr([0.9, 0.8, 0.6], similarity, 3).tolist() == [0, 2, 1]


def test_the_unrelated_item_is_not_first():
    assert mmr([0.1, 0.9], [[1.0, 0.0], [0.0, 1.0]], 2).tolist() == [1, 0]


@given(pools(), st.integers(min_value=0, max_value=10), st.floats(min_value=0, max_value=1))
def test_it_agrees_with_the_equation_said_slowly(pool, count, lam):
    relevance, similarity = pool
    assert mmr(relevance, similarity, count, lam).tolist() == slow_mmr(relevance, similarity, count, lam)


@given(pools(), st.floats(min_value=0, max_value=1))
def test_the_first_pick_is_the_most_relevant_whatever_lambda(pool, lam):
    relevance, similarity = pool
    assert mmr(relevance, similarity, 1, lam)[0] == int(np.argmax(relevance))


@given(pools())
def test_with_lambda_one_it_is_plain_relevance(pool):
    relevance, similarity = pool
    expected = sorted(range(len(relevance)), key=lambda item: (-relevance[item], item))
    assert mmr(relevance, similarity, len(relevance), 1.0).tolist() == expected


@given(pools(), st.integers(min_value=-3, max_value=20))
def test_nothing_is_shown_twice_and_no_more_than_asked(pool, count):
    relevance, similarity = pool
    order = mmr(relevance, similarity, count).tolist()
    assert len(set(order)) == len(order) == max(0, min(count, len(relevance)))


def test_no_candidates_give_no_order():
    assert mmr([], np.zeros((0, 0)), 5).tolist() == []


def test_a_matrix_of_another_size_is_refused():
    with pytest.raises(InvalidInput, match="2 x 2"):
        mmr([0.1, 0.2], np.eye(3), 1)


@pytest.mark.parametrize("lam", [-0.1, 1.1, float("nan")])
def test_a_lambda_outside_its_range_is_refused(lam):
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        mmr([0.1], [[1.0]], 1, lam)
