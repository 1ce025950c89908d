"""Own hits and published ones stand in the document's order, and the signals of a vicarious hit still add up."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from recollect.model import Memory
from recollect.recall.hits import LIBRARY, SHARED, Hit
from recollect.recall.merging import interleaved, merged

DAY = datetime(2026, 1, 1, tzinfo=UTC)


def hit(name, relevance, *, quality=None, whence="own"):
    values = {} if quality is None else {"quality": quality}
    memory = Memory(name, name, DAY, DAY)
    return Hit(memory, relevance, {"meaning": relevance}, values, 0.5, relevance, whence)


def published(name, relevance, quality=None):
    return hit(name, relevance, quality=quality, whence=LIBRARY)


def ids(hits):
    return [one.id for one in hits]


def test_the_order_is_strong_own_then_proven_then_weak_own_then_unproven():
    own = [hit("strong", 0.9), hit("weak", 0.5)]
    others = [published("unproven", 0.99), published("proven", 0.8, 0.9)]
    assert ids(merged(own, others, 10)) == ["strong", "proven", "weak", "unproven"]


def test_what_is_likely_about_something_else_is_left_out_unless_it_is_ones_own():
    assert ids(merged([hit("mine", 0.1)], [published("theirs", 0.39, 0.9)], 10)) == ["mine"]


def test_of_the_published_the_better_proven_stands_first():
    others = [published("so-so", 0.8, 0.7), published("good", 0.8, 0.95), published("bad", 0.8, 0.1)]
    assert ids(merged([], others, 10)) == ["good", "so-so", "bad"]


def test_one_place_is_kept_for_what_nobody_has_proved_but_never_a_strong_one_of_ones_own():
    weak = [hit(f"w{n}", 0.5) for n in range(5)]
    assert ids(merged(weak, [published("new", 0.9)], 3)) == ["w0", "w1", "new"]
    strong = [hit(f"s{n}", 0.9) for n in range(5)]
    assert ids(merged(strong, [published("new", 0.9)], 3)) == ["s0", "s1", "s2"]
    assert ids(merged(weak, [published("new", 0.5)], 3)) == ["w0", "w1", "w2"]


numbers = st.lists(st.floats(0, 1), max_size=8)


@given(
    numbers, st.lists(st.tuples(st.floats(0, 1), st.none() | st.floats(0, 1)), max_size=8), st.integers(1, 12)
)
def test_the_own_order_stays_and_nothing_comes_twice(mine, theirs, k):
    own = [hit(f"m{n}", value) for n, value in enumerate(sorted(mine, reverse=True))]
    others = [published(f"p{n}", relevance, quality) for n, (relevance, quality) in enumerate(theirs)]
    found = merged(own, others, k)
    assert len(found) == len(set(ids(found))) <= k
    kept = [one for one in ids(found) if one.startswith("m")]
    assert kept == ids(own)[: len(kept)]
    assert len(found) >= min(k, len(own))


@given(numbers, numbers, st.integers(1, 12))
def test_a_vicarious_hit_stands_at_nine_tenths(mine, theirs, k):
    own = [hit(f"m{n}", value) for n, value in enumerate(sorted(mine, reverse=True))]
    found = interleaved(own, [hit(f"v{n}", value, whence=SHARED) for n, value in enumerate(theirs)], k)
    kept = [one for one in ids(found) if one.startswith("m")]
    assert kept == ids(own)[: len(kept)]
    worth = [(one.relevance or 0) * (0.9 if one.whence == SHARED else 1.0) for one in found]
    assert worth == sorted(worth, reverse=True)
    for one in found:
        assert abs(sum(one.signals.values()) - one.score) < 1e-12
        assert one.score == one.relevance * (0.9 if one.whence == SHARED else 1.0)
