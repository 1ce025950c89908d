"""The graph over HTTP: Cypher for those who administer, the rest for those who read."""

import pytest
from served import caller

from recollect.graph.cypher import Limits
from recollect.serve.keys import Right

pytest.importorskip("ladybug")
CYPHER = "/graph/cypher"
RUNAWAY = "UNWIND range(1, 3000000) AS x UNWIND range(1, 3000000) AS y WITH x, y WHERE x * y % 7 = 3 RETURN count(*)"


@pytest.fixture
def linked(ada):
    ids = [ada.remember(text, tags=["ops"]) for text in ("It broke", "It was old")]
    ada("POST", f"/memories/{ids[1]}/links", {"target": ids[0], "type": "causes"})
    return ids


def test_a_query_is_answered_for_the_keys_user_alone(client, ada, bob, linked):
    bob.remember("Bob's own secret")
    query = "MATCH (a:Memory)-[:causes]->(b) WHERE b.id = $id RETURN a.text AS cause"
    admin = caller(client, "ada", Right.ADMIN)
    found = admin("POST", CYPHER, {"query": query, "parameters": {"id": linked[0]}}).json()
    assert (found["columns"], found["rows"]) == (["cause"], [["It was old"]])
    every = admin("POST", CYPHER, {"query": "MATCH (m) RETURN m.text ORDER BY m.text"}).json()["rows"]
    assert ["Bob's own secret"] not in every


def test_who_does_not_administer_is_not_answered(client, linked):
    for right in (Right.READ, Right.WRITE):
        answer = caller(client, "ada", right)("POST", CYPHER, {"query": "RETURN 1"})
        assert answer.status_code == 403


def test_what_writes_or_is_wrong_is_a_problem(client, linked):
    admin = caller(client, "ada", Right.ADMIN)
    for query in ("MATCH (m) DELETE m", "MATCH (m:Nope) RETURN m", "nonsense"):
        answer = admin("POST", CYPHER, {"query": query})
        assert answer.status_code == 400, answer.text
        assert answer.json()["detail"]


def test_a_runaway_query_is_stopped_and_the_service_goes_on(on_disk, monkeypatch):
    limits = Limits(seconds=0.3)
    monkeypatch.setattr("recollect.graph.cypher.Limits", lambda *_: limits)
    admin = caller(on_disk, "ada", Right.ADMIN)
    answer = admin("POST", CYPHER, {"query": RUNAWAY})
    assert answer.status_code == 400
    assert "stopped after 0.3 s" in answer.json()["detail"]
    assert admin("POST", CYPHER, {"query": "RETURN 1"}).json()["rows"] == [[1]]


def test_the_shape_is_told(ada, linked):
    assert ada("GET", "/graph/hubs").json()["hubs"][0]["degree"] == 2
    assert len(ada("GET", "/graph/communities").json()["communities"][0]["members"]) == 3
    way = ada("GET", "/graph/why", params={"one": linked[0], "other": linked[1]}).json()
    assert [link["type"] for link in way["links"]] == ["causes"]
    assert ada("GET", f"/graph/order/{linked[0]}").status_code == 404
