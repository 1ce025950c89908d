"""`cypher` and `graph`."""

import pytest

pytest.importorskip("ladybug")


@pytest.fixture
def linked(cli):
    """Two memories, one of which causes the other."""
    ids = [cli("remember", text, "--tag", "ops", "--json").json["id"] for text in ("It broke", "It was old")]
    cli("link", ids[1], ids[0], "--type", "causes")
    return ids


def test_a_query_is_answered_with_parameters_and_what_is_near(cli, linked):
    query = "MATCH (a:Memory)-[:causes]->(b:Memory) WHERE b.id = $id RETURN a.text AS cause"
    given = ("--parameter", f'id="{linked[0]}"')
    found = cli("cypher", query, *given, "--json").json
    assert (found["columns"], found["rows"], found["truncated"]) == (["cause"], [["It was old"]], False)
    assert "It was old" in cli("cypher", query, *given).out
    near = cli(
        "cypher",
        "UNWIND $q AS s MATCH (m:Memory {id: s.id}) RETURN m.text, s.score ORDER BY s.score DESC LIMIT 1",
        "--near",
        "q=it broke",
        "--json",
    ).json
    assert near["rows"][0][0] == "It broke"


def test_several_queries_are_read_and_a_wrong_one_does_not_end_them(cli, linked):
    typed = "MATCH (m:Memory)\nRETURN count(*) AS n;\nMATCH (m) DELETE m;\nRETURN 7 AS seven;\n"
    ran = cli("cypher", given=typed)
    assert ran.code == 0
    assert "seven" in ran.out
    assert "2" in ran.out
    assert "only reads" in ran.err


@pytest.mark.parametrize("wrong", [("--parameter", "x"), ("--parameter", "x=y z"), ("--near", "x")])
def test_wrong_options_are_told(cli, linked, wrong):
    assert cli("cypher", "RETURN 1", *wrong).code == 2


def test_the_shape_is_told(cli, linked):
    assert cli("graph", "hubs", "--json").json["hubs"][0]["degree"] == 2
    assert "links" in cli("graph", "hubs").out
    assert len(cli("graph", "communities", "--json").json["communities"][0]["members"]) == 3
    assert "inside" in cli("graph", "communities").out
    way = cli("graph", "why", *linked, "--json").json
    assert [link["type"] for link in way["links"]] == ["causes"]
    assert "causes" in cli("graph", "why", *linked).out
    assert cli("graph", "order", linked[0]).code == 1


def test_the_geometry_is_reported(cli, linked):
    found = cli("geometry", "report", "--json").json["channels"]
    assert found[0]["channel"] == "_global"
    assert found[0]["benefits"] is False
    assert "benefits" in cli("geometry", "report").out
