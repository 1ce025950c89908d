"""Who and what is known, on both stores."""

import pytest

from recollect.errors import InvalidInput, NotFound


@pytest.fixture
def told(forming):
    talk = ["I live in Porto.", "I work at Google."]
    forming.observe([{"role": "user", "name": "Ada", "content": text} for text in talk], session="s1")
    return forming


def test_an_entity_comes_with_its_facts_and_their_turns(told):
    ada = told.entity("Ada")
    assert sorted(one.text for one in ada.memories) == ["Ada lives in Porto", "Ada works at Google"]
    turns = [told.get(source).text for one in ada.memories for source in one.origin.sources]
    assert sorted(turns) == ["I live in Porto.", "I work at Google."]
    assert {one.type for one in ada.relations} == {"located_in", "works_for"}


def test_what_is_superseded_forgotten_or_purged_is_not_told(told):
    told.observe([{"role": "user", "name": "Ada", "content": "I moved to Rome."}], session="s1")
    assert {one.target for one in told.entity("Ada").relations} == {
        "entity://place/rome",
        "entity://org/google",
    }
    with pytest.raises(NotFound, match="no memory here names Porto"):
        told.entity("Porto")
    [work] = [one for one in told.entity("Ada").memories if "Google" in one.text]
    told.forget(work.id)
    assert {one.target for one in told.entity("Ada").relations} == {"entity://place/rome"}
    told.purge(*(one.id for one in told.entity("Ada").memories))
    assert told.entities() == []


def test_the_most_salient_come_first(told):
    told.observe([{"role": "user", "name": "Bob", "content": "I live in Porto."}], session="s2")
    assert [one.id for one in told.entities(limit=1)] in (["entity://person/ada"], ["entity://place/porto"])
    assert len(told.entities()) == 4


def test_channels_and_users_know_their_own(told):
    told.observe([{"role": "user", "name": "Clara", "content": "I live in Oslo."}], channel="project")
    with pytest.raises(NotFound):
        told.entity("Clara")
    assert told.entity("Clara", channel="project").memories[0].channel == "project"
    assert told.entity("Ada", channel="project").id == "entity://person/ada"
    assert told.beside("bob").entities() == []


@pytest.mark.parametrize(
    "options", [{"name": " "}, {"name": "Ada", "depth": 11}, {"name": "Ada", "depth": -1}]
)
def test_wrong_questions_are_told(told, options):
    with pytest.raises(InvalidInput):
        told.entity(**options)
