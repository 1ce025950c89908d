"""Starting the service: its workers, the socket they share, and how they stop."""

import os
import signal
import socket
import tempfile
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.assembly import IN_MEMORY
from recollect.errors import InvalidInput
from recollect.serve.http import metrics
from recollect.serve.http.connections import Counts, Listener
from recollect.serve.http.logs import write_logs
from recollect.serve.http.rates import Rates
from recollect.serve.http.service import Options

if TYPE_CHECKING:
    from fastapi import FastAPI

MOST_WORKERS = 4
WAITING_CONNECTIONS = 1_024
TICK_SECONDS = 2
HANGING_SECONDS = 60


def is_loopback(host: str) -> bool:
    """Whether only this machine can call there.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def listening(host: str, port: int) -> socket.socket:
    """A socket that workers can share; it is bound before they are started, so that a taken port is told at once."""
    try:
        kind, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.create_server(address[:2], family=kind, backlog=WAITING_CONNECTIONS)
    except (OSError, OverflowError) as error:
        raise InvalidInput(
            f"{host}:{port} cannot be served: {getattr(error, 'strerror', None) or error}; choose another"
        ) from None
    # asyncio has a connection send at once what it has (TCP_NODELAY) where its socket says that it is TCP, and this
    # one does not: the body of an answer would wait 40 ms for the acknowledgement of its headers.
    bound = socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())
    bound.set_inheritable(True)
    return bound


def run(options: Options, bound: socket.socket) -> None:
    """Serves until it is told to stop (SIGTERM or Ctrl-C), then ends what is in flight."""
    import uvicorn  # noqa: PLC0415 - an extra
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415

    chosen = options.settings.service
    workers = worker_count(options)
    with tempfile.TemporaryDirectory(prefix="recollect-serve-") as folder:
        if workers > 1:
            connections = Path(folder) / "connections"
            Counts.create(connections)
            bound = Listener(bound, connections)
        config = uvicorn.Config(
            partial(worker, _shared(options, Path(folder), workers)),
            factory=True,
            workers=workers,
            log_config=None,
            access_log=False,
            server_header=False,
            # A worker takes one connection at a time (see `Listener`); `_tick` lets more wait.
            backlog=1,
            callback_notify=partial(_tick, os.getpid() if workers > 1 else os.getppid(), bound),
            timeout_notify=TICK_SECONDS,
            timeout_graceful_shutdown=chosen.drain_seconds,
            timeout_worker_healthcheck=HANGING_SECONDS,
        )
        write_logs()
        # uvicorn raises the signal once more when it has ended: it has done its work by then.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        if workers == 1:
            uvicorn.Server(config).run(sockets=[bound])
        else:
            Multiprocess(config, sockets=[bound]).run()


def worker_count(options: Options) -> int:
    """How many processes serve: a store that lies in memory has one."""
    if options.store == IN_MEMORY:
        return 1
    return options.settings.service.workers or min(cores(), MOST_WORKERS)


def worker(options: Options) -> "FastAPI":
    """The application of one worker; called in its own process."""
    from recollect.serve.http.app import application  # noqa: PLC0415 - the parent needs none of it
    from recollect.serve.http.service import Service  # noqa: PLC0415

    write_logs()
    return application(Service(options))


def _shared(options: Options, folder: Path, workers: int) -> Options:
    """What the workers have in common: a place to count, and the cores."""
    rates = folder / "rates"
    Rates.create(rates)
    settings = options.settings
    if workers > 1:
        counts = folder / "metrics"
        counts.mkdir()
        metrics.share(counts)
        threads = settings.embedder.threads or max(1, cores() // workers)
        settings = replace(settings, embedder=replace(settings.embedder, threads=threads))
    working = folder / "working" if workers > 1 else None
    return replace(options, rates=rates, working=working, settings=settings)


async def _tick(parent: int, bound: socket.socket) -> None:
    """Every few seconds in each worker."""
    bound.listen(WAITING_CONNECTIONS)
    if os.getppid() != parent:
        # Whoever started it was killed: a worker alone would hold the port for ever.
        os.kill(os.getpid(), signal.SIGTERM)
