"""What belongs together gets memories that tell it: themes, patterns and summaries, updated and not duplicated."""

from datetime import timedelta

import pytest
from dream_values import keep, only, sleeps, view

from recollect.dream.steps import consolidation
from recollect.dream.telling import LONGEST, told
from recollect.model import Memory
from recollect.testing import FakeClock

REDIS = {"entities": ["entity://tech/redis"]}


@pytest.fixture
def memory(memory):
    memory.configure({"dream.themes": True})
    return memory


def cats(memory, *numbers):
    return [keep(memory, f"The grey cat sleeps on sofa number {n}", kind=f"cat{n}") for n in numbers]


def taxes(memory, *numbers):
    words = "Redis cache cluster shard replica failover"
    return [keep(memory, f"{words} {n}", metadata=REDIS, kind=f"tax{n}") for n in numbers]


def of_kind(memory, kind):
    return [one for one in memory.list(limit=None) if one.kind == kind and one.superseded_by is None]


def test_themes_are_off_until_they_are_asked_for(memory):
    memory.configure({"dream.themes": None})
    cats(memory, *range(5))
    taxes(memory, *range(5))
    memory.dream()
    assert not {"theme", "pattern", "summary"} & {one.kind for one in memory.list(limit=None)}


def test_consolidation_gives_a_cluster_a_theme_that_points_at_its_memories(memory):
    grey, redis = cats(memory, *range(4)), taxes(memory, *range(5))
    done = memory.dream()
    assert done.steps["consolidation"].changed["theme"] == 2
    themes = {one.metadata["members"]: one for one in of_kind(memory, "theme")}
    assert themes[5].text.startswith("5 memories about redis, on 2026-01-01: Redis cache cluster")
    assert (themes[5].importance, themes[5].origin.write_source) == (0.8, "dream")
    assert set(themes[5].origin.sources) == set(redis)
    edges = memory.edges(themes[4].id)
    assert {edge.source for edge in edges if edge.type == "in_cluster"} == set(grey)
    assert {edge.target for edge in edges if edge.type == "derived_from"} == set(grey)
    assert not any(sleeps(memory, one) for one in grey + redis)


def test_clustering_needs_three_memories_that_are_alike(memory):
    cats(memory, 1, 2)
    taxes(memory, 1, 2)
    memory.dream()
    assert of_kind(memory, "theme") == []
    cats(memory, 3)
    taxes(memory, 3)
    memory.dream()
    assert sorted(one.metadata["members"] for one in of_kind(memory, "theme")) == [3, 3]


def test_a_new_member_joins_the_theme_and_three_tell_it_anew(memory, clock):
    cats(memory, *range(4))
    taxes(memory, *range(4))
    memory.dream()
    clock.advance(days=1)
    [new] = cats(memory, 10)
    memory.dream()
    assert len(of_kind(memory, "theme")) == 2
    assert [edge.type for edge in memory.edges(new)].count("in_cluster") == 1
    clock.advance(days=1)
    cats(memory, 11, 12)
    memory.dream()
    current = of_kind(memory, "theme")
    assert sorted(one.metadata["members"] for one in current) == [4, 7]
    again = next(one for one in current if one.metadata["members"] == 7)
    assert memory.get(again.supersedes).superseded_by == again.id


def test_a_theme_that_somebody_pinned_is_not_replaced(memory, clock):
    cats(memory, *range(4))
    taxes(memory, *range(4))
    memory.dream()
    for one in of_kind(memory, "theme"):
        memory.pin(one.id)
    clock.advance(days=1)
    cats(memory, 10, 11, 12)
    memory.dream()
    assert sorted(one.metadata["members"] for one in of_kind(memory, "theme")) == [4, 4]


def test_a_night_tells_no_more_clusters_than_its_bound(memory):
    cats(memory, *range(4))
    taxes(memory, *range(5))
    assert memory._dream_params().consolidated == 5
    only(memory, consolidation, consolidated=1)
    assert [one.metadata["members"] for one in of_kind(memory, "theme")] == [5], "the largest first"


def test_deep_abstraction_tells_what_came_up_on_three_days_once(memory, clock):
    taxes(memory, *range(4))
    for n in range(3):
        cats(memory, 2 * n, 2 * n + 1)
        clock.advance(days=1)
    memory.dream()
    assert of_kind(memory, "pattern") == [], "a cluster has its theme first"
    for _ in range(2):
        clock.advance(days=1)
        memory.dream()
    [pattern] = of_kind(memory, "pattern")
    assert pattern.text.startswith(
        "It comes up again and again: 6 times on 3 days, 2026-01-01 to 2026-01-03."
    )
    assert pattern.importance == 0.85
    assert (memory._dream_params().pattern_days, memory._dream_params().abstracted) == (3, 3)
    clock.advance(days=1)
    cats(memory, 10, 11, 12)
    for _ in range(2):
        clock.advance(days=1)
        memory.dream()
    assert len(of_kind(memory, "pattern")) == 1


def test_a_kind_with_ten_memories_has_a_summary_that_is_updated_and_not_duplicated(memory, clock):
    for n in range(9):
        keep(memory, f"Preference {n} concerns subject {n * n + 100}", kind="preference", importance=n / 10)
    memory.dream()
    assert of_kind(memory, "summary") == []
    keep(memory, "Preference 9 concerns tea", kind="preference", importance=0.95)
    memory.dream()
    [summary] = of_kind(memory, "summary")
    assert summary.text.startswith(
        "10 memories of the kind preference, on 2026-01-01: Preference 9 concerns tea."
    )
    clock.advance(days=1)
    assert memory.dream().steps["category_summaries"].changed == {}
    for n in range(3):
        keep(memory, f"Another preference {n} on item {n * 31}", kind="preference")
    memory.dream()
    [again] = of_kind(memory, "summary")
    assert (again.supersedes, again.metadata["members"]) == (summary.id, 13)


def test_channels_and_sessions_are_told_apart(memory):
    for n in range(6):
        keep(memory, f"Preference {n} concerns subject {n * n + 100}", kind="preference")
        keep(memory, f"Wish {n} concerns subject {n * n + 100}", kind="preference", channel="project")
        keep(memory, f"Whim {n} on {n * 7}", kind="preference", scope="session", session="s1")
    memory.dream()
    assert of_kind(memory, "summary") == []


def test_undo_takes_themes_away_and_a_dry_run_makes_none(memory, clock):
    cats(memory, *range(4))
    taxes(memory, *range(4))
    before = view(memory)
    tried = memory.dream(dry_run=True)
    assert view(memory) == before
    night = memory.dream()
    assert {name: step.changed for name, step in tried.steps.items()} == {
        name: step.changed for name, step in night.steps.items()
    }
    assert view(memory) != before
    clock.advance(hours=1)
    assert memory.undo_dream(night.id).conflicts == ()
    assert view(memory) == before
    assert memory.verify() == []


def test_what_is_told_is_no_longer_than_its_bound_and_speaks_the_memories_language():
    at = FakeClock().now()
    long = [Memory(str(n), "word " * 200 + str(n), at, at + timedelta(days=n)) for n in range(9)]
    assert len(told("theme", long)) <= LONGEST
    turkish = [
        Memory(str(n), f"Ada her sabah çay içmeyi seviyor, bugün {n} bardak içti", at, at) for n in range(3)
    ]
    assert told("theme", turkish).startswith("3 anı, 2026-01-01: Ada her sabah")


def test_a_theme_whose_memories_sleep_is_dissolved(memory, clock):
    ids = cats(memory, *range(4))
    taxes(memory, *range(5))
    memory.dream()
    theme = next(one for one in of_kind(memory, "theme") if one.metadata["members"] == 4)
    memory.forget_many(ids[:2])
    clock.advance(days=1)
    done = memory.dream()
    assert sleeps(memory, theme.id)
    assert done.steps["clustering"].changed["dissolved"] == 1
    memory.undo_dream(done.id)
    assert not sleeps(memory, theme.id)
