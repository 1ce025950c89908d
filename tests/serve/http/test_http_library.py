"""A library that another host serves: found, published to and reported to from a store that is elsewhere."""

import os
import signal
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from served import listening, serving
from service_processes import started

from recollect import Recollect
from recollect.errors import InvalidInput, NotFound, Refused, StoreError, StoreUnavailable
from recollect.serve.keys import Right
from recollect.settings import Settings, SharedSettings
from recollect.testing import FakeClock, HashEmbedder

QUESTION = "how do deploys go through staging?"
GUIDE = ("How deploys go", "Deploys go through staging first")
PATIENT = {"shared.enabled": True, "shared.deadline_ms": 60_000.0}


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Opens the store of an agent that is elsewhere, with the address of a library and a key for it."""
    opened = []

    def open_agent(name, address, key="", **settings):
        monkeypatch.setenv("RECOLLECT_LIBRARY_KEY", key)
        memory = Recollect(
            tmp_path / f"{name}.db",
            user=name,
            embedder=HashEmbedder(),
            clock=FakeClock(),
            settings={**PATIENT, "shared.store": address, **settings},
        )
        opened.append(memory)
        assert memory.library is not None  # opened now, with this key
        return memory

    yield open_agent
    for one in opened:
        one.close()


@pytest.fixture
def library(tmp_path):
    with listening(tmp_path / "served.db") as server:
        yield server


@pytest.fixture
def keys(library):
    return lambda user, *rights: library.service.keys.create(user, rights or tuple(Right))[1]


@pytest.fixture
def answering():
    """A server that answers everything in one way, and what it was asked with."""
    made = []

    def serve(status, body=b"", headers=()):
        heard = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                heard.append(dict(self.headers))
                self.send_response(status)
                for header in headers:
                    self.send_header(*header)
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.do_POST()

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        made.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}", heard

    yield serve
    for one in made:
        one.shutdown()
        one.server_close()


def step(found):
    return next(one.detail for one in found.trace.steps if one.stage == "library")


def test_what_one_publishes_elsewhere_another_finds_beside_their_own(agent, library, keys):
    ada = agent("ada", library.url, keys("ada"))
    source = ada.remember(GUIDE[1]).id
    item = ada.publish(GUIDE[0], of=source, tags=["ops"], summary="In one line")
    assert (item.is_own, item.version, ada.sources_of(item.id)) == (True, 1, (source,))
    ben = agent("ben", library.url, keys("ben"))
    own = ben.remember("The staging machine is slow").id
    found = ben.recall(QUESTION)
    assert {(hit.whence, hit.id) for hit in found} == {("own", own), ("library", item.id)}
    told = next(hit for hit in found if hit.whence == "library")
    assert told.text == "How deploys go\n\nIn one line\n\nDeploys go through staging first"
    assert (told.memory.metadata["author"], told.memory.metadata["title"], told.memory.channel) == (
        "ada",
        "How deploys go",
        "library",
    )
    assert told.similarity > 0.1
    assert sum(told.signals.values()) == pytest.approx(told.score)
    assert step(found)["told"] == 1
    assert "published by ada" in ben.context(QUESTION)
    assert [one.id for one in ben.search_library("staging")] == [item.id]
    assert ben.find(item.id) is None


def test_an_item_is_the_same_as_the_service_shows_it(agent, library, keys):
    ada = agent("ada", library.url, keys("ada"))
    first = ada.publish(*GUIDE, kind="pattern", tags=["ops"], access="users:ben, eve")
    ada.publish("How deploys go", "Deploys go out on Tuesdays", kind="pattern", item=first.id)
    with library.service.engines.of("ada") as there:
        assert ada.published() == there.published()
        assert ada.item(first.id, 1) == there.item(first.id, 1)
        assert ada.item_versions(first.id) == there.item_versions(first.id)
    ben = agent("ben", library.url, keys("ben"))
    assert str(ben.item(first.id).access) == "public"
    assert str(ben.item(first.id, 1).access) == "public"
    shown = ada.preview("How deploys go", "Deploys go out on Fridays", kind="pattern", item=first.id)
    assert (shown.replaces, shown.may_leave) == (2, True)
    assert "-Deploys go out on Tuesdays" in shown.changes


def test_who_else_may_read_an_item_is_not_told(agent, library, keys):
    item = agent("ada", library.url, keys("ada")).publish(*GUIDE, access="users:ben,zoe")
    ben = agent("ben", library.url, keys("ben"))
    assert str(ben.item(item.id).access) == "users"
    assert "zoe" not in repr(ben.item(item.id))


def test_what_one_may_not_read_is_not_there(agent, library, keys):
    item = agent("ada", library.url, keys("ada")).publish(*GUIDE, access="users:ben")
    eve = agent("eve", library.url, keys("eve"))
    assert list(eve.recall(QUESTION)) == []
    with pytest.raises(NotFound) as hidden:
        eve.item(item.id)
    with pytest.raises(NotFound) as missing:
        eve.item("01ZZZZZZZZZZZZZZZZZZZZZZZZ")
    assert str(hidden.value).replace(item.id, "ID") == str(missing.value).replace(
        "01ZZZZZZZZZZZZZZZZZZZZZZZZ", "ID"
    )


def test_after_unpublishing_the_next_recall_is_without_it(agent, library, keys):
    ada = agent("ada", library.url, keys("ada"))
    item = ada.publish(*GUIDE)
    ben = agent("ben", library.url, keys("ben"))
    assert [hit.id for hit in ben.recall(QUESTION)] == [item.id]
    with pytest.raises(Refused):
        ben.unpublish(item.id)
    with pytest.raises(Refused, match="somebody else"):
        ben.publish(*GUIDE, item=item.id)
    assert ada.unpublish(item.id, erase=True).is_published is False
    assert list(ben.recall(QUESTION)) == []
    assert ada.published() == []


def test_outcomes_are_told_there_under_the_keys_user(agent, library, keys):
    ada = agent("ada", library.url, keys("ada"))
    item = ada.publish(*GUIDE)
    ben = agent("ben", library.url, keys("ben"))
    assert ben.report([item.id, "01ZZZZZZZZZZZZZZZZZZZZZZZZ"], success=True) == [item.id]
    ben.feedback(item.id, helpful=True)
    assert ada.report(item.id, success=True) == []  # nobody praises their own
    assert ben.coordinate() is None  # that is for whoever runs it
    (voice,) = library.service.store.records("_library", "voice")
    assert voice.value == {item.id: [2, 2]}


def test_a_secret_is_stopped_before_anything_leaves(agent):
    nobody = agent("ada", "http://127.0.0.1:9")
    with pytest.raises(Refused, match="secret"):
        nobody.publish("Wifi", "The wifi password is kedi-1234.")
    with pytest.raises(StoreUnavailable):
        nobody.publish(*GUIDE)


def test_a_key_is_of_one_user_and_asks_for_nobody_else(agent, library, keys):
    ada = agent("ada", library.url, keys("ada"))
    ada.publish(*GUIDE, access="users:ada")
    beside = ada.beside("eve")
    own = beside.remember("The staging machine is slow").id
    found = beside.recall(QUESTION)
    assert ([hit.id for hit in found], step(found)) == ([own], {"left_out": "Refused"})
    with pytest.raises(Refused, match="key of ada"):
        beside.published()
    with pytest.raises(Refused, match="whoever runs that"):
        ada.enrol("ada", tiers=["pro"])


def test_a_key_that_is_not_known_or_may_not_write_is_told(agent, library, keys):
    stranger = agent("ada", library.url, "rcl_0_wrong")
    own = stranger.remember("The staging machine is slow").id
    found = stranger.recall(QUESTION)
    assert ([hit.id for hit in found], step(found)) == ([own], {"left_out": "Refused"})
    with pytest.raises(Refused, match="401"):
        stranger.published()
    reader = agent("ben", library.url, keys("ben", Right.READ))
    assert reader.published() == []
    with pytest.raises(Refused, match="403"):
        reader.publish(*GUIDE)


def test_a_dead_service_leaves_ones_own_answer_as_it_is(agent):
    memory = agent("ben", "http://127.0.0.1:9")
    memory.remember(GUIDE[1])
    plain = memory.recall(QUESTION, shared=False)
    found = memory.recall(QUESTION)
    assert (found.hits, step(found)) == (plain.hits, {"left_out": "StoreUnavailable"})
    assert "did not answer lately" in step(memory.recall(QUESTION))["left_out"]


def test_a_slow_service_is_not_waited_for_longer_than_the_deadline(agent):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        memory = agent("ben", address, **{"shared.deadline_ms": 80.0})
        memory.remember(GUIDE[1])
        plain = memory.recall(QUESTION, shared=False)
        began = time.monotonic()
        found = memory.recall(QUESTION)
        assert time.monotonic() - began < 20
        assert (found.hits, step(found)) == (plain.hits, {"left_out": "no answer in time"})
        assert step(memory.recall(QUESTION))["left_out"] == "it has not answered an earlier question yet"


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"hits": 7}', b'{"hits": [{"id": "x"}]}', b'{"hits": [7]}']
)
def test_an_answer_that_makes_no_sense_is_as_none(agent, answering, body):
    address, _ = answering(200, body)
    memory = agent("ben", address)
    own = memory.remember(GUIDE[1]).id
    found = memory.recall(QUESTION)
    assert ([hit.id for hit in found], step(found)) == ([own], {"left_out": "StoreUnavailable"})


def test_the_key_goes_nowhere_else(agent, answering):
    elsewhere, heard_elsewhere = answering(200, b"{}")
    address, heard = answering(307, headers=[("Location", elsewhere)])
    memory = agent("ben", address, "rcl_1_key")
    with pytest.raises(StoreError, match="307"):
        memory.published()
    assert (heard[0]["Authorization"], heard_elsewhere) == ("Bearer rcl_1_key", [])


@pytest.mark.parametrize("address", ["http://ada:word@host", "https://", "http://["])
def test_an_address_that_cannot_be_is_refused_and_not_quoted(tmp_path, address):
    settings = {**PATIENT, "shared.store": address}
    with Recollect(tmp_path / "own.db", user="ada", embedder=HashEmbedder(), settings=settings) as memory:
        with pytest.raises(InvalidInput, match="looks like https") as refused:
            memory.published()
        assert "word" not in str(refused.value)


def test_a_service_of_many_users_has_a_library_of_its_own(tmp_path):
    from recollect.serve.http.service import Options, Service

    settings = Settings(shared=SharedSettings(store="http://127.0.0.1:9"))
    with pytest.raises(InvalidInput, match="with one key"):
        Service(Options(str(tmp_path / "served.db"), "ada", settings=settings), embedder=HashEmbedder())


def test_a_question_of_another_recall_is_answered_with_its_scores(tmp_path):
    with serving(tmp_path / "served.db", keys=False) as client:
        client.post("/api/memory/library", json={"title": GUIDE[0], "text": GUIDE[1]})
        asked = {"query": QUESTION, "k": 1, "profile": "default"}
        (hit,) = client.post("/api/memory/library/search", json=asked).json()["hits"]
        assert (hit["title"], hit["version"]) == (GUIDE[0], 1)
        assert sum(hit["signals"].values()) == pytest.approx(hit["score"])
        assert client.post("/api/memory/library/search", json={"query": QUESTION, "k": 0}).status_code == 422


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_service_that_is_killed_is_left_out_and_asked_again_when_it_is_back(agent, environment):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    once = {"RECOLLECT_SERVICE_WORKERS": "1"}
    with started(environment, "--no-keys", port=port, **once) as running:
        running.wait()
        memory = agent("default", f"http://127.0.0.1:{port}")
        own = memory.remember("The staging machine is slow").id
        item = memory.publish(*GUIDE)
        both = {("own", own), ("library", item.id)}
        assert {(hit.whence, hit.id) for hit in memory.recall(QUESTION)} == both
        os.killpg(running.process.pid, signal.SIGKILL)
        running.process.wait(60)
        found = memory.recall(QUESTION)
        assert ([hit.id for hit in found], step(found)) == ([own], {"left_out": "StoreUnavailable"})
    with started(environment, "--no-keys", port=port, **once) as running:
        running.wait()
        deadline = time.monotonic() + 60
        while "left_out" in step(memory.recall(QUESTION)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert {(hit.whence, hit.id) for hit in memory.recall(QUESTION)} == both
