"""Which worker takes a connection: real processes on one socket, and a worker that does not answer."""

import asyncio
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

import pytest
import uvicorn

from recollect.serve.http.connections import PATIENCE_SECONDS, SLOT, Counts, Listener
from recollect.serve.http.running import listening

CONNECTIONS = 20


def serve(bound: Listener) -> None:
    """A worker that tells its number to whoever connects, and keeps the connection."""

    async def told(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        at_once = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.write(f"{os.getpid()} {at_once}\n".encode())
        await reader.read()  # until the other side closes
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(told, sock=bound, backlog=1)
        await server.serve_forever()

    asyncio.run(run())


@pytest.fixture
def bound(tmp_path):
    Counts.create(tmp_path / "connections")
    with Listener(listening("127.0.0.1", 0), tmp_path / "connections") as made:
        made.setblocking(False)
        yield made


@pytest.fixture
def workers(bound):
    spawned = multiprocessing.get_context("spawn")
    started = [spawned.Process(target=serve, args=(bound,)) for _ in range(2)]
    for worker in started:
        worker.start()
    yield started
    for worker in started:
        worker.kill()
        worker.join()


class Clients:
    """Connections that stay open until all are closed, and which worker took each."""

    def __init__(self, bound: socket.socket) -> None:
        self._address = bound.getsockname()
        self._kept: list[socket.socket] = []

    def connect(self, many: int) -> Counter[int]:
        """Which workers took so many more."""
        return Counter(self._connected() for _ in range(many))

    def wait_for(self, workers: int) -> None:
        """Until so many take connections."""
        seen: set[int] = set()
        while len(seen) < workers:
            seen |= set(self.connect(4))
            self.close()
            time.sleep(0.05)

    def close(self) -> None:
        for one in self._kept:
            one.close()
        self._kept.clear()

    def _connected(self) -> int:
        self._kept.append(socket.create_connection(self._address, timeout=30))
        with self._kept[-1].makefile() as told:
            process, at_once = map(int, told.readline().split())
            assert at_once, "an answer of two parts would wait for its reader"
            return process


@pytest.fixture
def clients(bound, workers):
    made = Clients(bound)
    made.wait_for(len(workers))
    yield made
    made.close()


async def answer(scope, receive, send) -> None:
    """An application that says nothing."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@contextmanager
def served(bound: socket.socket) -> Iterator[uvicorn.Server]:
    """What a worker does with a socket, in a thread."""
    server = uvicorn.Server(uvicorn.Config(answer, lifespan="off", log_config=None, backlog=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join()


def others(bound: Listener, connections: int) -> None:
    """Another process that lives and has so many."""
    with bound._path.open("r+b") as file:
        file.seek(5 * SLOT.size)
        file.write(SLOT.pack(os.getppid(), connections))


def test_workers_get_the_same_number_of_connections(clients, workers):
    shares = clients.connect(CONNECTIONS)
    assert set(shares) == {worker.pid for worker in workers}
    assert max(shares.values()) - min(shares.values()) <= 2, shares


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_connection_of_the_service_sends_at_once(tmp_path, host, is_shared):
    bound = listening(host, 0)
    if is_shared:
        Counts.create(tmp_path / "connections")
        bound = Listener(bound, tmp_path / "connections")
    with served(bound) as server:
        connection = HTTPConnection(*bound.getsockname()[:2], timeout=30)
        connection.request("GET", "/")
        assert connection.getresponse().status == 204
        [kept] = server.server_state.connections
        taken = kept.transport.get_extra_info("socket")
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        connection.close()


def test_a_connection_waits_a_moment_for_a_worker_with_fewer_and_not_for_ever(bound):
    others(bound, 0)
    address = bound.getsockname()
    with socket.create_connection(address), socket.create_connection(address), bound.accept()[0]:
        began = time.monotonic()
        with pytest.raises(BlockingIOError, match="fewer"):
            bound.accept()
        while True:
            try:
                second, _ = bound.accept()
                break
            except BlockingIOError:
                assert time.monotonic() - began < 100 * PATIENCE_SECONDS
        assert time.monotonic() - began >= PATIENCE_SECONDS
        second.close()


def test_a_connection_that_was_closed_counts_no_longer(bound):
    others(bound, 1)
    address = bound.getsockname()
    for _ in range(3):
        with socket.create_connection(address):
            taken, _ = bound.accept()
            taken.close()


def test_a_worker_that_died_is_not_waited_for(clients, workers):
    clients.connect(6)
    dead, alive = workers
    os.kill(dead.pid, signal.SIGKILL)
    dead.join()
    assert set(clients.connect(6)) == {alive.pid}


def test_a_slot_of_a_dead_process_is_taken_again(tmp_path):
    path = tmp_path / "connections"
    Counts.create(path)
    gone = multiprocessing.get_context("spawn").Process(target=os.getpid)
    gone.start()
    gone.join()
    path.write_bytes(SLOT.pack(gone.pid, 7) + path.read_bytes()[SLOT.size :])
    counts = Counts(path)
    counts.tell(3)
    assert SLOT.unpack_from(path.read_bytes()) == (os.getpid(), 3)
    assert counts.fewest() is None
