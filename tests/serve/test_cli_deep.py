"""`recall --deep`, `graph neighbourhood` and `gnn`."""

import pytest


@pytest.fixture
def linked(cli):
    texts = ("The backup failed on Sunday", "Volume seven was full")
    ids = [cli("remember", text, "--json").json["id"] for text in texts]
    cli("link", ids[1], ids[0], "--type", "causes")
    return ids


def test_neighbours_are_heard_where_depth_is_asked_for(cli, linked):
    question = ("recall", "why did the backup fail?", "--json")
    assert "gnn" in cli(*question, "--deep").json["hits"][0]["signals"]
    assert "gnn" not in cli(*question).json["hits"][0]["signals"]


def test_hits_come_with_what_lies_around_them(cli, linked):
    asked = ("graph", "neighbourhood", "why did the backup fail?", "-k", "1", "--hops", "1")
    found = cli(*asked, "--json").json
    assert [(one["id"], one["hops"]) for one in found["neighbours"]] == [(linked[0], 0), (linked[1], 1)]
    assert [(one["source"], one["type"]) for one in found["links"]] == [(linked[1], "causes")]
    assert f"-[causes]-> {linked[0]}" in cli(*asked).out
    assert cli(*asked[:-1], "9").code == 2


def test_it_is_told_what_was_learnt_and_one_goes_back_only_to_what_there_is(cli, linked):
    assert cli("gnn", "--json").json["versions"] == [0]
    assert cli("gnn", "--back-to", "0").code == 0
    assert cli("gnn", "--back-to", "3").code == 1
