"""Services in real processes on one PostgreSQL: they see each other, and outlive its restart and each other."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
from test_http_process import started

from recollect import Recollect
from recollect.assembly import on_server
from recollect.model import Filter
from recollect.testing import HashEmbedder

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
TOLD = {200, 201, 503}


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
        env=environment | {"RECOLLECT_WORKER_CONSOLIDATE": "1"},
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
        self.acknowledged, self.statuses, self.cut, self.headers_missing = set(), {}, 0, 0

    def run(self):
        number = 0
        while not self.stop.is_set():
            number += 1
            text = f"{self.label} has told of the {number}th island"
            try:
                status, _ = self.service.call("POST", "/api/memory/remember", {"text": text})
                if status in {200, 201}:
                    self.acknowledged.add(text)
                self.statuses[status] = self.statuses.get(status, 0) + 1
                status, _ = self.service.call(
                    "POST", "/api/memory/recall", {"query": "which island?", "k": 3}
                )
                self.statuses[status] = self.statuses.get(status, 0) + 1
            except OSError:
                self.cut += 1  # its service was killed
                time.sleep(0.2)


def test_no_acknowledged_write_is_lost_when_services_workers_and_the_server_go(
    environment, address, postgres_server
):
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
        clients = [Client("Ada", first, stop), Client("Bob", second, stop)]
        for client in clients:
            client.start()
        time.sleep(3)
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
        stop.set()
        for client in clients:
            client.join()
        assert workers[1].poll() is None, "the other worker goes on"
    told = set(clients[0].statuses) | set(clients[1].statuses)
    assert told <= TOLD, clients[1].statuses
    assert len(clients[1].acknowledged) >= before + 5, "it went on after the restart"
    assert clients[1].cut == 0
    found = kept(address)
    assert clients[0].acknowledged | clients[1].acknowledged <= found
