"""Who is let in, how often, and with how much."""

import asyncio

import pytest
from served import API, caller, serving

from recollect.errors import StoreUnavailable
from recollect.serve.http import door
from recollect.serve.keys import Right
from recollect.testing import FakeClock, HashEmbedder


def test_without_a_key_nothing_is_answered(client):
    for headers in (
        {},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic eDp5"},
        {"X-API-Key": "x"},
    ):
        refused = client.get(f"{API}/memories", headers=headers)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.headers["content-type"] == "application/problem+json"


def test_a_key_may_come_in_either_header(client, ada):
    assert client.get(f"{API}/stats", headers={"X-API-Key": ada.token}).status_code == 200
    assert client.get(f"{API}/stats", headers={"Authorization": f"bearer {ada.token}"}).status_code == 200


def test_a_key_that_differs_in_one_letter_is_refused(client, ada):
    wrong = ada.token[:-1] + ("a" if ada.token[-1] != "a" else "b")
    assert client.get(f"{API}/stats", headers={"X-API-Key": wrong}).status_code == 401


@pytest.mark.parametrize("right", list(Right))
def test_each_right_opens_its_own_routes_and_no_others(client, right):
    holder = caller(client, "ada", right)
    tried = {
        Right.READ: ("GET", "/memories", None),
        Right.WRITE: ("POST", "/remember", {"text": "x"}),
        Right.ADMIN: ("PUT", "/config", {}),
    }
    for needed, (method, path, body) in tried.items():
        status = holder(method, path, body).status_code
        assert status == (200 if needed is right else 403), (right, needed)


def test_a_missing_right_is_told_before_what_is_wrong_with_the_request(client):
    refused = caller(client, "ada", Right.READ)("POST", "/remember", {"nonsense": 1})
    assert (refused.status_code, "this needs write" in refused.json()["detail"]) == (403, True)


def test_a_revoked_key_is_refused_within_a_second(client, ada, monkeypatch):
    assert ada("GET", "/stats").status_code == 200
    (key,) = client.service.keys.all("ada")
    client.service.keys.revoke(key.id)
    now = door.time.monotonic()
    monkeypatch.setattr(door.time, "monotonic", lambda: now + door.KNOWN_FOR_SECONDS + 0.1)
    assert ada("GET", "/stats").status_code == 401


def test_a_key_that_has_expired_is_refused(tmp_path):
    clock = FakeClock()
    with serving(tmp_path / "x.db", clock=clock) as client:
        token = client.service.keys.create("ada", days=2)[1]
        clock.advance(days=3)
        assert client.get(f"{API}/stats", headers={"X-API-Key": token}).status_code == 401


def test_a_key_that_calls_too_often_is_told_when_to_come_back(tmp_path):
    with serving(tmp_path / "x.db", requests_per_second=1.0) as client:
        ada, bob = caller(client, "ada"), caller(client, "bob")
        answers = [ada("GET", "/stats") for _ in range(6)]
        assert {one.status_code for one in answers} == {200, 429}
        refused = next(one for one in answers if one.status_code == 429)
        assert int(refused.headers["retry-after"]) >= 1
        assert bob("GET", "/stats").status_code == 200


def test_a_request_that_is_too_large_is_refused_and_keeps_nothing(tmp_path):
    with serving(tmp_path / "x.db", max_request_bytes=2_000, max_import_bytes=4_000) as client:
        ada = caller(client, "ada")
        assert ada("POST", "/remember", {"text": "x" * 3_000}).status_code == 413
        parts = (b"x" * 1_000 for _ in range(3))
        assert ada("POST", "/remember", content=parts).status_code == 413
        assert ada("POST", "/import", content=b"\n" * 3_000).status_code == 200
        assert ada("POST", "/import", content=b"\n" * 5_000).status_code == 413
        assert ada("GET", "/memories").json()["memories"] == []


def test_a_body_that_stops_coming_is_given_up(tmp_path):
    async def unfinished():
        async def receive():
            if sent:
                await asyncio.sleep(60)
            sent.append(1)
            return {"type": "http.request", "body": b"{", "more_body": True}

        async def send(message):
            answers.append(message)

        sent, answers = [], []
        token = client.service.keys.create("ada")[1]
        headers = [(b"x-api-key", token.encode()), (b"content-type", b"application/json")]
        path = f"{API}/remember"
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
        }
        await client.app(scope, receive, send)
        return answers[0]["status"]

    with serving(tmp_path / "x.db", timeout_seconds=0.2) as client:
        assert asyncio.run(unfinished()) == 408


class SlowEmbedder(HashEmbedder):
    """Takes its time over texts that say so."""

    def embed(self, texts, progress=None):
        if any("slow" in text for text in texts):
            import time

            time.sleep(0.6)
        return super().embed(texts, progress)


def test_what_takes_too_long_is_told_and_is_still_carried_out(tmp_path):
    with serving(tmp_path / "x.db", embedder=SlowEmbedder(), timeout_seconds=0.2) as client:
        ada = caller(client, "ada")
        late = ada("POST", "/remember", {"text": "a slow memory"})
        assert (late.status_code, "may still be carried out" in late.json()["detail"]) == (504, True)
        client.service.quick.close()
        assert [m.text for m in client.service.store.find("ada", door_everything())] == ["a slow memory"]


def door_everything():
    from recollect.model import Filter

    return Filter(any_session=True)


def test_without_keys_only_programs_of_this_machine_are_served(tmp_path):
    with serving(tmp_path / "x.db", keys=False) as client:
        good = ({}, {"Host": "127.0.0.1:8420"}, {"Host": "[::1]:8420"}, {"Origin": "http://localhost"})
        for headers in good:
            assert client.get(f"{API}/stats", headers=headers).json()["user"] == "ada", headers
        bad = (
            {"Host": "evil.example"},
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
        )
        for headers in bad:
            assert client.post(f"{API}/compact", headers=headers).status_code == 403, headers


def test_health_and_the_document_need_no_key_and_metrics_need_an_admin(client):
    for path in ("/", "/health", "/ready", "/openapi.json"):
        assert client.get(path).status_code in (200, 503)
    assert client.get("/metrics").status_code == 401
    reader = caller(client, "ada", Right.READ)
    assert client.get("/metrics", headers={"X-API-Key": reader.token}).status_code == 403


def away(*_):
    raise StoreUnavailable("the server of postgresql://db.internal:5432/agents does not answer; try again")


def test_where_no_key_can_be_looked_up_one_is_told_to_come_back_and_not_where_the_store_lies(
    client, ada, monkeypatch
):
    monkeypatch.setattr(client.service.keys, "find", away)
    for path in (f"{API}/stats", "/metrics", "/mcp"):
        answer = client.get(path, headers={"Authorization": f"Bearer {ada.token}"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert answer.json()["title"] == "Store unavailable"
        assert "internal" not in answer.text


def test_readiness_does_not_tell_where_the_store_lies(client, monkeypatch):
    monkeypatch.setattr(client.service._warm, "is_set", lambda: True)
    monkeypatch.setattr(type(client.service.store), "model", away)
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["status"]) == (503, "not ready")
    assert "internal" not in answer.text
