"""Looking into episodes: a fragment brings the whole, similar situations tell how they went on."""

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
