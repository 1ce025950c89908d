"""Looking into episodes: a fragment brings the whole, similar situations tell how they went on."""

from datetime import timedelta

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture(params=["reference", "sqlite"])
def memory(request, tmp_path):
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=FakeClock()) as memory:
        yield memory


def played(memory, goal, *actions, success=True):
    run = memory.episode(goal, task_type="tidy")
    steps = [run.step(action, state=f"the hall after {place}") for place, action in enumerate(actions)]
    run.finish(success)
    return run.id, steps


def test_similar_situations_come_with_what_happened_before_and_after(memory):
    played(memory, "clean the soap", "find soap", "wash soap", "dry soap", "store soap")
    (found,) = memory.causal_search(
        ["clean the soap", "find soap", "the hall after 1"], k=1, before=1, after=2
    )
    assert found.precedent.action == "wash soap"
    assert [step.action for step in found.before] == ["find soap"]
    assert [step.action for step in found.after] == ["dry soap", "store soap"]


def test_episodes_are_found_by_what_they_were_about(memory):
    soap, _ = played(memory, "clean the soap in the bathroom", "wash soap")
    lamp, _ = played(memory, "repair the lamp in the hall", "change bulb", success=False)
    found = memory.search_episodes("repair a lamp", k=2)
    assert [one.id for one in found] == [lamp, soap]
    assert found[0].ending == "lost"


def test_a_fragment_brings_its_whole_episode(memory):
    episode, steps = played(memory, "clean the soap", "wash soap", "dry soap")
    asked = memory.remember("Could you clean the soap?").id
    memory.link(asked, episode, "part_of", reason="trigger")
    assert memory.members(episode) == {asked: "trigger", steps[0].id: "action", steps[1].id: "action"}
    assert set(memory.k_hop_neighbors(steps[0].id)) == {episode, asked, steps[1].id}
    assert set(memory.k_hop_neighbors(asked)) == {episode, steps[0].id, steps[1].id}


def test_two_hops_reach_the_episodes_that_share_a_member(memory):
    first, (wash,) = played(memory, "clean the soap", "wash soap")
    second, (dry,) = played(memory, "dry the soap", "dry soap")
    third, (eat,) = played(memory, "eat the apple", "eat apple")
    rule = memory.remember("Soap is slippery").id
    memory.link(rule, first, "part_of", reason="context")
    memory.link(rule, second, "part_of", reason="context")
    assert set(memory.k_hop_neighbors(wash.id, hops=1)) == {first, rule}
    assert set(memory.k_hop_neighbors(wash.id, hops=2)) == {first, rule, second, dry.id}
    assert not {third, eat.id} & set(memory.k_hop_neighbors(wash.id, hops=9))


def test_what_belongs_to_no_episode_has_no_neighbours(memory):
    assert memory.k_hop_neighbors(memory.remember("Soap is slippery").id) == []
    with pytest.raises(InvalidInput, match="not an episode"):
        memory.members(memory.remember("Soap is slippery").id)


def test_a_regions_quality_and_where_an_action_leads_can_be_asked(memory):
    played(memory, "clean the soap", "wash soap", success=True)
    played(memory, "clean the soap", "wash soap", success=True)
    played(memory, "clean the soap", "wash soap", success=False)
    state = ["clean the soap", "nothing", "the hall after 0"]
    assert memory.region_quality(state) == pytest.approx((2 + 1.5) / (3 + 3))
    assert memory.transitions(state, "wash soap") == {"won": 2 / 3, "lost": 1 / 3}
    assert memory.transitions(state, "sing") == {}
    assert memory.region_quality(["feed the cat", "nothing", "a garden"]) is None


def test_episodes_of_a_time_are_those_that_began_in_it(memory):
    morning, _ = played(memory, "clean the soap", "wash soap")
    eight = memory.episode_of(morning).started_at
    memory._clock.advance(hours=4)
    noon, _ = played(memory, "repair the lamp", "change bulb", success=False)
    memory._clock.advance(hours=4)
    played(memory, "water the plant", "fill can")
    until = eight + timedelta(hours=8)
    assert [one.id for one in memory.episodes(since=eight, until=until)] == [noon, morning]
    assert [one.id for one in memory.episodes(since=eight, until=until, ending="lost")] == [noon]
    assert [one.id for one in memory.episodes(until=(eight + timedelta(hours=1)).isoformat())] == [morning]
    assert memory.episodes(until=eight) == [], "the end of a time is not in it"
    with pytest.raises(InvalidInput):
        memory.episodes(since="this morning, or so")


def rewarded(memory, *rewards):
    for reward in rewards:
        run = memory.episode("clean the soap", task_type="tidy")
        run.step("wash soap", state=HERE, reward=reward)
        run.finish(True)
    return run


HERE = ["clean the soap", "nothing", "the sink"]


def test_the_mean_reward_is_that_of_the_steps_that_told_one(memory):
    assert memory.mean_reward(HERE, "wash soap") is None
    last = rewarded(memory, 0.25, None, 1.0)
    assert memory.mean_reward(HERE, "wash soap") == pytest.approx(0.625)
    assert memory.mean_reward(HERE, "dry soap") is None
    assert memory.mean_reward(["sing a song", "nothing", "the stage"], "wash soap") is None
    memory.undo(last.id)
    assert memory.mean_reward(HERE, "wash soap") == 0.25


def test_the_mean_reward_is_that_of_the_finest_region_that_knows_one(memory):
    """Two situations of one goal that lie apart by what was done: in one region at the coarser level alone."""
    early, late = (
        ["clean the soap", "soap", done, "the sink"] for done in ("nothing", "dry; fold; carry; store")
    )
    for state, reward in ((early, 1.0), (late, 0.0)):
        run = memory.episode("clean the soap", task_type="tidy")
        run.step("wash soap", state=state, reward=reward)
        run.step("look", state=state)
        run.finish(True)
    assert memory.assign_region(early) != memory.assign_region(late)
    assert memory.assign_region(early, level=1) == memory.assign_region(late, level=1)
    assert (memory.mean_reward(early, "wash soap"), memory.mean_reward(late, "wash soap")) == (1.0, 0.0)
    between = ["clean the soap", "soap", "sweep; mop; rinse", "the sink"]
    assert memory.assign_region(between) is None
    assert memory.mean_reward(between, "wash soap") == 0.5


def test_steps_lie_in_regions_that_stay_when_others_come(memory):
    _, (wash,) = played(memory, "clean the soap", "wash soap")
    state = memory.trajectory(memory.episodes()[0].id)[0].state
    for level in (0, 1):
        region = memory.assign_region(state, level=level)
        assert memory.region_assignments(level=level) == {region: [wash.id]}
    _, (change,) = played(memory, "repair the lamp in the hall", "change bulb")
    assert memory.assign_region(state) == next(
        name for name, steps in memory.region_assignments().items() if wash.id in steps
    )
    lying = memory.region_assignments(level=1).values()
    assert sorted(one for steps in lying for one in steps) == sorted([wash.id, change.id])
    assert memory.assign_region(["sing a song", "nothing", "the stage"]) is None
    with pytest.raises(InvalidInput, match="levels 0 to 1"):
        memory.region_assignments(level=2)
