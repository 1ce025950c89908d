"""The rules that put memories to sleep, each at its threshold, each sparing what is protected."""

from datetime import timedelta

import pytest
from dream_values import keep, only, rule, sleeps, teach

from recollect import Filter
from recollect.dream.steps import archive, foresight_expiry, redundancy, strategic_forgetting
from recollect.dream.steps.strategic_forgetting import RULES
from recollect.model import KEYED, Edge
from recollect.ports import Changes

SAME = "The nightly backup of the billing database runs at three"


def contradict(memory, one, other):
    edge = Edge(*sorted((one, other)), "contradicts")
    memory.store.write("ada", Changes("link", memory._clock.now(), edges=(edge,)))


def test_the_five_rules_stand_in_their_order():
    names = [one.__name__ for one in RULES]
    assert names == [
        "contradiction_cleanup",
        "passed_foresight",
        "utility_floor",
        "repetition",
        "capacity_trim",
    ]


def test_contradiction_cleanup_puts_the_older_side_to_sleep(memory, clock):
    older = keep(memory, "The office is in Porto")
    clock.advance(days=1)
    newer = keep(memory, "Our rooms are by the river in Lisbon")
    contradict(memory, older, newer)
    only(memory, strategic_forgetting)
    assert (sleeps(memory, older), sleeps(memory, newer)) == (True, False)
    assert memory.why_asleep(older).value["instead"] == newer


@pytest.mark.parametrize("why", ["review", "pinned", "immutable"])
def test_a_contradiction_that_is_not_clear_is_left_for_somebody_to_decide(memory, clock, why):
    anchor = {why: True} if why != "review" else {"tags": ["review"]}
    older = keep(memory, "The office is in Porto", **anchor)
    clock.advance(days=1)
    newer = keep(memory, "Our rooms are by the river in Lisbon")
    contradict(memory, older, newer)
    done = only(memory, strategic_forgetting)
    assert not sleeps(memory, older)
    assert [(doubt.rule, doubt.ids) for doubt in done.doubts] == [("contradiction", (older, newer))]


@pytest.mark.parametrize("step", [foresight_expiry, strategic_forgetting])
def test_foresight_expiry_puts_to_sleep_what_is_past_its_time(memory, clock, step):
    over = keep(memory, "Ada is away this week", valid_until=clock.now() + timedelta(days=7))
    holds = keep(memory, "The lease runs on", valid_until=clock.now() + timedelta(days=7, seconds=1))
    clock.advance(days=7)
    only(memory, step)
    assert (sleeps(memory, over), sleeps(memory, holds)) == (True, False)
    assert rule(memory, over) == "foresight expiry"


def test_what_something_else_replaced_stays_as_its_history(memory, clock):
    old = keep(memory, "The office is in Porto")
    clock.advance(days=1)
    keep(memory, "The office is in Lisbon", supersedes=old)
    clock.advance(days=200)
    memory.dream()
    assert not sleeps(memory, old)


def test_the_utility_floor_needs_less_than_fifteen_hundredths_and_thirty_idle_days(memory, clock):
    useless, useful = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    clock.advance(hours=1)
    later = keep(memory, "Rain on Monday")
    for one, utility in ((useless, 0.149), (useful, 0.15), (later, 0.1)):
        teach(memory, one, utility=utility)
    clock.advance(days=30, hours=-1)
    only(memory, strategic_forgetting)
    assert [sleeps(memory, one) for one in (useless, useful, later)] == [True, False, False]
    assert rule(memory, useless) == "utility floor"


@pytest.mark.parametrize(
    ("kind", "days"),
    [
        ("decision", 45),
        ("fact", 14),
        ("note", 7),
        ("preference", None),
        ("correction", None),
        ("entity", None),
    ],
)
def test_every_kind_is_kept_for_its_least_retention(memory, clock, kind, days):
    one = keep(memory, "Ada likes tea", kind=kind)
    teach(memory, one, utility=0.0)
    clock.advance(days=(days or 5000) - 0.01)
    only(memory, strategic_forgetting, floor_days=0.0)
    assert not sleeps(memory, one)
    clock.advance(days=0.02)
    only(memory, strategic_forgetting, floor_days=0.0)
    assert sleeps(memory, one) is (days is not None)


def test_what_is_used_more_than_is_usual_is_not_forgotten(memory, clock):
    used, unused = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    teach(memory, used, accesses=2, utility=0.0)
    teach(memory, unused, utility=0.0)
    clock.advance(days=40)
    only(memory, strategic_forgetting)
    assert (sleeps(memory, used), sleeps(memory, unused)) == (False, True)


def test_redundancy_lets_the_more_useful_of_two_that_say_the_same_stay(memory):
    less = keep(memory, SAME)
    more = keep(memory, SAME + " always")
    teach(memory, more, utility=0.9)
    only(memory, strategic_forgetting, redundant=0.5)
    assert (sleeps(memory, less), sleeps(memory, more)) == (True, False)
    assert (rule(memory, less), memory.why_asleep(less).value["instead"]) == ("redundancy", more)


def test_the_one_that_says_more_stays_however_useful_the_other_is(memory):
    says_less = keep(memory, SAME)
    says_more = keep(memory, SAME + " and Ada watches it")
    teach(memory, says_less, utility=0.9)
    only(memory, strategic_forgetting, redundant=0.5)
    assert (sleeps(memory, says_less), sleeps(memory, says_more)) == (True, False)


def test_redundancy_begins_above_nine_tenths(memory):
    one, other = keep(memory, SAME), keep(memory, SAME + " and then it stops for a while")
    first, second = memory._embedder.embed([memory.get(one).text, memory.get(other).text])
    assert 0.5 < float(first @ second) < 0.9
    only(memory, strategic_forgetting)
    assert not sleeps(memory, one)
    assert memory._dream_params().redundant == 0.9


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port of the old server is 8080", "The port of the old server is 8081"),
        ("Ada works with Tom on the project", "Ada works with Eve on the project"),
        ("The tests of the old server are slow", "The tests of the old server are not slow"),
    ],
)
def test_what_differs_in_a_value_is_no_repetition(memory, one, other):
    ids = [keep(memory, one), keep(memory, other)]
    only(memory, strategic_forgetting, redundant=0.1)
    assert not any(sleeps(memory, each) for each in ids)


def test_repetitions_in_two_channels_or_sessions_stay_apart(memory):
    ids = [
        keep(memory, SAME),
        keep(memory, SAME, channel="project"),
        keep(memory, SAME, scope="session", session="s1"),
    ]
    only(memory, strategic_forgetting)
    assert not any(sleeps(memory, each) for each in ids)


def test_a_repetition_leaves_its_sources_to_the_one_that_stays(memory):
    turns = [turn.id for turn in memory.observe(["It runs at three", "At three, yes"], session="s1")]
    kept = keep(memory, SAME, sources=turns[:1])
    teach(memory, kept, utility=0.9)
    keep(memory, SAME + " ", sources=turns[1:])
    twin = keep(memory, SAME + ".", sources=turns[1:])
    only(memory, strategic_forgetting)
    assert sleeps(memory, twin)
    assert {edge.target for edge in memory.edges(kept) if edge.type == "derived_from"} == set(turns)


def test_what_was_there_before_the_first_dream_is_compared_night_by_night(memory, clock):
    ids = [keep(memory, SAME + mark) for mark in ("", ".", "!", " ...")]
    fillers = [keep(memory, f"Filler {n} on something else {n * n}") for n in range(4)]
    for _ in range(4):
        clock.advance(days=1)
        only(memory, strategic_forgetting, redundancy, compared=2)
    assert sum(not sleeps(memory, one) for one in ids) == 1
    assert not any(sleeps(memory, one) for one in fillers)


def test_the_capacity_trim_lets_the_least_useful_go_until_a_tenth_is_free(memory, clock):
    ids = [keep(memory, f"Note {n} on subject {n * n + 1000}") for n in range(11)]
    for place, one in enumerate(ids):
        teach(memory, one, utility=0.3 + place / 100)
    clock.advance(days=8)
    only(memory, strategic_forgetting, capacity=11)
    assert not any(sleeps(memory, one) for one in ids)
    only(memory, strategic_forgetting, capacity=10)
    assert [sleeps(memory, one) for one in ids] == [True, True] + [False] * 9
    assert rule(memory, ids[0]) == "capacity trim"


def test_archive_takes_what_was_unused_for_ninety_days(memory, clock):
    one = keep(memory, "Ada likes tea")
    known = keep(memory, "The port is 8080")
    teach(memory, known, tier="semantic")
    clock.advance(days=89.9)
    only(memory, archive)
    assert not sleeps(memory, one)
    clock.advance(days=0.2)
    only(memory, archive, archive_days=0.0)
    assert not sleeps(memory, one), "0 is never"
    only(memory, archive)
    assert (sleeps(memory, one), sleeps(memory, known), rule(memory, one)) == (True, False, "archive")


def test_the_log_stays_as_it_was_said(memory, clock):
    turns = [turn.id for turn in memory.observe(["It runs at three", "It runs at three"], session="s1")]
    for one in turns:
        teach(memory, one, utility=0.0)
    clock.advance(days=1000)
    memory.dream()
    assert not any(sleeps(memory, one) for one in turns)


def test_what_sleeps_is_not_recalled_and_can_be_restored(memory, clock):
    one = keep(memory, "Ada likes tea")
    clock.advance(days=100)
    memory.dream()
    assert [hit.id for hit in memory.recall("what does Ada like?")] == []
    memory.restore(one)
    assert [hit.id for hit in memory.recall("what does Ada like?")] == [one]
    assert memory.list(Filter(states=("dormant",))) == []


@pytest.mark.parametrize("kind", KEYED)
def test_what_an_application_keeps_under_a_key_is_left_alone(memory, clock, kind):
    kept = [
        keep(memory, text, kind=kind, tags=[f"key:{key}"], once=False)
        for key, text in (
            ("theme", "dark mode"),
            ("editor theme", "dark mode"),
            ("home", "Ada lives in Lisbon"),
            ("home-now", "Ada lives in Porto"),
        )
    ]
    teach(memory, kept[0], utility=0.0)
    noted = keep(memory, "dark mode")
    before = [memory.get(one) for one in kept]
    for _ in range(3):
        clock.advance(days=100)
        memory.dream()
    assert [memory.get(one) for one in kept] == before
    assert not [edge for one in kept for edge in memory.edges(one)]
    assert rule(memory, noted) == "archive"


def test_an_application_gives_its_own_an_end(memory, clock):
    ends = clock.now() + timedelta(days=1)
    kept = keep(memory, "dark mode", kind="item", valid_until=ends)
    pinned = keep(memory, "light mode", kind="item", valid_until=ends, pinned=True)
    clock.advance(days=2)
    memory.dream()
    assert (sleeps(memory, kept), sleeps(memory, pinned)) == (True, False)


def test_what_an_application_keeps_fills_no_capacity(memory, clock):
    for number in range(30):
        keep(memory, f"Setting {number}", kind="item")
    noted = [keep(memory, f"The port of service {number} is {8000 + number}") for number in range(5)]
    clock.advance(days=20)
    only(memory, strategic_forgetting, capacity=5)
    assert not any(sleeps(memory, one) for one in noted)
