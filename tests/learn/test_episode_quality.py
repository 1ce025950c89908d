"""How good an episode was is read from what somebody said of it and from what came after it."""

import pytest

GOAL, SAME, OTHER = "restart the billing service", "restart the billing service again", "water the plants"


def tried(memory, goal, success=True, **options):
    with memory.episode(goal, **options) as run:
        run.step("do it", state="a room")
        run.finish(success)
    return run.episode.id


def score(memory, episode):
    return memory.quality(episode).score


def test_an_open_episode_has_no_quality_yet(memory):
    assert memory.quality(memory.episode(GOAL).episode.id) is None


@pytest.mark.parametrize(("success", "expected"), [(True, 0.8), (False, 0.0)])
def test_completed_is_good_and_failed_is_nothing(memory, success, expected):
    assert score(memory, tried(memory, GOAL, success)) == expected


def test_what_is_approved_is_as_good_as_can_be(memory):
    episode = tried(memory, GOAL)
    memory.feedback(episode, helpful=True)
    assert score(memory, episode) == 1.0
    failed = tried(memory, OTHER, success=False)
    memory.feedback(failed, helpful=True)
    assert score(memory, failed) == 0.0


def test_what_is_tried_again_right_after_it_was_not_what_was_wanted(memory, clock):
    episode = tried(memory, GOAL)
    clock.advance(minutes=5)
    tried(memory, SAME)
    assert score(memory, episode) == 0.4


def test_something_else_right_after_it_says_nothing(memory, clock):
    episode = tried(memory, GOAL)
    clock.advance(minutes=5)
    tried(memory, OTHER)
    assert score(memory, episode) == 0.8


def test_another_session_is_not_a_retry(memory, clock):
    episode = tried(memory, GOAL, session="one")
    clock.advance(minutes=5)
    tried(memory, SAME, success=False, session="two")
    assert score(memory, episode) == 0.8


@pytest.mark.parametrize(("success", "expected"), [(True, 0.9), (False, 0.8)])
def test_a_related_success_later_speaks_for_it(memory, clock, success, expected):
    episode = tried(memory, GOAL)
    clock.advance(days=1)
    later = tried(memory, SAME, success)
    assert score(memory, episode) == expected
    if success:
        memory.undo(later)
        assert score(memory, episode) == 0.8, "it is read, not stored"


def test_another_channel_says_nothing(memory, clock):
    episode = tried(memory, GOAL, channel="one")
    clock.advance(days=1)
    tried(memory, SAME, channel="two")
    assert score(memory, episode) == 0.8
