"""What practice taught, over HTTP as the engine tells it."""

import pytest


@pytest.fixture
def practised(ada):
    """Three successes that went the same way; the last one's id."""
    for thing in ("cup", "pan", "jar"):
        known = ada("POST", "/episodes", {"goal": f"clean the {thing}", "task_type": "tidy"}).json()["id"]
        for action in ("wash", "dry"):
            told = {"state": f"the {action} place", "action": f"{action} {thing}"}
            done = ada("POST", f"/episodes/{known}/steps", told | {"ok": True, "latency_ms": 40.0})
            assert (done.json()["ok"], done.json()["latency_ms"]) == (True, 40.0)
        ada("POST", f"/episodes/{known}/outcome", {"success": True})
    return known


def test_skills_come_of_successes_and_are_found_by_what_they_are_for(ada, practised):
    (skill,) = ada("GET", "/skills").json()["skills"]
    assert (skill["steps"], skill["wins"]) == (["wash {1}", "dry {1}"], 3)
    assert skill["parameters"]["1"] == ["cup", "pan", "jar"]
    assert ada("GET", "/skills", params={"q": "clean a pot"}).json()["skills"][0]["id"] == skill["id"]
    assert ada("POST", "/skills", {}).json()["skills"][0]["goal"] == "clean the {1}"
    assert ada("GET", "/skills", params={"k": 0}).status_code == 422


def test_tools_are_told_with_their_calls_and_times(ada, practised):
    (dry, wash) = ada("GET", "/tools", params={"task_type": "tidy"}).json()["tools"]
    assert (dry["name"], dry["calls"], dry["worked"], dry["latency_ms"]) == ("dry", 3, 3, 40.0)
    assert wash["success"] == 0.8
    assert ada("GET", "/tools", params={"task_type": "cook"}).json()["tools"] == []


def test_the_way_to_success_and_what_lay_around_it_are_told(ada, practised):
    here = {"state": ["clean the jar", "nothing", "the wash place"], "task_type": "tidy"}
    stages = ada("POST", "/strategy", here).json()["stages"]
    assert stages[0]["action"].startswith("wash")
    (way, *_) = ada("GET", "/ways", params={"q": "clean a pot"}).json()["ways"]
    assert [one.partition(" ")[0] for one in way["actions"]] == ["wash", "dry"]
    found = ada("POST", "/continuations", here | {"k": 1, "before": 0, "after": 1}).json()["continuations"]
    assert found[0]["precedent"]["action"].startswith("wash")
    assert [one["action"].partition(" ")[0] for one in found[0]["after"]] == ["dry"]
    led = ada("POST", "/transitions", {"state": here["state"], "action": "wash jar"}).json()
    assert led["quality"] > 0.5
    assert sum(led["transitions"].values()) == pytest.approx(1.0)
    unknown = {"state": "something else entirely", "action": "dry jar"}
    assert ada("POST", "/transitions", unknown).json() == {"quality": None, "reward": None, "transitions": {}}


def test_a_critique_warns_in_the_next_advice(ada, practised):
    kept = ada("POST", f"/episodes/{practised}/critiques", {"critique": "mind the lid"}).json()
    assert (kept["kind"], kept["text"]) == ("warning", "clean the jar: mind the lid")
    again = ada("POST", "/episodes", {"goal": "clean the jar"}).json()["id"]
    advice = ada("POST", "/decide", {"state": "the wash place", "episode": again}).json()
    assert advice["warnings"] == ["clean the jar: mind the lid"]


def test_contrasts_teach_a_lens_that_can_be_reset(ada):
    good, bad = ada.remember("Deploys go by script"), ada.remember("Deploys go by hand")
    told = {"question": "how do we deploy?", "better": [good], "worse": [bad]}
    assert ada("POST", "/contrasts", told).json()["pending"] == 1
    assert ada("POST", "/contrasts", told | {"worse": [good]}).status_code == 400
    assert ada("GET", "/lens").json()["pending"] == 1
    assert ada("DELETE", "/lens").json()["pending"] == 0


def test_influences_are_listed_and_too_little_is_refused(ada):
    ada.remember("Tea was made", tags=["tea"])
    ada.remember("Ada came", tags=["visit"])
    assert ada("POST", "/influences", {"lags": 2}).json() == {"influences": []}
    assert ada("GET", "/influences").json() == {"influences": []}
    asked = {"cause": "tag:visit", "effect": "tag:tea"}
    refused = ada("GET", "/influence", params=asked)
    assert (refused.status_code, "30 are needed" in refused.text) == (403, True)
    assert ada("GET", "/influence", params=asked | {"cause": "Bob"}).status_code == 404
    assert ada("POST", "/influences", {"period": "month"}).status_code == 422
