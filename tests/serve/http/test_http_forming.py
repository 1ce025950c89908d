"""Events, sessions that are over and entities over HTTP: what the engine's verbs do, and clear answers to the rest."""

import time

import pytest

SAID = {"role": "user", "name": "Ada", "content": "I live in Porto."}
REPORT = {"type": "worker.report", "timestamp": "2026-03-02T12:00:00Z", "text": "We deploy to Frankfurt."}


def test_what_is_observed_forms_memories_that_are_told_and_recalled(ada):
    [turn] = ada("POST", "/observe", {"messages": [SAID], "session": "s1"}).json()["turns"]
    [formed] = turn["formed"]
    assert (formed["action"], formed["text"]) == ("create", "Ada lives in Porto")
    [known] = ada("GET", "/memories", params={"lane": "memory"}).json()["memories"]
    assert (known["id"], known["sources"]) == (formed["id"], [turn["id"]])


def test_nothing_is_formed_from_what_is_not_to_be_learnt_or_where_it_is_switched_off(ada):
    [turn] = ada("POST", "/observe", {"messages": [SAID | {"learn": False}]}).json()["turns"]
    assert [one["action"] for one in turn["formed"]] == ["skip"]
    ada("PUT", "/config", {"formation.enabled": False})
    [turn] = ada("POST", "/observe", {"messages": [SAID], "session": "s1"}).json()["turns"]
    assert "formed" not in turn
    assert ada("GET", "/memories", params={"lane": "memory"}).json()["memories"] == []


def test_who_does_not_wait_finds_what_was_formed_a_moment_later(ada):
    ada("POST", "/observe", {"messages": [SAID], "session": "s1"})
    later = {"role": "user", "name": "Ada", "content": "I work in Braga."}
    [turn] = ada("POST", "/observe", {"messages": [later], "wait": False}).json()["turns"]
    assert (turn["action"], turn["reason"]) == ("create", "it is read afterwards")
    assert "formed" not in turn
    assert ada("GET", f"/memories/{turn['id']}").json()["text"] == "I work in Braga."
    until = time.monotonic() + 30
    while len(known := ada("GET", "/memories", params={"lane": "memory"}).json()["memories"]) < 2:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert known[0]["sources"] == [turn["id"]]


def test_an_event_is_taken_in_once_and_one_that_is_left_out_says_why(ada):
    [kept] = ada("POST", "/events", {"events": [REPORT], "session": "s1"}).json()["turns"]
    assert [one["action"] for one in kept["formed"]] == ["create"]
    [again] = ada("POST", "/events", {"events": [REPORT], "session": "s1"}).json()["turns"]
    assert (again["action"], again["reason"]) == ("skip", "the same event was kept before")
    [empty] = ada("POST", "/events", {"events": [{"type": "run.started"}]}).json()["turns"]
    assert empty["reason"].startswith("it says nothing")
    dry = ada("POST", "/events", {"events": [REPORT | {"text": "We test in Oslo."}], "dry_run": True}).json()
    assert dry["kept"] == 0
    assert len(ada("GET", "/memories").json()["memories"]) == 2


def test_a_session_that_is_over_is_read_once_and_tells_what_it_taught(ada):
    ada("PUT", "/config", {"formation.enabled": False})
    ada("POST", "/observe", {"messages": [SAID], "session": "s/1"})
    [waiting] = ada("GET", "/sessions/unread").json()["sessions"]
    assert (waiting["session"], waiting["turns"]) == ("s/1", 1)
    assert ada("GET", "/sessions/unread", params={"idle_minutes": 30}).json()["sessions"] == []
    dry = ada("POST", "/sessions/end", {"session": "s/1", "dry_run": True}).json()
    assert (dry["turns"], dry["statements"], dry["memories"]) == (1, {"create": 1}, [])
    ended = ada("POST", "/sessions/end", {"session": "s/1"}).json()
    assert [one["text"] for one in ended["memories"]] == ["Ada lives in Porto"]
    again = ada("POST", "/sessions/end", {"session": "s/1"}).json()
    assert again == ended | {"turns": 0, "statements": {}}


def test_who_and_what_is_known_is_listed_and_told(ada):
    ada("POST", "/observe", {"messages": [SAID], "session": "s1"})
    listed = ada("GET", "/entities").json()["entities"]
    assert {one["name"]: one["memories"] for one in listed} == {"Ada": 1, "Porto": 1}
    found = ada("GET", "/entity", params={"name": "Porto"}).json()
    assert [one["text"] for one in found["memories"]] == ["Ada lives in Porto"]
    [relation] = found["relations"]
    assert (relation["type"], relation["target"]) == ("located_in", found["id"])
    assert ada("GET", "/entity", params={"name": found["id"]}).json() == found


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("POST", "/events", {"events": []}, 422),
        ("POST", "/events", {"events": [{"text": "of no type"}]}, 400),
        ("POST", "/events", {"events": ["run.started"]}, 422),
        ("POST", "/sessions/end", {"session": " "}, 422),
        ("POST", "/sessions/end", {}, 422),
        ("GET", "/entity", None, 422),
        ("GET", "/entity?name=Nobody", None, 404),
        ("GET", "/entity?name=Ada&depth=11", None, 422),
        ("GET", "/sessions/unread?idle_minutes=nan", None, 422),
    ],
)
def test_what_is_sent_wrongly_is_told(ada, method, path, sent, status):
    assert ada(method, path, sent).status_code == status
