"""Who gets into the dashboard, what they see there, and what they may do."""

import re
import sys

import pytest
from served import caller
from visiting import ROOT, Visitor, visited, words

from recollect.errors import StoreUnavailable
from recollect.serve.dashboard import sessions
from recollect.serve.dashboard.pages import DEEDS, FEEDS, PAGES
from recollect.serve.keys import Right

MARK = "zanzibar"


@pytest.fixture
def client(tmp_path):
    with visited(tmp_path / "served.db") as client:
        yield client


def filled(path, named):
    for place, value in named.items():
        path = path.replace(place, value)
    return path


@pytest.fixture
def victim(client):
    """Ids of what is Ada's, by their places in an address."""
    ada = caller(client, "ada")
    known = ada.remember(f"The treasure lies in {MARK}", channel="secret", tags=["review"])
    episode = ada("POST", "/episodes", {"goal": f"find {MARK}"}).json()["id"]
    ada("POST", f"/episodes/{episode}/steps", {"state": f"at {MARK}", "action": "dig"})
    ada("POST", f"/episodes/{episode}/outcome", {"success": True})
    dream = ada("POST", "/dreams", {}).json()["id"]
    return {"{memory_id}": known, "{episode_id}": episode, "{dream_id}": dream}


def test_a_stranger_sees_and_changes_nothing_of_anothers(client, victim):
    eve = Visitor(client, "eve")
    before = client.service.store.witness("ada")
    for one in (*PAGES, *FEEDS):
        answer = eve.get(filled(one.path, victim), **({"q": MARK} if one.name == "search" else {}))
        assert answer.status_code == (404 if "{" in one.path else 200), one.name
        told = answer.text.replace(f'value="{MARK}"', "")
        assert MARK not in told, one.name
    fields = {
        "text": "taken over",
        "keep": "new",
        "confirm": "erase",
        "tags": "mine",
        "dry_run": "1",
        "helpful": "no",
    }
    fields |= {"name": "recall.k", "value": "3", "user": "zoe", "channel": "apollo"}
    for deed in DEEDS:
        answer = eve.post(filled(deed.path, victim), **fields)
        assert answer.status_code == (404 if "{" in deed.path else 200), deed.name
        assert MARK not in answer.text, deed.name
    assert client.service.store.witness("ada") == before
    assert client.service.store.settings("ada") == {}


def test_who_may_only_look_sees_no_way_to_change_and_is_refused(client, victim):
    reader = Visitor(client, "ada", Right.READ)
    before = client.service.store.witness("ada")
    for page in PAGES:
        answer = reader.get(filled(page.path, victim))
        assert answer.status_code == 200
        forms = set(re.findall(r'method="post" action="([^"]+)"', answer.text))
        assert forms <= {f"{ROOT}/logout", f"{ROOT}/verify", f"{ROOT}/settings"}, page.name
        if page.name == "settings":
            assert "<button aria-label" not in answer.text
    for deed in DEEDS:
        if deed.right is not Right.READ:
            assert reader.post(filled(deed.path, victim)).status_code == 403, deed.name
    assert client.service.store.witness("ada") == before


def test_who_may_write_may_not_erase_or_configure(client, victim):
    writer = Visitor(client, "ada", Right.READ, Right.WRITE)
    shown = writer.get(filled("/memories/{memory_id}", victim)).text
    assert "/forget" in shown
    assert "/purge" not in shown
    for deed in DEEDS:
        if deed.right is Right.ADMIN:
            assert writer.post(filled(deed.path, victim), confirm="erase").status_code == 403


def test_every_address_asks_who_it_is(client, victim):
    for one in (*PAGES, *FEEDS, *DEEDS):
        method = "POST" if one in DEEDS else "GET"
        answer = client.request(method, ROOT + filled(one.path, victim), follow_redirects=False)
        assert answer.status_code == 303, one.name
        assert answer.headers["location"].startswith(f"{ROOT}/login"), one.name


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_gets(client):
    _, token = client.service.keys.create("ada")
    answer = client.post(f"{ROOT}/login", data={"key": token}, follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert f"Path={ROOT}" in cookie
    assert token not in cookie
    secure = client.post(f"https://localhost{ROOT}/login", data={"key": token}, follow_redirects=False)
    assert "Secure" in secure.headers["set-cookie"]


@pytest.mark.parametrize("wrong", ["", "rcl_000000000000_nothing", "x" * 5_000])
def test_a_wrong_key_is_told_and_gets_no_session(client, wrong):
    answer = client.post(f"{ROOT}/login", data={"key": wrong}, follow_redirects=False)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "not known" in words(answer)


def test_a_key_that_may_not_read_does_not_get_in(client):
    _, token = client.service.keys.create("ada", (Right.WRITE,))
    assert client.post(f"{ROOT}/login", data={"key": token}, follow_redirects=False).status_code == 401


def test_a_session_that_nobody_signed_or_that_is_over_is_none(client):
    key, _ = client.service.keys.create("ada")
    secret = client.service.options.secret
    good = sessions.signed(key.id, 4_000_000_000, secret)
    tries = {
        good: 200,
        sessions.signed(key.id, 1, secret): 303,
        sessions.signed(key.id, 4_000_000_000, b"another"): 303,
        good[:-1] + ("0" if good[-1] != "0" else "1"): 303,
        "nonsense": 303,
    }
    for cookie, status in tries.items():
        headers = {"Cookie": f"{sessions.COOKIE}={cookie}"}
        assert client.get(ROOT, headers=headers, follow_redirects=False).status_code == status, cookie


def test_a_revoked_key_is_out_at_once(client):
    ada = Visitor(client, "ada")
    assert ada.get("").status_code == 200
    (key,) = client.service.keys.all("ada")
    client.service.keys.revoke(key.id)
    assert "Log in" in words(ada.get(""))


def test_logging_out_takes_the_session_away(client):
    ada = Visitor(client, "ada")
    answer = client.post(
        f"{ROOT}/logout",
        headers={"Cookie": f"recollect_session={ada.cookies['recollect_session']}"},
        follow_redirects=False,
    )
    assert 'recollect_session=""' in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("to", "led"),
    [
        (f"{ROOT}/search?q=tea", f"{ROOT}/search?q=tea"),
        ("https://evil.example/", ROOT),
        ("//evil.example", ROOT),
        (f"{ROOT}.evil.example", ROOT),
    ],
)
def test_after_the_login_one_is_where_one_wanted_to_be_and_nowhere_else(client, to, led):
    _, token = client.service.keys.create("ada")
    answer = client.post(f"{ROOT}/login", data={"key": token, "to": to}, follow_redirects=False)
    assert answer.headers["location"] == led


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_a_form_of_another_site_is_not_carried_out(client, victim, headers):
    ada = Visitor(client, "ada")
    before = client.service.store.witness("ada")
    assert ada.post("/remember", headers=headers, text="planted").status_code == 403
    assert client.service.store.witness("ada") == before


def test_a_form_that_is_too_large_is_refused(client):
    ada = Visitor(client, "ada")
    assert ada.post("/remember", text="x" * 1_000_001).status_code == 413


def test_a_key_that_calls_too_often_is_told(tmp_path):
    with visited(tmp_path / "served.db", requests_per_second=1.0) as client:
        ada = Visitor(client, "ada")
        assert {ada.get("").status_code for _ in range(5)} == {200, 429}


def test_without_keys_the_machine_is_the_user_and_no_other_name_is_served(tmp_path):
    with visited(tmp_path / "served.db", keys=False) as client:
        assert "ada" in words(client.get(ROOT))
        assert client.get(ROOT, headers={"Host": "evil.example"}).status_code == 403
        planted = client.post(
            f"{ROOT}/remember", data={"text": "x"}, headers={"Origin": "https://evil.example"}
        )
        assert planted.status_code == 403
        assert client.service.store.users() == []


def test_a_browser_is_led_from_the_root_to_the_dashboard_and_a_program_is_not(client):
    browser = client.get("/", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (browser.status_code, browser.headers["location"]) == (303, ROOT)
    assert client.get("/").json()["name"] == "recollect"


def test_an_unknown_page_is_told(client):
    answer = Visitor(client, "ada").get("/nothing")
    assert (answer.status_code, "there is no page" in words(answer)) == (404, True)


@pytest.mark.parametrize("missing", [True, False])
def test_without_the_extra_or_without_wanting_it_there_is_no_dashboard(tmp_path, monkeypatch, missing):
    from starlette.testclient import TestClient

    from recollect.serve.http.app import application
    from recollect.serve.http.service import Options, Service
    from recollect.testing import HashEmbedder

    if missing:
        for name in [one for one in sys.modules if one.startswith("recollect.serve.dashboard")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "jinja2", None)
    options = Options(str(tmp_path / "served.db"), "ada", keys=False, dashboard=missing)
    service = Service(options, embedder=HashEmbedder())
    with TestClient(application(service), base_url="http://localhost") as client:
        assert client.get(ROOT).status_code == 404
        assert client.get("/", headers={"Accept": "text/html"}).json()["name"] == "recollect"


def test_a_stranger_is_not_told_where_the_store_lies_that_is_away(client, monkeypatch):
    def away(*_):
        raise StoreUnavailable(
            "the server of postgresql://db.internal:5432/agents does not answer; try again"
        )

    monkeypatch.setattr(client.service.keys, "find", away)
    answer = client.post(f"{ROOT}/login", data={"key": "x"})
    assert answer.status_code == 503
    assert "internal" not in answer.text
