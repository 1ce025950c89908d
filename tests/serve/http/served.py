"""The service in this process, and somebody who calls it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from recollect.serve.http.app import application
from recollect.serve.http.service import Options, Service
from recollect.serve.keys import Right
from recollect.settings import Settings
from recollect.testing import HashEmbedder

API = "/api/memory"


@dataclass(frozen=True)
class Caller:
    """Somebody with a key."""

    client: TestClient
    token: str

    def __call__(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"} | more.pop("headers", {})
        sent = {} if body is None else {"json": body}
        return self.client.request(method, API + path, headers=headers, **sent, **more)

    def remember(self, text: str, **more: Any) -> str:
        return self("POST", "/remember", {"text": text, **more}).json()["id"]


@contextmanager
def serving(
    store: Any,
    *,
    clock: Any = None,
    keys: bool = True,
    embedder: Any = None,
    llm: Any = None,
    **chosen: Any,
) -> Iterator[TestClient]:
    """The whole application over a store; `chosen` are settings of the service."""
    settings = Settings(service=replace(Settings().service, **chosen), llm=llm or Settings().llm)
    options = Options(str(store), "ada", keys=keys, settings=settings)
    service = Service(options, embedder=embedder or HashEmbedder(), clock=clock)
    with TestClient(
        application(service), base_url="http://localhost", raise_server_exceptions=False
    ) as client:
        client.service = service
        yield client


@dataclass(frozen=True)
class Server:
    """A real server on a port of its own, with a key of a user who may do everything."""

    url: str
    token: str
    service: Service


@contextmanager
def listening(store: Any, **chosen: Any) -> Iterator[Server]:
    """The same behind a real socket, in a thread."""
    settings = Settings(service=replace(Settings().service, **chosen))
    service = Service(Options(str(store), "ada", settings=settings), embedder=HashEmbedder())
    token = service.keys.create("ada", tuple(Right))[1]
    config = uvicorn.Config(application(service), log_config=None, access_log=False)
    server = uvicorn.Server(config)
    bound = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{bound.getsockname()[1]}", token, service)
    finally:
        server.should_exit = True
        thread.join()


def caller(client: TestClient, user: str, *rights: Right) -> Caller:
    return Caller(client, client.service.keys.create(user, rights or tuple(Right))[1])
