"""`entity`: what is known about somebody or something, through the command line."""

import pytest

TALK = '{"role": "user", "name": "Ada", "content": "I live in Porto."}'


@pytest.fixture(autouse=True)
def told(cli, monkeypatch):
    monkeypatch.setenv("RECOLLECT_FORMATION_ENABLED", "on")
    cli("observe", given=TALK)


def test_an_entity_is_shown_with_its_relations_and_memories(cli):
    value = cli("entity", "ada", "--json").json
    assert (value["id"], value["kind"], value["name"]) == ("entity://person/ada", "person", "Ada")
    assert [one["text"] for one in value["memories"]] == ["Ada lives in Porto"]
    assert [(one["type"], one["target"]) for one in value["relations"]] == [
        ("located_in", "entity://place/porto")
    ]
    assert value["near"] == [{"id": "entity://place/porto", "steps": 1}]
    shown = cli("entity", "ada").out
    assert "entity://person/ada located_in entity://place/porto (residence)" in shown
    assert "Ada lives in Porto" in shown


def test_without_a_name_all_are_listed(cli):
    assert [one["id"] for one in cli("entity", "--json").json["entities"]] == [
        "entity://person/ada",
        "entity://place/porto",
    ]
    assert "Porto" in cli("entity", "--limit", "2").out


def test_nobody_is_an_error_that_says_what_to_do(cli):
    ran = cli("entity", "Zoe")
    assert ran.code == 1
    assert "no memory here names Zoe" in ran.err
