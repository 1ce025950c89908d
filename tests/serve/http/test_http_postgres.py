"""Services in real processes on one PostgreSQL: they see each other, and outlive its restart and each other."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from itertools import pairwise

import pytest
from test_http_process import started

from recollect import Recollect
from recollect.assembly import on_server
from recollect.model import Filter
from recollect.testing import HashEmbedder

LONG = int(os.environ.get("RECOLLECT_CHAOS_SECONDS", "30"))
"""So long services, workers and the server are disturbed; two minutes tell more."""
pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
TOLD = {200, 201, 503}
EVERY_MINUTES = 0.25
"""How often the workers of these tests consolidate."""


@pytest.fixture
def address(postgres_address, monkeypatch):
    return postgres_address


def kept(address):
    with Recollect(on_server(address), user="default", channel="_global", embedder=HashEmbedder()) as memory:
        assert memory.verify() == []
        found = {one.text for one in memory.list(Filter(any_session=True), limit=None)}
        memory.store.close()
        return found


def test_two_services_see_each_others_writes_at_once(environment, address):
    with ExitStack() as running:
        one, other = (
            running.enter_context(
                started(environment, "--no-keys", "--store", address, RECOLLECT_SERVICE_WORKERS="1")
            )
            for _ in range(2)
        )
        one.wait()
        other.wait()
        for number in range(5):
            text = f"Ship {number} has a red sail"
            status, _ = one.call("POST", "/api/memory/remember", {"text": text})
            assert status in {200, 201}
            status, answer = other.call(
                "POST", "/api/memory/recall", {"query": f"ship {number} sail", "k": 10}
            )
            assert status == 200
            assert text in {hit["text"] for hit in json.loads(answer)["hits"]}
            one, other = other, one


@contextmanager
def worker(environment, address):
    process = subprocess.Popen(
        [sys.executable, "-m", "recollect", "worker", "--store", address, "--json"],
        env=environment | {"RECOLLECT_WORKER_CONSOLIDATE": str(EVERY_MINUTES)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)


class Client(threading.Thread):
    """Remembers and recalls without a pause; knows what was acknowledged and what else it was told."""

    def __init__(self, name, service, stop):
        super().__init__()
        self.label, self.service, self.stop = name, service, stop
        self.acknowledged, self.statuses, self.cut, self.without_advice = set(), {}, 0, 0

    def run(self):
        number = 0
        while not self.stop.is_set():
            number += 1
            text = f"{self.label} has told of the {number}th island"
            try:
                if self.asked("remember", {"text": text}) in {200, 201}:
                    self.acknowledged.add(text)
                self.asked("recall", {"query": "which island?", "k": 3})
            except OSError:
                self.cut += 1  # its service was killed
                time.sleep(0.2)

    def asked(self, verb, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=40)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/api/memory/{verb}", json.dumps(body), headers)
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        self.without_advice += answer.status == 503 and answer.getheader("Retry-After") is None
        return answer.status


@pytest.mark.parametrize("seconds", [6, pytest.param(LONG, marks=pytest.mark.slow)])
def test_no_acknowledged_write_is_lost_when_services_workers_and_the_server_go(
    environment, address, postgres_server, seconds
):
    """Two services and two workers under load; one of each is killed, and the server crashes and returns."""
    stop = threading.Event()
    one_worker = {"RECOLLECT_SERVICE_WORKERS": "1"}
    with ExitStack() as running:
        first, second = (
            running.enter_context(started(environment, "--no-keys", "--store", address, **one_worker))
            for _ in range(2)
        )
        workers = [running.enter_context(worker(environment, address)) for _ in range(2)]
        first.wait()
        second.wait()
        clients = [Client("Ada", first, stop), Client("Bob", second, stop), Client("Eve", second, stop)]
        for client in clients:
            client.start()
        time.sleep(seconds / 2)
        os.killpg(first.process.pid, signal.SIGKILL)
        os.killpg(workers[0].pid, signal.SIGKILL)
        time.sleep(1)
        before = len(clients[1].acknowledged)
        postgres_server.stop(signal.SIGQUIT)
        time.sleep(1)
        postgres_server.start()
        deadline = time.monotonic() + 60
        while len(clients[1].acknowledged) < before + 5 and time.monotonic() < deadline:
            time.sleep(0.2)
        time.sleep(seconds / 2)
        # On a busy machine the workers take their time.
        deadline = time.monotonic() + 60
        while seconds >= LONG and jobs_done(address) <= 1 and time.monotonic() < deadline:
            time.sleep(1)
        stop.set()
        for client in clients:
            client.join()
        assert workers[1].poll() is None, "the other worker goes on"
    told = {status for client in clients for status in client.statuses}
    assert told <= TOLD, [client.statuses for client in clients]
    assert not any(client.without_advice for client in clients), "a 503 says when to try again"
    assert len(clients[1].acknowledged) >= before + 5, "it went on after the restart"
    assert clients[1].cut == clients[2].cut == 0
    assert set().union(*(client.acknowledged for client in clients)) <= kept(address)
    runs = jobs_done(address)
    if seconds >= LONG:
        assert runs > 1, "the workers worked"


def jobs_done(address):
    """How many jobs the chain tells of; none of them came twice within its interval."""
    with Recollect(on_server(address), user="default", channel="_global", embedder=HashEmbedder()) as memory:
        began = defaultdict(list)
        for entry in memory.store.witness("default"):
            if entry.operation == "job":
                began[entry.detail["job"]].append(entry.detail["began"])
        intervals = dict.fromkeys(began, 15 * 60.0) | {"consolidate": EVERY_MINUTES * 60.0}
        for job, moments in began.items():
            gaps = [(later - one) / 1e6 for one, later in pairwise(sorted(moments))]
            assert all(gap >= intervals[job] for gap in gaps), (job, gaps)
        return sum(len(moments) for moments in began.values())
