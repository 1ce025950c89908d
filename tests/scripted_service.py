"""A real HTTP server on this machine that answers as it is told, or misbehaves."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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
