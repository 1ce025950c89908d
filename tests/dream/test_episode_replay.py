"""Episodes are replayed once: what their goals bring to mind is related to them, and that can be undone."""

from dream_values import keep, only, view

from recollect.dream.steps import episode_replay


def tried(memory, goal):
    with memory.episode(goal) as run:
        run.finish(True)
    return run.episode.id


def related(memory, episode):
    return [edge.source if edge.target == episode else edge.target for edge in memory.edges(episode)]


def test_an_episode_is_related_to_what_it_was_about(memory):
    about = keep(memory, "The billing service restarts by hand")
    keep(memory, "Priya likes green tea")
    episode = tried(memory, "restart the billing service by hand")
    before = view(memory)
    done = only(memory, episode_replay)
    assert related(memory, episode) == [about]
    [edge] = memory.edges(episode)
    assert edge.type == "related_to"
    assert 0.5 <= edge.weight <= 1
    assert memory.undo_dream(done.id).conflicts == ()
    assert view(memory) == before
    assert related(memory, episode) == []


def test_what_is_not_like_the_goal_is_not(memory):
    keep(memory, "The billing service restarts by hand")
    episode = tried(memory, "restart the billing service by hand")
    only(memory, episode_replay, replayed=1.01)
    assert related(memory, episode) == []


def test_an_episode_is_replayed_once(memory, clock):
    keep(memory, "The billing service restarts by hand")
    tried(memory, "restart the billing service by hand")
    memory.dream()
    clock.advance(days=1)
    assert not memory.dream().steps["episode_replay"].changed
    newer = tried(memory, "restart the billing service by hand again")
    clock.advance(days=1)
    memory.dream()
    assert related(memory, newer)


def test_an_edge_that_is_there_is_not_made_again(memory):
    about = keep(memory, "The billing service restarts by hand")
    episode = tried(memory, "restart the billing service by hand")
    memory.link(episode, about, "elaborates")
    only(memory, episode_replay)
    assert [edge.type for edge in memory.edges(episode)] == ["elaborates"]


def test_each_is_related_to_three_at_most_and_to_none_that_sleeps(memory):
    kept = [keep(memory, f"The billing service restarts by hand on machine {number}") for number in range(5)]
    memory.forget(kept[0])
    episode = tried(memory, "restart the billing service by hand on the machine")
    only(memory, episode_replay, replayed=0.1)
    assert len(related(memory, episode)) == 3
    assert kept[0] not in related(memory, episode)
