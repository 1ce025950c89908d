"""What the shape of the graph tells."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput, NotFound
from recollect.graph.analytics import ordered


def test_a_hub_is_what_most_is_related_to(memory):
    middle = memory.remember("the middle").id
    for number in range(6):
        memory.link(memory.remember(f"leaf {number}").id, middle, "related_to")
    found = memory.hubs(3)
    assert (found[0].node.id, found[0].degree, found[0].node.label) == (middle, 6, "Memory")
    assert found[0].share > 2 * found[1].share
    assert len(found) == 3


def test_shares_add_up_to_one(memory):
    ids = [memory.remember(f"note {number}", tags=["t"]).id for number in range(5)]
    memory.link(ids[0], ids[1], "causes")
    assert math.isclose(sum(one.share for one in memory.hubs(100)), 1.0)


def test_two_groups_that_one_link_joins_are_two_communities(memory):
    groups = [[memory.remember(f"{name} {number}").id for number in range(4)] for name in ("a", "b")]
    for group in groups:
        for place, one in enumerate(group):
            for other in group[place + 1 :]:
                memory.link(one, other, "related_to")
    memory.link(groups[0][0], groups[1][0], "related_to", weight=0.1)
    found = memory.communities()
    assert {frozenset(member.id for member in one.members) for one in found} == {
        frozenset(group) for group in groups
    }
    assert all(one.inside > 0.9 for one in found)
    assert memory.communities() == found


def test_why_two_are_related_is_the_best_way_between_them(memory):
    outage = memory.remember("The outage of May").id
    certificate = memory.remember("The certificate had expired").id
    vendor = memory.remember("The vendor forgot to renew it", tags=["vendor"]).id
    contract = memory.remember("The contract ends in June", tags=["vendor"]).id
    memory.link(certificate, outage, "causes")
    memory.link(vendor, certificate, "causes")
    memory.link(outage, contract, "related_to", weight=0.01)
    found = memory.why_related(outage, contract)
    assert [node.id for node in found.nodes] == [outage, certificate, vendor, "tag:vendor", contract]
    assert [link.type for link in found.links] == ["causes", "causes", "has_tag", "has_tag"]
    assert found.weight == pytest.approx(0.7**4 / math.log2(3) ** 2, rel=1e-6)
    assert memory.why_related(outage, "tag:vendor").nodes[-1].label == "Tag"


def test_what_is_stated_explains_more_than_what_is_shared(memory):
    one, other = (memory.remember(text, tags=["ops"]).id for text in ("It broke", "It was old"))
    assert [link.type for link in memory.why_related(one, other).links] == ["has_tag", "has_tag"]
    memory.link(other, one, "causes")
    assert [link.type for link in memory.why_related(one, other).links] == ["causes"]


def test_what_few_share_explains_more_than_what_many_share(memory):
    one, other = (memory.remember(text, tags=["all", "rare"]).id for text in ("It broke", "It was old"))
    for number in range(5):
        memory.remember(f"note {number}", tags=["all"])
    assert memory.why_related(one, other).nodes[1].id == "tag:rare"


def test_what_nothing_relates_is_told_so(memory):
    one, other = memory.remember("one").id, memory.remember("other").id
    with pytest.raises(NotFound, match="nothing relates"):
        memory.why_related(one, other)
    with pytest.raises(NotFound):
        memory.why_related(one, "nonsense")


def test_another_users_graph_is_not_walked(memory):
    one = memory.remember("one").id
    with memory.beside("bob") as bob:
        bob.link(bob.remember("x").id, bob.remember("y").id, "causes")
        assert memory.hubs() == []
        with pytest.raises(NotFound):
            bob.why_related(one, one)


def test_an_episode_is_ordered_by_what_led_to_what(memory):
    with memory.episode("fix the auth bug") as run:
        for number in range(3):
            run.decide(f"state {number}")
            run.step(action=f"do {number}", action_type="act", observation="ok")
        run.finish(success=True)
    found = memory.episode_order(run.id)
    assert [one.metadata["action"] for one in found if one.kind == "step"] == ["do 0", "do 1", "do 2"]
    trigger = memory.remember("A customer could not log in").id
    memory.link(trigger, run.id, "part_of", reason="trigger")
    memory.link(trigger, found[0].id, "causes")
    assert memory.episode_order(run.id)[0].id == trigger


def test_members_in_a_circle_are_ordered_by_time(memory, clock):
    with memory.episode("go round") as run:
        run.finish(success=True)
    ids = []
    for text in ("one", "two"):
        clock.advance(minutes=1)
        ids.append(memory.remember(text).id)
        memory.link(ids[-1], run.id, "part_of")
    memory.link(ids[0], ids[1], "causes")
    memory.link(ids[1], ids[0], "causes")
    assert [one.id for one in memory.episode_order(run.id)] == ids


def test_what_has_no_members_and_odd_limits_are_refused(memory):
    with pytest.raises(NotFound):
        memory.episode_order(memory.remember("no episode").id)
    for verb in (memory.hubs, memory.communities):
        with pytest.raises(InvalidInput):
            verb(0)


@given(st.permutations(range(7)), st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_an_order_keeps_every_before(given_order, pairs):
    before = [(str(one), str(other)) for one, other in pairs if one < other]
    found = ordered(map(str, given_order), before)
    assert sorted(found) == sorted(map(str, given_order))
    assert all(found.index(one) < found.index(other) for one, other in before)
