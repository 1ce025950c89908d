"""Working memory over HTTP: the same for all workers, gone after a while, and nobody else's."""

import json
import time
from urllib.parse import quote

import pytest
from served import caller
from test_http_process import started

from recollect.testing import FakeClock


def test_a_conversation_is_kept_and_picked_up(ada):
    at = "/working/c1"
    assert ada("POST", f"{at}/turns", {"role": "user", "content": "Where?", "name": "Ada"}).status_code == 200
    ada("POST", f"{at}/thoughts", {"thought": "She may want a date"})
    assert ada("PUT", f"{at}/values/order", {"value": {"id": 7}}).json() == {
        "name": "order",
        "value": {"id": 7},
    }
    ada("PUT", f"{at}/goal", {"id": "g1", "text": "Find the order"})
    told = ada("GET", at).json()
    assert told["goal"] == {"id": "g1", "text": "Find the order"}
    assert told["values"] == {"order": {"id": 7}}
    assert [(one["role"], one["content"], one["name"]) for one in told["turns"]] == [
        ("user", "Where?", "Ada")
    ]
    assert ada("GET", f"{at}/thoughts?limit=5").json()["thoughts"][0]["thought"] == "She may want a date"
    assert ada("GET", f"{at}/turns").json()["turns"] == told["turns"]
    assert ada("DELETE", f"{at}/values/order").json()["value"] is None
    assert ada("DELETE", f"{at}/goal").json()["goal"] is None
    empty = {"goal": None, "values": {}, "turns": [], "thoughts": []}
    assert ada("DELETE", at).json() == empty


def test_states_are_found_by_what_they_are_like(ada):
    for turn, text in enumerate(("the tests fail with a timeout", "the build is green")):
        ada("POST", "/working/c1/states", {"turn": turn, "text": text, "metadata": {"n": turn}})
    found = ada("POST", "/working/c1/states/similar", {"text": "tests fail", "k": 1}).json()["states"]
    assert [(one["turn"], one["metadata"]) for one in found] == [(0, {"n": 0})]


def test_what_is_in_mind_is_gone_after_its_time(client):
    ada, clock = caller(client, "ada"), client.service.clock
    assert isinstance(clock, FakeClock)
    ada("PUT", "/working/c1/values/a", {"value": 1, "ttl_seconds": 10})
    ada("PUT", "/working/c1/values/b", {"value": 2})
    clock.advance(seconds=11)
    assert ada("GET", "/working/c1").json()["values"] == {"b": 2}
    clock.advance(seconds=3_600)
    assert ada("GET", "/working/c1").json()["values"] == {}


def test_users_channels_and_conversations_are_apart(ada, bob):
    ada("PUT", "/working/c1/values/a", {"value": "zanzibar"}, params={"channel": "shop"})
    for who, address, channel in (
        (bob, "c1", "shop"),
        (ada, "c2", "shop"),
        (ada, "c1", "bank"),
        (ada, "c1", None),
    ):
        params = {} if channel is None else {"channel": channel}
        assert who("GET", f"/working/{address}", params=params).json()["values"] == {}
        who("DELETE", f"/working/{address}", params=params)
    assert ada("GET", "/working/c1/values/a", params={"channel": "shop"}).json()["value"] == "zanzibar"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/turns", {"role": "user"}),
        ("POST", "/turns", {"role": "user", "content": " "}),
        ("PUT", "/values/a", {}),
        ("PUT", "/values/a", {"value": 1, "ttl_seconds": 0}),
        ("POST", "/states", {"turn": -1, "text": "x"}),
        ("POST", "/states/similar", {"text": "x", "k": 0}),
    ],
)
def test_what_cannot_be_is_told(ada, method, path, body):
    assert ada(method, f"/working/c1{path}", body).status_code == 422


@pytest.mark.slow
def test_every_worker_has_the_same_in_mind_without_a_server(environment):
    with started(environment, "--no-keys", RECOLLECT_SERVICE_WORKERS="2") as service:
        service.wait()
        _shared(service, service)


@pytest.mark.slow
@pytest.mark.server
def test_services_share_what_is_in_mind_on_redis_and_go_on_without_it(
    environment, postgres_address, tmp_path
):
    from redis_server import redis_server

    with redis_server() as server:
        given = {"RECOLLECT_REDIS_URL": server.url, "RECOLLECT_SERVICE_WORKERS": "2"}
        more = ("--no-keys", "--store", postgres_address)
        with started(environment, *more, **given) as one, started(environment, *more, **given) as other:
            one.wait()
            other.wait()
            _shared(one, other)
            server.kill()
            for number in range(20):
                status, _ = one.call("PUT", f"/api/memory/working/away/values/v{number}", {"value": number})
                assert status == 200
            # The workers of one service go on sharing what they keep meanwhile.
            status, answer = one.call("GET", "/api/memory/working/away")
            assert (status, len(json.loads(answer)["values"])) == (200, 20)
            server.start()
            deadline = time.monotonic() + 30
            while True:
                status, answer = other.call("GET", "/api/memory/working/away")
                if len(json.loads(answer)["values"]) == 20:
                    break
                assert time.monotonic() < deadline, answer
                time.sleep(0.1)


def _shared(one, other):
    """Whichever worker of either service is asked, everything that was put is there."""
    for number in range(30):
        status, _ = one.call("PUT", f"/api/memory/working/c1/values/v{number}", {"value": number})
        assert status == 200
        status, answer = other.call("GET", "/api/memory/working/c1")
        assert status == 200
        assert len(json.loads(answer)["values"]) == number + 1
        one, other = other, one


@pytest.mark.parametrize(
    "name", ["team/apollo", "/", "a%2Fb", "r\u00e9sum\u00e9/\u2713 50%", "..", "a/turns"]
)
def test_a_conversation_or_value_of_any_name_has_its_address(ada, name):
    at = f"/working/{quote(name, safe='').replace('.', '%2E')}"
    ada("POST", f"{at}/turns", {"role": "user", "content": "hello there"})
    assert ada("PUT", at.replace("/working/", "/working/c1/values/"), {"value": 7}).json()["name"] == name
    assert ada("GET", at.replace("/working/", "/working/c1/values/")).json()["value"] == 7
    assert [one["content"] for one in ada("GET", at).json()["turns"]] == ["hello there"]


def test_what_is_no_part_of_a_name_parts_an_address(ada):
    assert ada("GET", "/working/a/b").status_code == 404
    assert ada("GET", "/working%2Fa").status_code == 404
    assert ada("GET", "/memories/a%2Fb").status_code == 422
    assert ada.client.get("/api%2Fmemory/stats").status_code == 404
    assert ada.client.get("/dashboard/a%2Fb", headers={"X-API-Key": ada.token}).status_code == 404
