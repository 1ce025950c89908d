"""One side of a sync, in a process that a test kills: `serve PATH PORT` or `sync PATH PORT`."""

import sys

from recollect import Recollect
from recollect.exchange import syncing
from recollect.testing import HashEmbedder

syncing.MOST_MEMORIES = 4
"""Many small pages, so that there are many moments to be killed at."""
syncing.MOST_LINKS = 10


def serve(path: str, port: int) -> None:
    import uvicorn

    from recollect.serve.http.app import application
    from recollect.serve.http.service import Options, Service

    service = Service(Options(path, "ada", keys=False, dashboard=False), embedder=HashEmbedder())
    server = uvicorn.Server(
        uvicorn.Config(application(service), port=port, log_config=None, access_log=False)
    )
    server.run()


def sync(path: str, port: int) -> None:
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        print("begun", flush=True)
        memory.sync(f"http://127.0.0.1:{port}")
        print("done", flush=True)


if __name__ == "__main__":
    {"serve": serve, "sync": sync}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
