"""The service in real processes: started, stopped, killed."""

import http.client
import json
import os
import signal
import sys
import threading
import time

import pytest
from service_processes import started

from recollect import Recollect
from recollect.model import Filter
from recollect.testing import HashEmbedder


def kept(store):
    with Recollect(store, user="default", channel="_global", embedder=HashEmbedder()) as memory:
        assert memory.verify() == []
        return {one.text for one in memory.list(Filter(any_session=True), limit=None)}


def test_a_request_in_flight_is_finished_before_the_service_stops(environment, service, store):
    service.asked.clear()
    service.released.clear()
    answers = []
    with started(environment, "--no-keys", RECOLLECT_SERVICE_WORKERS="1") as running:
        running.wait()
        body = {"text": "slow"}
        sender = threading.Thread(
            target=lambda: answers.append(running.call("POST", "/api/memory/remember", body))
        )
        sender.start()
        assert service.asked.wait(60)
        running.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert running.process.poll() is None
        service.released.set()
        sender.join(60)
        assert running.process.wait(60) == 0
    service.asked.clear()
    service.released.clear()
    assert [status for status, _ in answers] == [200]
    assert kept(store) == {"slow"}


def test_without_keys_it_listens_to_this_machine_alone(cli):
    ran = cli("serve", "--no-keys", "--host", "0.0.0.0", "--json")
    assert (ran.code, "--no-keys is for this machine alone" in ran.json["error"]["message"]) == (2, True)


def test_a_port_that_is_taken_is_told_before_anything_starts(cli):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = cli("serve", "--port", str(taken.getsockname()[1]), "--json")
    assert (ran.code, "cannot be served" in ran.json["error"]["message"]) == (2, True)


def test_keys_are_made_listed_and_revoked_in_the_shell(cli):
    made = cli("keys", "create", "--user", "ada", "--right", "read", "--name", "laptop", "--json").json
    assert (made["user"], made["rights"], made["key"].startswith("rcl_")) == ("ada", ["read"], True)
    assert cli("keys", "create", "--right", "everything").code == 2
    listed = cli("keys", "list", "--json").json["keys"]
    assert [one["id"] for one in listed] == [made["id"]]
    assert "key" not in listed[0]
    assert cli("keys", "list", "--user", "bob", "--json").json == {"keys": []}
    assert cli("keys", "revoke", made["id"], "--json").json["revoked_at"] is not None
    assert cli("keys", "revoke", "nothing").code == 1
    assert made["id"] in cli("keys", "list").out


@pytest.mark.slow
def test_a_session_of_the_dashboard_is_good_in_every_worker(environment, cli, process):
    process("remember", "Deploys go through staging first")
    token = cli("keys", "create", "--user", "default", "--json").json["key"]
    with started(environment, RECOLLECT_SERVICE_WORKERS="2") as running:
        running.wait("/ready")

        def asked(method, path, body=None, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                return answer.status, answer.getheader("set-cookie") or "", answer.read().decode()
            finally:
                connection.close()

        status, cookie, _ = asked("POST", "/dashboard/login", f"key={token}")
        assert status == 303
        session = cookie.partition(";")[0]
        # A fresh connection may reach either worker.
        for _ in range(20):
            status, _, page = asked("GET", "/dashboard", Cookie=session)
            assert (status, "Deploys go through staging first" in page) == (200, True)
        assert asked("GET", "/dashboard")[0] == 303


@pytest.mark.slow
def test_workers_serve_one_store_and_count_together(environment, cli, store):
    token = cli("keys", "create", "--right", "read", "--right", "write", "--right", "admin", "--json").json[
        "key"
    ]
    with started(environment, RECOLLECT_SERVICE_WORKERS="2") as running:
        assert running.told["workers"] == 2
        running.wait("/ready")
        assert running.call("GET", "/api/memory/stats")[0] == 401
        for number in range(12):
            body = {"text": f"deploy number {number}"}
            assert running.call("POST", "/api/memory/remember", body, token)[0] == 200
            # A fresh connection may reach either worker: each sees what the other wrote.
            found = json.loads(
                running.call("POST", "/api/memory/recall", {"query": body["text"], "k": 1}, token)[1]
            )
            assert found["hits"][0]["text"] == body["text"]
        told = running.call("GET", "/metrics", key=token)[1]
        assert 'recollect_requests_total{route="remember",status="200"} 12.0' in told
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(60) == 0
    assert len(kept(store)) == 12


@pytest.mark.slow
def test_a_kill_loses_no_acknowledged_write(environment, store):
    acknowledged = []
    for turn in range(3):
        with started(environment, "--no-keys", RECOLLECT_SERVICE_WORKERS="2") as running:
            running.wait("/ready")

            def write(thread, running=running, turn=turn):
                for number in range(10_000):
                    text = f"turn {turn} thread {thread} number {number}"
                    try:
                        status, _ = running.call("POST", "/api/memory/remember", {"text": text})
                    except (OSError, http.client.HTTPException):
                        return
                    assert status == 200
                    acknowledged.append(text)

            threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
            for thread in threads:
                thread.start()
            before = len(acknowledged)
            while len(acknowledged) < before + 30:
                time.sleep(0.05)
            os.killpg(running.process.pid, signal.SIGKILL)
            for thread in threads:
                thread.join(60)
    assert set(acknowledged) <= kept(store)


@pytest.mark.slow
def test_workers_do_not_outlive_whoever_started_them(environment):
    with started(environment, "--no-keys", RECOLLECT_SERVICE_WORKERS="2") as running:
        running.wait("/ready")
        os.kill(running.process.pid, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                running.call("GET", "/health")
            except OSError:
                break
            time.sleep(0.2)
        else:
            raise AssertionError("a worker still answers")


@pytest.mark.parametrize(
    ("verb", "missing", "extra"), [("serve", "uvicorn", "server"), ("mcp", "mcp.server", "mcp")]
)
def test_a_missing_extra_is_named(cli, monkeypatch, verb, missing, extra):
    monkeypatch.setitem(sys.modules, missing, None)
    ran = cli(verb, "--json")
    assert (ran.code, ran.json["error"]["type"]) == (1, "MissingExtra")
    assert f"pip install 'recollect[{extra}]'" in ran.json["error"]["message"]
