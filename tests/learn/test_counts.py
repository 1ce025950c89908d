"""The region MDP: counts, chances that back off, where actions lead."""

import pytest

from recollect.formulas.backoff import backed_off
from recollect.learn.counts import Counts, Tried, chances, quality, tried_here
from recollect.learn.marks import mark

WASH, EAT, DO = mark("wash soap"), mark("eat soap"), mark("do")


def counted(*tried, moves=()):
    counts = Counts()
    counts.count(tried, moves)
    return counts


def one(action, wins, fine="0.a", kind=DO):
    return Tried((fine, "1.a"), action, kind, 1.0, float(wins))


def test_what_worked_in_the_region_has_the_better_chance():
    counts = counted(one(WASH, 1), one(WASH, 1), one(EAT, 0), one(EAT, 0))
    wash, eat = chances([counts], ("0.a", "1.a"), [(WASH, DO), (EAT, DO)], 3.0).expected
    assert wash > 0.5 > eat


def test_the_finer_region_says_more_than_the_coarser_one():
    counts = counted(*[one(WASH, 1, "0.a")] * 4, *[one(WASH, 0, "0.b")] * 4)
    here, there = (chances([counts], (fine, "1.a"), [(WASH, DO)], 3.0).expected[0] for fine in ("0.a", "0.b"))
    assert here > 0.5 > there


def test_an_action_that_was_never_tried_is_judged_by_its_type_and_the_region():
    counts = counted(one(EAT, 0), one(EAT, 0), one(WASH, 1, kind=mark("wash")))
    unknown = [(mark("eat bread"), DO), (mark("wash bread"), mark("wash")), (mark("sing"), mark("sing"))]
    eating, washing, singing = chances([counts], ("0.a", "1.a"), unknown, 3.0).expected
    assert eating < singing < washing
    assert singing == pytest.approx(float(backed_off([(3, 1), (0, 0), (0, 0), (0, 0)])))


def test_the_very_same_situation_says_more_than_its_region():
    counts = counted(*[one(WASH, 0)] * 9, *[one(EAT, 1)] * 9)
    counts.see([(7, WASH, 4.0, 4.0), (7, EAT, 4.0, 0.0), (8, WASH, 5.0, 0.0)])
    here = tried_here([counts, Counts()], 7, [WASH, EAT])
    assert [one.tolist() for one in here] == [[4.0, 4.0], [4.0, 0.0]]
    acts, regions = [(WASH, DO), (EAT, DO)], ("0.a", "1.a")
    region = chances([counts], regions, acts, 3.0).expected
    wash, eat = chances([counts], regions, acts, 3.0, here).expected
    assert region[0] < 0.5 < region[1]
    assert wash > 0.5 > eat
    assert wash == pytest.approx((4.0 + 3.0 * region[0]) / 7.0)


def test_the_channels_that_are_looked_into_are_added_up():
    mine, shared = counted(one(WASH, 1)), counted(one(WASH, 1), one(WASH, 1))
    alone, both = (
        chances(c, ("0.a", "1.a"), [(WASH, DO)], 3.0).expected[0] for c in ([mine], [mine, shared])
    )
    assert both > alone > 0.5


def test_where_nothing_is_known_every_chance_is_even():
    assert chances([], (None, None), [(WASH, DO), (EAT, DO)], 3.0).expected.tolist() == [0.5, 0.5]
    assert chances([Counts()], ("0.x", "1.x"), [(WASH, DO)], 3.0).expected.tolist() == [0.5]


def test_a_regions_quality_is_its_share_of_what_went_well_shrunk_to_a_half():
    counts = counted(one(WASH, 1), one(EAT, 0), one(EAT, 0))
    assert quality([counts], "1.a", 3.0) == pytest.approx((1 + 1.5) / (3 + 3))
    assert quality([counts], "1.unknown", 3.0) == 0.5


def test_where_actions_led_is_counted():
    counts = counted(moves=[("0.a", WASH, "0.b"), ("0.a", WASH, "0.b"), ("0.a", WASH, "won")])
    assert dict(counts.regions["0.a"].next[WASH]) == {"0.b": 2, "won": 1}


def test_looking_adds_nothing():
    counts = counted(one(WASH, 1))
    chances([counts], ("0.new", "1.new"), [(EAT, mark("eat"))], 3.0)
    assert set(counts.regions) == {"0.a", "1.a"}
    assert set(counts.regions["1.a"].actions) == {WASH}


def test_how_often_an_action_was_tried_comes_with_its_chance():
    counts = counted(one(WASH, 1, "0.a"), one(WASH, 0, "0.b"), one(EAT, 0))
    assert chances([counts], ("0.a", "1.a"), [(WASH, DO), (EAT, DO)], 3.0).counted[0].tolist() == [2.0, 1.0]
