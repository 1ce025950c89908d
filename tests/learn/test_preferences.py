"""What was better among the hits of one recall."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.learn.preferences import preferred

HITS = ["a", "b", "c", "d"]


def test_what_helped_is_better_than_what_stood_above_it_unspoken_for():
    assert preferred(HITS, {"c": True}, ["c"]) == (["c"], ["a", "b"])


def test_what_helped_before_is_not_worse():
    assert preferred(HITS, {"a": True, "c": True}, ["c"]) == (["c"], ["b"])


def test_what_did_not_help_is_worse_wherever_it_stood():
    assert preferred(HITS, {"a": True, "d": False}, ["a"]) == (["a"], ["d"])
    assert preferred(HITS, {"a": True, "d": False}, ["d"]) == (["a"], ["d"])


def test_what_is_judged_alone_says_nothing():
    assert preferred(HITS, {"a": True}, ["a"]) == ([], [])
    assert preferred(HITS, {"b": False}, ["b"]) == ([], [])


@given(
    st.permutations(HITS),
    st.dictionaries(st.sampled_from(HITS), st.booleans()),
    st.sets(st.sampled_from(HITS)),
)
def test_nothing_is_both_and_only_hits_are_compared(hits, judged, now):
    better, worse = preferred(hits, judged, now & judged.keys())
    assert not set(better) & set(worse)
    assert set(better) | set(worse) <= set(hits)
    assert bool(better) == bool(worse)
    assert all(judged[one] for one in better)
