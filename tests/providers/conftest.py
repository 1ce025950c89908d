"""A scripted HTTP server and the real model, shared by the tests of the providers."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from recollect.providers.minilm import MiniLM


class Service:
    """A real server on this machine; `answer` decides what each request gets, and may misbehave."""

    def __init__(self) -> None:
        self.requests: list[dict] = []
        self.answer: Callable[[BaseHTTPRequestHandler, bytes], None] = lambda handler, body: None
        self.closing = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                service.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
                try:
                    service.answer(self, body)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            do_GET = do_POST = handle_any  # noqa: N815 - the names that the library calls

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @staticmethod
    def reply(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    @classmethod
    def reply_json(cls, handler: BaseHTTPRequestHandler, value: object) -> None:
        cls.reply(handler, json.dumps(value).encode())


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


@pytest.fixture(scope="session")
def model() -> MiniLM:
    """The real model, fetched once into the normal cache folder."""
    minilm = MiniLM()
    minilm.prepare()
    return minilm


@pytest.fixture(scope="session")
def plain() -> MiniLM:
    """The model as it was published, without an adapter."""
    minilm = MiniLM(adapter="none")
    minilm.prepare()
    return minilm
