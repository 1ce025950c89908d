"""Every verb over HTTP does what the engine's verb does."""

import json

import pytest


def texts(answer):
    return [one["text"] for one in answer.json()["memories"]]


def test_what_is_remembered_is_recalled_with_its_reasons(ada):
    made = ada("POST", "/remember", {"text": "Deploys go through staging first", "tags": ["ops"]})
    assert (made.status_code, made.json()["action"]) == (200, "create")
    found = ada("POST", "/recall", {"query": "how do we deploy?", "k": 1}).json()
    (hit,) = found["hits"]
    assert (hit["id"], hit["tags"]) == (made.json()["id"], ["ops"])
    assert abs(sum(hit["signals"].values()) - hit["score"]) < 1e-9
    assert [step["stage"] for step in found["trace"]["steps"]][:1] == ["gate"]


def test_the_same_text_again_reinforces(ada):
    known = ada.remember("The office is in Porto")
    again = ada("POST", "/remember", {"text": "The office is in Porto"}).json()
    assert (again["id"], again["action"]) == (known, "reinforce")


def test_a_secret_is_not_kept(ada):
    told = ada("POST", "/remember", {"text": "The password is correct-horse-battery"}).json()
    assert told["redactions"]
    assert "correct-horse" not in ada("GET", "/memories").text


def test_many_are_kept_all_or_none(ada):
    good = {"memories": [{"text": "one"}, {"text": "two", "kind": "fact"}]}
    assert len(ada("POST", "/remember/many", good).json()["memories"]) == 2
    bad = {"memories": [{"text": "three"}, {"text": "four", "scope": "session"}]}
    assert ada("POST", "/remember/many", bad).status_code == 400
    assert sorted(texts(ada("GET", "/memories"))) == ["one", "two"]


def test_a_conversation_is_kept_in_order_and_a_dry_run_keeps_nothing(ada):
    messages = [
        {"role": "user", "name": "Priya", "content": "Where is the office?"},
        {"role": "assistant", "content": [{"type": "text", "text": "In Lisbon."}], "refusal": None},
    ]
    dry = ada("POST", "/observe", {"messages": messages, "session": "s1", "dry_run": True})
    assert (dry.json()["kept"], texts(ada("GET", "/memories"))) == (0, [])
    kept = ada("POST", "/observe", {"messages": messages, "session": "s1"}).json()
    assert kept["kept"] == 2
    listed = ada("GET", "/memories", params={"lane": "log", "session": "s1", "oldest_first": True})
    assert texts(listed) == ["Where is the office?", "In Lisbon."]
    assert listed.json()["memories"][0]["speaker"] == "Priya"


def test_looking_around_is_not_counted_as_use(ada):
    known = ada.remember("Deploys go through staging first", channel="shop")
    found = ada("GET", "/search", params={"q": "deploys"}).json()["hits"]
    assert [hit["id"] for hit in found] == [known]
    assert ada("GET", f"/memories/{known}").json()["counters"]["access_count"] == 0
    ada("POST", "/recall", {"query": "deploys", "channel": "shop"})
    assert ada("GET", f"/memories/{known}").json()["counters"]["access_count"] == 1


def test_a_question_sees_its_channel_and_the_global_one(ada):
    ada.remember("The shop sells tea", channel="shop")
    ada.remember("The bank lends money", channel="bank")
    hits = ada("POST", "/recall", {"query": "what does the shop sell?", "channel": "shop"}).json()["hits"]
    assert [hit["channel"] for hit in hits] == ["shop"]


def test_context_stays_within_its_budget(ada):
    for number in range(20):
        ada.remember(f"Deploy number {number} went through staging first, as always")
    told = ada("POST", "/context", {"query": "deploys", "budget_tokens": 60}).json()
    assert told["budget_tokens"] == 60
    assert 0 < len(told["context"]) <= 240


def test_replaced_facts_are_in_the_history_and_on_the_timeline(ada):
    porto = ada.remember("The office is in Porto", valid_from="2025-03-01")
    lisbon = ada.remember("The office is in Lisbon", supersedes=porto)
    versions = ada("GET", f"/memories/{lisbon}/history").json()["versions"]
    assert [one["text"] for one in versions][-1] == "The office is in Lisbon"
    assert porto in {one["id"] for one in versions}
    assert texts(ada("GET", "/timeline")) == ["The office is in Porto", "The office is in Lisbon"]
    assert len(texts(ada("GET", "/timeline", params={"q": "office", "channel": "x"}))) == 2


def test_pages_follow_one_another_without_gaps(ada):
    made = [ada.remember(f"memory number {number}") for number in range(7)]
    seen, after = [], {}
    while True:
        page = ada("GET", "/memories", params={"limit": 3, **after}).json()
        seen += [one["id"] for one in page["memories"]]
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert seen == made[::-1]


def test_an_id_may_be_shortened_and_an_unknown_one_is_told(ada):
    known = ada.remember("something")
    assert ada("GET", f"/memories/{known[:20]}").json()["id"] == known
    missing = ada("GET", "/memories/nothing")
    assert (missing.status_code, missing.json()["detail"]) == (404, "no memory nothing")


def test_a_memory_can_be_changed_in_every_way(ada):
    known, other = ada.remember("The office is in Porto"), ada.remember("The office has a garden")
    assert (
        ada("PATCH", f"/memories/{known}", {"text": "The office is in Lisbon"}).json()["action"] == "update"
    )
    assert ada("POST", f"/memories/{known}/tags", {"add": ["team", "ops"]}).json()["tags"] == ["team", "ops"]
    assert ada("POST", f"/memories/{known}/tags", {"remove": ["ops"]}).json()["tags"] == ["team"]
    edge = ada("POST", f"/memories/{known}/links", {"target": other, "type": "elaborates", "weight": 0.5})
    assert (edge.json()["source"], edge.json()["target"], edge.json()["weight"]) == (known, other, 0.5)
    assert ada("GET", f"/memories/{other}").json()["edges"] == [edge.json()]
    where = f"/memories/{known}/links?target={other}&type=elaborates"
    assert ada("DELETE", where).json() == edge.json()
    assert ada("GET", f"/memories/{other}").json()["edges"] == []
    assert ada("DELETE", where).status_code == 404
    assert ada("POST", f"/memories/{known}/pin", {}).json()["pinned"]
    assert not ada("POST", f"/memories/{known}/pin", {"pinned": False}).json()["pinned"]


def test_an_edit_changes_what_is_named_and_null_takes_an_end_away(ada):
    known = ada.remember("The office is in Porto", metadata={"floor": 3}, valid_until="2030-01-01")
    ada("PATCH", f"/memories/{known}", {"metadata": {"floor": 4}})
    now = ada("GET", f"/memories/{known}").json()
    assert (now["text"], now["metadata"], now["valid_until"][:4]) == (
        "The office is in Porto",
        {"floor": 4},
        "2030",
    )
    ada("PATCH", f"/memories/{known}", {"valid_until": None})
    assert ada("GET", f"/memories/{known}").json()["valid_until"] is None
    assert ada("PATCH", f"/memories/{known}", {}).status_code == 400


def test_a_question_can_be_asked_of_chosen_memories_and_channels(ada):
    one, two = (ada.remember(f"The {name} sells tea", channel=name) for name in ("shop", "bank"))
    asked = {"query": "tea", "every_channel": True, "ids": [two]}
    assert [hit["id"] for hit in ada("POST", "/recall", asked).json()["hits"]] == [two]
    asked = {"query": "tea", "channels": ["shop"]}
    assert [hit["id"] for hit in ada("POST", "/recall", asked).json()["hits"]] == [one]


def test_an_immutable_memory_is_refused_with_403(ada):
    known = ada.remember("The password policy is 20 letters", immutable=True)
    refused = ada("PATCH", f"/memories/{known}", {"text": "something else"})
    assert (refused.status_code, refused.json()["title"]) == (403, "Refused")


def test_what_was_formed_from_it_goes_with_it_if_told_so(ada):
    known = ada.remember("The deploy runs on Friday")
    formed = ada.remember("Fridays are deploy days", sources=[known])
    purged = ada("DELETE", f"/memories/{known}?derived=true").json()
    assert purged == {"purged": [known, formed], "derived": []}


def test_forgotten_is_restored_and_purged_is_gone(ada):
    known = ada.remember("Deploys go through staging first")
    assert ada("POST", f"/memories/{known}/forget").json()["state"] == "dormant"
    assert ada("POST", "/recall", {"query": "deploys"}).json()["hits"] == []
    assert ada("POST", f"/memories/{known}/restore").json()["state"] == "active"
    assert ada("DELETE", f"/memories/{known}").json() == {"purged": [known], "derived": []}
    assert ada("GET", f"/memories/{known}").status_code == 404
    assert ada("POST", "/remember", {"text": "Deploys go through staging first"}).json()["action"] == "skip"


def test_an_export_taken_in_by_another_makes_the_same_memory(ada, bob):
    porto = ada.remember("The office is in Porto", metadata={"floor": 3})
    ada.remember("The office is in Lisbon — naïve ☃\u2028", supersedes=porto)
    told = ada("GET", "/export")
    assert told.headers["content-type"] == "application/x-ndjson"
    took = bob("POST", "/import", content=told.content)
    assert (len(took.json()["created"]), took.json()["conflicts"]) == (2, [])
    again = bob("POST", "/import", content=told.content).json()
    assert (again["created"], len(again["unchanged"])) == ([], 2)
    theirs = bob("GET", "/export").content.split(b"\n")[1:]
    assert [json.loads(line) for line in theirs if line] == [
        json.loads(line) for line in told.content.split(b"\n")[1:] if line
    ]


def test_markdown_goes_out_and_comes_in(ada):
    ada.remember("The office is in Porto")
    text = ada("GET", "/export", params={"format": "markdown"}).text
    assert "The office is in Porto" in text
    edited = text.replace("Porto", "Lisbon")
    ada("POST", "/import", content=edited.encode(), params={"format": "markdown"})
    assert texts(ada("GET", "/memories")) == ["The office is in Lisbon"]


def test_an_import_with_a_bad_line_takes_nothing_and_names_it(ada):
    line = json.dumps({"record": "memory", "id": "x", "text": "y"})
    for body, named in ((line, "line 1"), ("\n\nnonsense", "line 3"), (b"\xff\xfe", "line 1")):
        refused = ada("POST", "/import", content=body)
        assert refused.status_code == 400
        assert named in refused.json()["detail"]
    assert texts(ada("GET", "/memories")) == []


def test_stats_tell_how_much_there_is_and_nothing_of_the_disk(ada, tmp_path):
    ada.remember("one")
    told = ada("GET", "/stats")
    assert (told.json()["memory"], told.json()["user"]) == (1, "ada")
    assert str(tmp_path) not in told.text


def test_an_intact_store_verifies_and_compacts(ada):
    ada.remember("one")
    assert ada("POST", "/verify").json() == {"ok": True, "faults": []}
    assert ada("POST", "/compact").json().keys() == {"bytes_before", "bytes_after"}


def test_the_audit_tells_which_key_read_what(ada):
    known = ada.remember("Deploys go through staging first")
    ada("PUT", "/config", json={"audit.level": "reads"})
    ada("POST", "/recall", json={"query": "how do we deploy?", "session": "s1"})
    told = ada("GET", "/audit", params={"only": "reads"}).json()
    (one,) = told["entries"]
    assert (one["operation"], one["session"], one["ids"]) == ("recall", "s1", [known])
    assert one["actor"].startswith("key ")
    page = ada("GET", "/audit", params={"limit": 1}).json()
    assert ada("GET", "/audit", params={"after": page["next"]}).json()["entries"]
    assert ada("GET", "/audit", params={"after": "x"}).status_code == 400


def test_the_audit_is_for_who_may_administer(client):
    token = client.service.keys.create("ada", ["read", "write"])[1]
    answer = client.get("/api/memory/audit", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 403


def test_a_snapshot_lies_beside_the_store_and_a_purge_reaches_it(on_disk, tmp_path):
    from recollect import Recollect
    from recollect.testing import HashEmbedder

    made = on_disk.service.keys.create("ada", ["read", "write", "admin"])[1]
    headers = {"Authorization": f"Bearer {made}"}
    known = on_disk.post("/api/memory/remember", json={"text": "a secret plan"}, headers=headers).json()["id"]
    for name, status in (("before", 200), ("before", 409), ("../before", 422), ("a.b", 422)):
        answer = on_disk.post("/api/memory/snapshot", json={"name": name}, headers=headers)
        assert answer.status_code == status, name
    copy = tmp_path / "served.db.snapshots" / "before.db"
    assert copy.is_file()
    assert on_disk.delete(f"/api/memory/memories/{known}", headers=headers).status_code == 200
    with Recollect(copy, user="ada", channel="_global", embedder=HashEmbedder()) as other:
        assert other.find(known) is None


def test_settings_are_shown_changed_in_part_and_taken_back(ada):
    assert ada("PUT", "/config", {"recall.k": 3, "recall.profile": "words"}).status_code == 200
    now = {one["name"]: one for one in ada("GET", "/config").json()["settings"]}
    assert (now["recall.k"]["value"], now["recall.k"]["source"]) == (3, "store")
    ada("PUT", "/config", {"recall.k": None})
    now = {one["name"]: one for one in ada("GET", "/config").json()["settings"]}
    assert (now["recall.k"]["value"], now["recall.profile"]["value"]) == (10, "words")


def test_what_is_put_counts_at_once_and_the_next_trace_tells_it(ada, bob):
    known = ada.remember("Deploys go through staging first")
    ada("PUT", "/config", {"recall.k": 1, "layers.diversity": True})
    found = ada("POST", "/recall", {"query": "deploys"}).json()
    assert found["trace"]["settings"] == {"recall.k": 1, "layers.diversity": True}
    ada("PUT", "/config", {"memory.enabled": False})
    assert ada("POST", "/remember", {"text": "something new"}).json()["action"] == "skip"
    assert ada("POST", "/recall", {"query": "deploys"}).json()["hits"] == []
    assert ada("POST", "/context", {"query": "deploys"}).json()["context"] == ""
    assert ada("POST", "/import", content=b"").status_code == 403
    assert ada("GET", f"/memories/{known}").status_code == 200
    assert bob("POST", "/remember", {"text": "mine"}).json()["action"] == "create"


def test_a_wrong_setting_changes_none_and_every_problem_is_named(ada):
    refused = ada("PUT", "/config", {"recall.k": 3, "recall.profile": "best", "recall.x": 1})
    assert refused.status_code == 400
    assert "recall.profile" in refused.json()["detail"]
    assert "recall.x" in refused.json()["detail"]
    now = {one["name"]: one["value"] for one in ada("GET", "/config").json()["settings"]}
    assert now["recall.k"] == 10


def test_what_belongs_to_the_service_no_user_can_change(ada):
    for name, value in (("embedder.url", "http://10.0.0.1/"), ("service.requests_per_second", 0)):
        refused = ada("PUT", "/config", {name: value})
        assert (refused.status_code, refused.json()["title"]) == (403, "Refused")
    assert not any(
        one["name"].startswith(("embedder.", "service.")) for one in ada("GET", "/config").json()["settings"]
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"recall.k": "3"},
        {"recall.k": 3.5},
        {"memory.enabled": "off"},
        {"recall.k": True},
        {"recall.profile": 1},
    ],
)
def test_a_setting_of_another_type_is_refused_and_changes_nothing(ada, changed):
    before = ada("GET", "/config").json()
    assert ada("PUT", "/config", changed).status_code == 400
    assert ada("GET", "/config").json() == before


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999"])
def test_a_setting_that_is_no_number_is_refused(ada, value):
    told = {"content": f'{{"worker.decay": {value}}}', "headers": {"Content-Type": "application/json"}}
    assert ada("PUT", "/config", **told).status_code == 400


@pytest.mark.parametrize("value", ["1e999", "NaN", "[" * 600 + "]" * 600])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/remember", '{"text": "Deploys go first", "metadata": {"x": %s}}'),
        ("/events", '{"events": [{"type": "note", "text": "Deploys go first", "x": %s}]}'),
    ],
)
def test_metadata_that_json_has_no_word_for_is_refused(ada, path, body, value):
    answer = ada("POST", path, content=body % value, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["title"]) == (400, "Invalid input")
    assert ada("GET", "/memories").json()["memories"] == []


@pytest.mark.parametrize(
    ("location", "told"),
    [(":memory:", "in memory alone"), ("postgresql://db.internal/agents", "`recollect snapshot PATH`")],
)
def test_a_store_that_is_no_file_says_how_it_is_copied(client, ada, monkeypatch, location, told):
    monkeypatch.setattr(type(client.service.store), "location", location)
    refused = ada("POST", "/snapshot", {"name": "before"})
    assert refused.status_code == 400
    assert told in refused.json()["detail"]
    assert "internal" not in refused.text
