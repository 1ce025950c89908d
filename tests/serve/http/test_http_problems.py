"""What goes wrong is told as RFC 9457 problems, with the request's id, and is logged without what was said."""

import json
import logging

import pytest
from served import API, caller, serving

from recollect import errors
from recollect.serve.exits import OUTCOMES
from recollect.serve.http.logs import Lines
from recollect.testing import HashEmbedder

PROBLEM = "application/problem+json"


@pytest.fixture
def lines():
    """What is logged, as it would be written."""
    kept = []
    handler = logging.Handler()
    handler.emit = lambda record: kept.append(json.loads(Lines().format(record)))
    log = logging.getLogger("recollect.http")
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield kept
    log.removeHandler(handler)
    log.setLevel(before)


@pytest.mark.parametrize("kind", sorted(OUTCOMES, key=lambda kind: kind.__name__))
def test_every_error_has_its_status_and_says_what_happened(client, ada, kind, monkeypatch):
    def fail(*_, **__):
        raise kind("the moon is in the way; wait")

    monkeypatch.setattr("recollect.engine.Recollect.stats", fail)
    answer = ada("GET", "/stats")
    told = answer.json()
    assert answer.status_code == told["status"] == OUTCOMES[kind].status
    assert answer.headers["content-type"] == PROBLEM
    assert told["detail"] == "the moon is in the way; wait"
    assert told["type"] == "urn:recollect:" + told["title"].lower().replace(" ", "-")


def test_every_error_of_the_tree_has_an_outcome():
    def leaves(kind):
        return {kind} | {found for below in kind.__subclasses__() for found in leaves(below)}

    named = {kind for kind in leaves(errors.RecollectError) if kind.__module__ == errors.__name__}
    assert named - OUTCOMES.keys() <= {errors.RecollectError, errors.ModelError}


def test_a_request_keeps_the_id_that_it_came_with(client, ada):
    answer = ada("GET", "/memories/nothing", headers={"X-Request-ID": "run-7.a"})
    assert answer.headers["x-request-id"] == "run-7.a"
    assert answer.json()["instance"] == "urn:recollect:request:run-7.a"
    for wrong in ("a b", "x" * 65, "<script>", ""):
        given = ada("GET", "/stats", headers={"X-Request-ID": wrong}).headers["x-request-id"]
        assert given != wrong
        assert len(given) == 32


def test_what_does_not_fit_is_named_and_not_repeated(ada):
    answer = ada("POST", "/recall", {"query": 7, "colour": "topsecret", "k": 0})
    assert answer.status_code == 422
    assert {one["at"] for one in answer.json()["errors"]} == {"body.query", "body.colour", "body.k"}
    assert "topsecret" not in answer.text


def test_a_parameter_that_is_not_known_is_not_passed_over(ada):
    answer = ada("GET", "/memories", params={"limt": 3})
    assert (answer.status_code, "no parameter limt; there are: channel" in answer.text) == (422, True)
    assert ada("GET", "/stats", params={"x": 1}).json()["detail"] == "no parameter x"


def test_a_body_that_is_no_json_is_told(ada):
    for body in (b"{", b"\xff", b"[" * 100_000):
        answer = ada("POST", "/recall", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), body[:5]
        assert answer.headers["content-type"] == PROBLEM


def test_an_unknown_address_and_a_wrong_method_are_problems_too(client, ada):
    assert ada("GET", "/nothing").headers["content-type"] == PROBLEM
    wrong = ada("DELETE", "/recall")
    assert (wrong.status_code, wrong.headers["content-type"]) == (405, PROBLEM)


def test_half_a_character_comes_back_as_a_clear_answer(ada):
    for path, body in (
        ("/remember", b'{"text": "half \\ud800 a character"}'),
        ("/remember", b'{"text": "fine", "metadata": {"x": "\\ud800"}}'),
        ("/recall", b'{"query": "half \\ud800 a character"}'),
    ):
        answer = ada("POST", path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (200, 400, 422), answer.text
        answer.json()


def test_the_unexpected_is_a_500_with_nothing_of_the_error_and_a_log_with_its_place(
    client, ada, monkeypatch, lines
):
    def fail(*_, **__):
        raise ZeroDivisionError("what Priya said")

    monkeypatch.setattr("recollect.engine.Recollect.stats", fail)
    answer = ada("GET", "/stats")
    assert (answer.status_code, answer.headers["content-type"]) == (500, PROBLEM)
    assert "Priya" not in answer.text
    (told,) = [line for line in lines if line["level"] == "error"]
    assert told["error"] == "ZeroDivisionError"
    assert any(place.endswith(" fail") for place in told["where"])
    assert told["request"] == answer.headers["x-request-id"]
    assert "Priya" not in json.dumps(lines)


def test_a_request_is_told_in_one_line_without_what_was_said(tmp_path, lines):
    with serving(tmp_path / "x.db", embedder=HashEmbedder()) as client:
        ada = caller(client, "ada")
        ada("POST", "/remember", {"text": "the treasure lies in zanzibar"})
        ada("GET", "/search", params={"q": "zanzibar"})
        client.get("/health")
    assert [line["route"] for line in lines] == ["remember", "search"]
    assert [line["status"] for line in lines] == [200, 200]
    assert all(line["key"] and line["ms"] > 0 for line in lines)
    assert "zanzibar" not in json.dumps(lines)
    assert ada.token not in json.dumps(lines)


def test_metrics_tell_times_sizes_and_the_cache(client, ada):
    ada.remember("Deploys go through staging first")
    for _ in range(3):
        ada("POST", "/recall", {"query": "deploys?"})
    told = client.get("/metrics", headers={"X-API-Key": ada.token})
    assert told.headers["content-type"].startswith("text/plain")
    values = dict(line.rsplit(" ", 1) for line in told.text.splitlines() if not line.startswith("#"))
    assert values['recollect_requests_total{route="recall",status="200"}'] == "3.0"
    assert values['recollect_request_seconds_count{route="recall"}'] == "3.0"
    assert values['recollect_memories{which="memory"}'] == "1.0"
    assert values["recollect_users"] == "1.0"
    assert float(values['recollect_embedding_cache_total{found="hit"}']) == 2.0
    assert API not in told.text


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]
)
def test_a_body_that_is_not_said_to_be_json_is_told_so(ada, kind):
    headers = {} if kind is None else {"Content-Type": kind}
    answer = ada("POST", "/recall", content=b'{"query": "tea"}', headers=headers)
    assert (answer.status_code, answer.json()["title"]) == (415, "Unsupported media type")
    assert "Content-Type: application/json" in answer.json()["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=utf-8", "application/a+json"]
)
def test_json_by_any_of_its_names_is_taken(ada, kind):
    answer = ada("POST", "/recall", content=b'{"query": "tea"}', headers={"Content-Type": kind})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "sent", "told"),
    [
        ("GET", "/memories?limit=1&limit=2", None, "more than one limit"),
        ("GET", "/memories?limit=1&colour=red&colour=blue", None, "no parameter colour"),
        ("POST", "/memories/ID/forget", {"reason": "old"}, "takes no body"),
        ("POST", "/compact", {"now": True}, "takes no body"),
        ("DELETE", "/memories/ID", {"derived": True}, "takes no body"),
        ("GET", "/memories?after=zzz", None, "after is the `next`"),
        ("GET", "/dreams?after=zzz", None, "after is the `next`"),
        ("GET", "/gaps?after=zzz", None, "after is the `next`"),
        ("GET", "/review?after=zzz", None, "after is the `next`"),
        ("GET", "/quarantine?after=zzz", None, "after is the `next`"),
        ("GET", "/episodes?after=zzz", None, "after is the `next`"),
    ],
)
def test_nothing_that_is_asked_is_passed_over(ada, method, path, sent, told):
    known = ada.remember("Deploys go through staging first")
    answer = ada(method, path.replace("ID", known), sent)
    assert answer.status_code in (400, 422)
    assert told in answer.json()["detail"]
    assert ada("GET", f"/memories/{known}").json()["state"] == "active"


def test_what_asks_for_nothing_and_what_may_be_repeated_is_taken(ada):
    known = ada.remember("Deploys go through staging first", tags=["a", "b"])
    assert ada("POST", f"/memories/{known}/forget", {}).status_code == 200
    assert ada("POST", f"/memories/{known}/restore").status_code == 200
    assert len(ada("GET", "/memories?tag=a&tag=b").json()["memories"]) == 1
