"""The metrics: golden values, bounds, and what may never make a ranking look worse."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.evals.metrics import all_at, by_group, gold_ranks, ndcg_at, recall_at, stands_above

ranks = st.lists(st.none() | st.integers(1, 40), min_size=1, max_size=8)
distinct = st.lists(st.integers(1, 40), min_size=1, max_size=8, unique=True)
depth = st.integers(1, 30)


def test_golden_values_of_one_ranking():
    found = gold_ranks([("x",), ("a",), ("y",), ("b",)], ["a", "b", "c"])
    assert found == (2, 4, None)
    assert recall_at(found, 3) == pytest.approx(1 / 3)
    assert recall_at(found, 4) == pytest.approx(2 / 3)
    assert all_at(found, 4) == 0.0
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert ndcg_at(found, 10) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)
    assert ndcg_at(found, 3) == pytest.approx((1 / math.log2(3)) / ideal)


def test_the_ideal_of_a_question_with_more_gold_than_places_is_reachable():
    assert ndcg_at((1, 2, None), 2) == 1.0


def test_a_hit_that_stands_for_all_gold_is_not_better_than_perfect():
    assert ndcg_at(gold_ranks([("a", "b")], ["a", "b"]), 10) == 1.0


def test_a_key_counts_where_it_stands_first():
    assert gold_ranks([("a",), ("a", "b")], ["a", "b"]) == (1, 2)


def test_no_gold_is_no_success():
    assert recall_at((), 10) == all_at((), 10) == ndcg_at((), 10) == 0.0


def test_a_session_ranks_by_its_best_item():
    assert by_group([("s2",), (), ("s2",), ("s1", "s3"), ("s2",)]) == [("s2",), ("s1",), ("s3",)]


@given(ranks, depth)
def test_every_metric_lies_between_0_and_1(found, k):
    assert all(0.0 <= metric(found, k) <= 1.0 for metric in (recall_at, all_at, ndcg_at))


@given(ranks, depth)
def test_recall_never_falls_with_depth_and_is_1_only_if_all_is_found(found, k):
    assert recall_at(found, k) <= recall_at(found, k + 1)
    assert (recall_at(found, k) == 1.0) == (all_at(found, k) == 1.0)


@given(distinct, st.data())
def test_a_gold_item_that_moves_up_never_lowers_ndcg(found, data):
    place = data.draw(st.integers(0, len(found) - 1))
    better = data.draw(st.integers(1, found[place]))
    if better not in found:
        moved = [*found[:place], better, *found[place + 1 :]]
        assert ndcg_at(moved, 10) >= ndcg_at(found, 10)


@given(distinct)
def test_ndcg_is_1_exactly_for_the_ideal_order(found):
    perfect = sorted(found) == list(range(1, len(found) + 1))
    assert (ndcg_at(found, 40) == pytest.approx(1.0)) == perfect


@given(ranks, ranks)
def test_only_one_of_two_stands_above(one, other):
    assert not (stands_above(one, other) and stands_above(other, one))
    assert stands_above(one, [None]) == any(rank is not None for rank in one)
