"""The command line in this process and in real ones, with the hash embedder in place of a model.

In this process `make_embedder` is replaced. Real processes are given an OpenAI-compatible service on this
machine that answers with the same vectors.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from recollect import Recollect
from recollect.serve.cli import app
from recollect.testing import HashEmbedder


@dataclass(frozen=True)
class Ran:
    """How a command line ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Stock:
    """A store with something in it, and the ids of that."""

    path: Path
    deploys: str
    porto: str
    lisbon: str
    turn: str


@pytest.fixture(autouse=True)
def own_environment(tmp_path, monkeypatch):
    """No test sees this machine's settings, or writes to its user's folders."""
    for name in [name for name in os.environ if name.startswith("RECOLLECT_")]:
        monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def store(tmp_path, monkeypatch) -> Path:
    """Where the command line keeps its store; nothing is there yet."""
    path = tmp_path / "agent.db"
    monkeypatch.setenv("RECOLLECT_STORE", str(path))
    return path


@pytest.fixture
def cli(store, monkeypatch) -> Callable[..., Ran]:
    """Runs one command line in this process."""
    for module in ("recollect.engine.core", "recollect.assembly"):
        monkeypatch.setattr(f"{module}.make_embedder", lambda *_: HashEmbedder())

    def run(*words: str, given: str | bytes | None = None) -> Ran:
        result = CliRunner().invoke(app, words, input=given, prog_name="recollect")
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture(scope="session")
def stocked(tmp_path_factory) -> Stock:
    """Filled once; each test works on a copy."""
    path = tmp_path_factory.mktemp("stock") / "stock.db"
    with Recollect(path, user="default", channel="_global", embedder=HashEmbedder()) as memory:
        deploys = memory.remember("Deploys go through staging first", tags=["ops"], session="s1").id
        porto = memory.remember("The office is in Porto", kind="fact", valid_from="2025-03-01").id
        lisbon = memory.remember("The office is in Lisbon", kind="fact", supersedes=porto).id
        turns = memory.observe(
            [{"role": "user", "name": "Ada", "content": "I like tea"}], session="s2", run="r1"
        )
    return Stock(path, deploys, porto, lisbon, turns[0].id)


@pytest.fixture
def stock(stocked, store) -> Stock:
    shutil.copyfile(stocked.path, store)
    return stocked


class _Embeddings(BaseHTTPRequestHandler):
    """POST /v1/embeddings, with the vectors of the hash embedder; a text of `slow` is never answered."""

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        if "slow" in texts:
            self.server.asked.set()
            self.server.released.wait(30)
        vectors = HashEmbedder().embed(texts).tolist()
        answer = json.dumps({"data": [{"index": i, "embedding": v} for i, v in enumerate(vectors)]}).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
        except OSError:
            pass

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def service() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings)
    server.asked, server.released = threading.Event(), threading.Event()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.released.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def environment(store, service) -> dict[str, str]:
    """What a real process is given to use the service, and to compile each module only once."""
    return os.environ | {
        "PYTHONDONTWRITEBYTECODE": "",
        "RECOLLECT_EMBEDDER_KIND": "openai",
        "RECOLLECT_EMBEDDER_URL": f"http://127.0.0.1:{service.server_port}/v1",
        "RECOLLECT_EMBEDDER_MODEL": "hash",
    }


@pytest.fixture
def process(environment) -> Callable[..., Ran]:
    """Runs one command line in a process of its own."""

    def run(*words: str | bytes, given: bytes | None = None, **changed: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "recollect", *words],
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            env=environment | changed,
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
