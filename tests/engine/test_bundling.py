"""A bundle brings every part at once; a portrait says who the user is."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(params=["reference", "sqlite"])
def memory(request, tmp_path, clock):
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as engine:
        yield engine


def texts(found):
    return [one.text for one in found]


def test_a_bundle_has_every_part(memory):
    memory.observe([{"role": "user", "content": "We deploy to staging on Mondays"}], session="s1")
    memory.remember(
        "Staging is in Frankfurt", kind="fact", metadata={"entities": ["entity://place/frankfurt"]}
    )
    memory.remember("To deploy, push a tag and wait for staging", kind="procedure")
    memory.remember("Never deploy to staging on a Friday", kind="warning")
    goal = memory.add_goal("Deploy version two to staging").id
    memory.describe("Short answers", "style")
    found = memory.bundle("how do we deploy to staging?")
    assert texts(found.episodic) == ["We deploy to staging on Mondays"]
    assert "Staging is in Frankfurt" in texts(found.facts)
    assert set(texts(found.strategies)) == {
        "To deploy, push a tag and wait for staging",
        "Never deploy to staging on a Friday",
    }
    assert not {*texts(found.strategies), "Deploy version two to staging"} & set(texts(found.facts))
    assert {one.id for one in found.entities} == {"entity://place/frankfurt"}
    assert [one.id for one in found.goals] == [goal]
    assert texts(found.portrait.style) == ["Short answers"]


def test_a_bundle_is_ranked_by_the_documents_weights(memory):
    memory.observe([{"role": "user", "content": "We deploy to staging"}], session="s1")
    memory.remember("We deploy to staging", kind="fact")
    found = memory.bundle("We deploy to staging")
    said, known = found.episodic[0], found.facts[0]
    assert said.signals["episodic"] == pytest.approx(0.3, abs=0.01)
    assert known.signals["facts"] == pytest.approx(0.25, abs=0.01)


def test_only_what_a_bundle_brings_counts_as_used(memory):
    kept = [memory.remember(f"deploy number {one}", kind="fact").id for one in range(6)]
    found = memory.bundle("deploy", 2)
    brought = {hit.id for hit in found.facts}
    assert len(brought) == 2
    assert {one for one in kept if memory.counters(one).access_count} == brought
    memory.bundle("deploy", 2, learn=False)
    assert all(memory.counters(one).access_count == 1 for one in brought)


def test_goals_that_ended_and_those_of_other_channels_are_left_out(memory):
    memory.end_goal(memory.add_goal("Deploy one").id, "completed")
    memory.add_goal("Deploy two", channel="bank")
    memory.add_goal("Deploy three", channel="shop")
    everywhere = memory.add_goal("Deploy four").id
    found = memory.bundle("deploy", channel="shop")
    assert texts(found.goals) == ["Deploy three", "Deploy four"]
    assert [one.id for one in memory.bundle("deploy").goals] == [everywhere]


def test_entities_are_ranked_by_what_is_about_them(memory):
    for text, entities in (("deploy to staging", ["a", "b"]), ("deploy the server", ["b"]), ("tea", ["c"])):
        memory.remember(text, kind="fact", metadata={"entities": entities})
    found = memory.bundle("deploy to the staging server").entities
    assert found[0].id == "b"
    assert len(found[0].memories) == 2
    assert found[0].weight >= found[1].weight


def test_switched_off_a_bundle_is_empty(memory):
    memory.remember("deploy to staging", kind="fact")
    memory.add_goal("deploy")
    memory.describe("Short answers", "style")
    memory.configure({"memory.recalling": False})
    found = memory.bundle("deploy")
    assert (found.episodic, found.facts, found.strategies, found.entities, found.goals) == (
        (),
        (),
        (),
        (),
        (),
    )
    assert found.portrait.text == ""


def test_what_is_said_under_a_name_replaces_what_was_said_before(memory, clock):
    memory.describe("Long answers", "style", name="Answer length")
    clock.advance(days=1)
    memory.describe("Short answers", "style", name="answer  length")
    memory.describe("No emojis", "style")
    memory.describe("Rust", "expertise")
    memory.describe("Tea rather than coffee")
    found = memory.portrait()
    assert set(texts(found.style)) == {"Short answers", "No emojis"}
    assert texts(found.expertise) == ["Rust"]
    assert found.text.startswith("Prefers: Tea rather than coffee\nKnows well: Rust\nStyle: ")
    (current,) = [one for one in found.style if one.text == "Short answers"]
    assert next(iter(memory.history(current.id))).text == "Long answers"


def test_saying_the_same_again_changes_nothing(memory):
    first = memory.describe("Short answers", "style", name="length").id
    again = memory.describe("Short answers", "style", name="length")
    assert (again.id, again.action) == (first, "reinforce")
    assert texts(memory.portrait().style) == ["Short answers"]


def test_a_portrait_is_of_one_user_and_of_the_channel_that_is_asked(memory):
    memory.describe("Tea", channel="shop")
    memory.describe("Water")
    assert set(texts(memory.portrait(channel="shop").preferences)) == {"Tea", "Water"}
    assert texts(memory.portrait().preferences) == ["Water"]
    assert memory.beside("bob").portrait().text == ""


def test_what_cannot_be_is_told(memory):
    with pytest.raises(InvalidInput, match="preference, expertise, style"):
        memory.describe("Tall", "height")
    with pytest.raises(InvalidInput, match="name"):
        memory.describe("Short answers", "style", name=" ")
