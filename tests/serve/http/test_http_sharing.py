"""Publishing and sharing over HTTP: by key, alike for what is not there and what may not be read."""

QUESTION = {"query": "how do deploys go through staging?"}
GUIDE = {"title": "How deploys go", "text": "Deploys go through staging first"}


def test_an_item_is_previewed_published_found_and_taken_back(ada, bob):
    shown = ada("POST", "/library/preview", GUIDE).json()
    assert (shown["may_leave"], shown["replaces"]) == (True, None)
    assert ada("GET", "/library/mine").json() == {"items": []}
    made = ada("POST", "/library", GUIDE | {"tags": ["ops"]}).json()
    found = bob("GET", "/library", params={"q": "staging deploys"}).json()["items"]
    assert [(one["id"], one["is_own"]) for one in found] == [(made["id"], False)]
    again = ada("POST", "/library", GUIDE | {"text": "Deploys go out", "item": made["id"]}).json()
    assert again["version"] == 2
    assert len(bob("GET", f"/library/{made['id']}/versions").json()["items"]) == 2
    old = bob("GET", f"/library/{made['id']}", params={"version": 1}).json()
    assert old["text"] == GUIDE["text"]
    assert bob("POST", f"/library/{made['id']}/unpublish", {}).status_code == 403
    assert bob("POST", "/library/report", {"items": [made["id"]], "success": True}).json() == {
        "counted": [made["id"]]
    }
    assert ada("POST", f"/library/{made['id']}/unpublish", {}).json()["is_published"] is False
    assert bob("GET", "/library", params={"q": "staging deploys"}).json() == {"items": []}


def test_what_may_not_be_read_is_answered_as_what_is_not_there(ada, bob):
    made = ada("POST", "/library", GUIDE | {"access": "users:eve"}).json()["id"]
    hidden, missing = bob("GET", f"/library/{made}"), bob("GET", "/library/01ZZZZZZZZZZZZZZZZZZZZZZZZ")
    assert hidden.status_code == missing.status_code == 404
    for name in ("type", "title", "detail"):
        told = (hidden.json()[name], missing.json()[name])
        assert told[0].replace(made, "ID") == told[1].replace("01ZZZZZZZZZZZZZZZZZZZZZZZZ", "ID")


def test_a_secret_stops_it(ada):
    stopped = ada("POST", "/library", GUIDE | {"text": "The wifi password is kedi-1234."})
    assert stopped.status_code == 403
    assert "secret (password)" in stopped.json()["detail"]
    assert "kedi" not in stopped.text


def test_a_recall_brings_what_others_published_where_it_is_asked_for(ada, bob):
    ada("POST", "/library", GUIDE)
    bob("PUT", "/config", {"shared.deadline_ms": 60_000.0})
    assert bob("POST", "/recall", QUESTION).json()["hits"] == []
    hits = bob("POST", "/recall", QUESTION | {"shared": True}).json()["hits"]
    assert [one["whence"] for one in hits] == ["library"]


def test_channels_are_granted_written_into_and_revoked(ada, bob):
    ada.remember("Deploys go through staging first", channel="apollo")
    made = ada("PUT", "/grants/apollo/bob", {"role": "writer"}).json()
    assert (made["user"], made["role"]) == ("bob", "writer")
    asked = QUESTION | {"channel": "apollo"}
    assert [one["whence"] for one in bob("POST", "/recall", asked).json()["hits"]] == ["shared"]
    kept = bob(
        "POST", "/contribute", {"text": "Deploys are slow", "owner": "ada", "channel": "apollo"}
    ).json()
    assert ada("GET", f"/memories/{kept['id']}").json()["actor"] == "bob"
    assert len(bob("GET", "/grants").json()["received"]) == 1
    assert ada("DELETE", "/grants/apollo/bob").status_code == 200
    assert bob("POST", "/recall", asked).json()["hits"] == []
    assert ada("DELETE", "/grants/apollo/bob").status_code == 404


def test_a_channel_whose_name_has_a_slash_can_be_granted(ada, bob):
    made = ada("PUT", "/grants/team%2Fapollo/bob", {"role": "reader"}).json()
    assert (made["channel"], made["user"]) == ("team/apollo", "bob")
    assert [one["channel"] for one in bob("GET", "/grants").json()["received"]] == ["team/apollo"]
    assert ada("DELETE", "/grants/team%2fapollo/bob").status_code == 200
    assert bob("GET", "/grants").json()["received"] == []
