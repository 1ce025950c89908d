"""Many users in one PostgreSQL: how long a recall takes when several ask at once, and a user's first.

Some users are written through the engine; the others are copies of them, row by row, under numbers of their own:
what a recall reads is as large and as scattered as if each had been written. Vectors are made by a hash, so that no
model takes part; those of the questions are made before.

    python -m benchmarks.tenants fill --folder DIR      (again, until it says that all are there)
    python -m benchmarks.tenants ask --folder DIR
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from tests.postgres_server import NOBODY, Server, _packaged

from benchmarks.http_load import QUESTIONS, question, sentence
from benchmarks.measure import children_cpu_seconds, record, resident_mb, summary
from recollect import Recollect
from recollect.assembly import SystemClock, on_server
from recollect.model import Filter
from recollect.serve.http.engines import Engines
from recollect.stores.rows import USER_BITS
from recollect.testing import HashEmbedder

TEMPLATES = 20
"""So many users are written; the others are copies."""
EACH = 1_000
WARM_UP_SECONDS = 2.0
SMALL, SMALL_EACH = "small", 535
TUNED = (
    "shared_buffers=2GB",
    "max_connections=100",
    "max_wal_size=8GB",
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
)
"""It is filled once and then only read: durability is not what is measured."""
COPIED = {
    "node": "number + {d}, id, type",
    "content": (
        "number + {d}, node + {d}, text, terms, session, run, actor, event_type, role, speaker, sources,"
        " write_source, data_source, reason, metadata, fingerprint, digest"
    ),
    "version": (
        "number + {d}, node + {d}, version, content + {d}, past_content, lane, kind, channel, scope, only_session,"
        " state, valid_from, valid_until, recorded_at, retired_at, supersedes, superseded_by, tags, pinned,"
        " immutable, confidence, importance, digest"
    ),
    "vector": "content + {d}, data",
    "words": "content + {d}, data",
    "ledger": (
        "last_node + {d}, last_content + {d}, last_version + {d}, last_edge + {d}, witness_sequence, witness_hash"
    ),
}


@contextmanager
def running(folder: Path, options: tuple[str, ...] = TUNED) -> Iterator[Server]:
    """The server in a folder that is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder / "data", _packaged() / "bin", options=options)
    if not (folder / "data").exists():
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        server.create()
    server.start()
    try:
        yield server
    finally:
        server.stop(signal.SIGINT)


def address(server: Server, role: str = "agents") -> str:
    return server.address("postgres", role)


def prepared(server: Server) -> str:
    """The address of its database, for a role that row-level security binds."""
    import psycopg

    with psycopg.connect(address(server, "postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'agents'").fetchone():
            connection.execute("CREATE ROLE agents LOGIN CREATEDB")
            connection.execute("GRANT CREATE ON DATABASE postgres TO agents")
    return address(server)


def fill(server: Server, users: int, seconds: float) -> bool:
    """Adds users until all are there, or the time is over."""
    import psycopg

    until = time.monotonic() + seconds
    written(prepared(server))
    with psycopg.connect(address(server, "postgres"), autocommit=True) as connection:
        connection.execute("SET search_path = recollect")
        while time.monotonic() < until:
            last = connection.execute("SELECT max(number) FROM tenant").fetchone()[0]
            if last >= users:
                connection.execute("ANALYZE")
                return True
            with connection.transaction():
                copied(connection, last + 1, min(users, last + TEMPLATES))
            print(last, "users", round(until - time.monotonic()), "s left", flush=True)
    return False


def written(store: str) -> None:
    """The users that the engine writes."""
    rng = random.Random(11)
    with Recollect(on_server(store), user="u1", channel="_global", embedder=HashEmbedder()) as first:
        for number in range(1, TEMPLATES + 1):
            texts = [sentence(rng, number * EACH + one) for one in range(EACH)]
            small = SMALL_EACH if number == TEMPLATES else EACH
            memory = first.beside(SMALL if number == TEMPLATES else f"u{number}")
            if memory.stats()["memory"] < small:
                memory.remember_many(texts[:small])


def copied(connection: Any, first: int, last: int) -> None:
    """Copies of the users that were written, in turn, under the numbers from first to last."""
    for number in range(first, last + 1):
        source = (number - 1) % (TEMPLATES - 1) + 1
        by = (number - source) << USER_BITS
        connection.execute(
            "INSERT INTO tenant SELECT %s, %s, created_at FROM tenant WHERE number = %s",
            (number, f"u{number}", source),
        )
        for table, columns in COPIED.items():
            connection.execute(
                f"INSERT INTO {table} SELECT {number}, {columns.format(d=by)} FROM {table} WHERE tenant = {source}"
            )


class Asking(threading.Thread):
    """One client: asks without pause, or at a steady rate, each time as another user.

    As in a service, the threads of its process answer in the order in which they are asked.
    """

    def __init__(
        self,
        engines: Engines,
        answering: ThreadPoolExecutor,
        users: list[str],
        seed: int,
        plan: tuple[float, float, float],
    ) -> None:
        super().__init__()
        self._engines, self._answering, self._users, self._seed = engines, answering, users, seed
        self._from, self._until, self._a_second = plan
        self.asked = 0
        """Also while it warms up."""
        self.took: list[float] = []

    def run(self) -> None:
        rng, asked = random.Random(self._seed), questions()
        due = self._from + rng.random() / (self._a_second or 1.0)
        while time.monotonic() < self._until:
            if self._a_second:
                time.sleep(max(0.0, due - time.monotonic()))
                due += 1 / self._a_second
            began = time.perf_counter()
            self._answering.submit(self._answered, rng.choice(self._users), rng.choice(asked)).result()
            self.asked += 1
            if time.monotonic() > self._from:
                self.took.append((time.perf_counter() - began) * 1e3)

    def _answered(self, user: str, asked: str) -> None:
        with self._engines.of(user) as memory:
            memory.recall(asked, 10)


def questions() -> list[str]:
    return [question(random.Random(number)) for number in range(QUESTIONS)]


class Known(HashEmbedder):
    """Has the vectors of all questions at hand."""

    def __init__(self) -> None:
        super().__init__()
        asked = questions()
        vectors, words = super().encode(asked)
        self._known = {text: (row, own) for text, row, own in zip(asked, vectors, words, strict=True)}

    def encode(self, texts: Any, progress: Any = None) -> Any:
        if not all(text in self._known for text in texts):
            return super().encode(texts, progress)
        return np.stack([self._known[one][0] for one in texts]), [self._known[one][1] for one in texts]


def worker(seed: int, options: Any, store: str, server: int, gate: Any, told: Any) -> None:
    """One process of a service: its share of the clients, over engines that they share."""
    opened = on_server(store)
    users = [user for user in opened.users() if user.startswith("u")]
    users = random.Random(5).sample(users, min(options.asked or len(users), len(users)))
    engines = Engines(opened, Known(), SystemClock(), limit=len(users))
    asked, rng = questions(), random.Random(seed)
    result: dict[str, Any] = {"first": []}
    for user in users:
        with engines.of(user) as memory:
            began = time.perf_counter()
            memory.recall(rng.choice(asked), 10)
            result["first"].append((time.perf_counter() - began) * 1e3)
    result["resident_mb"] = resident_mb()
    clients = options.clients // options.processes
    answering = ThreadPoolExecutor(options.threads)
    for name, a_second in (("steady", options.rate / options.clients), ("without_pause", 0.0)):
        gate.wait()
        began, cpu = time.monotonic() + WARM_UP_SECONDS, time.process_time()
        servers = children_cpu_seconds(server)
        plan = (began, began + options.seconds, a_second)
        threads = [Asking(engines, answering, users, seed * 100 + one, plan) for one in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took, count = (
            [one for thread in threads for one in thread.took],
            sum(thread.asked for thread in threads),
        )
        # Before anybody closes a connection: the time of one that has ended is not known.
        gate.wait()
        result[name] = took, count, time.process_time() - cpu, children_cpu_seconds(server) - servers
    told.put(result)
    opened.close()


def ask(server: Server, options: Any) -> dict[str, Any]:
    """What the clients of all processes saw, together."""
    store = address(server)
    context = multiprocessing.get_context("spawn")
    leader = int((server.folder / "postmaster.pid").read_text().split()[0])
    gate, told = context.Barrier(options.processes), context.Queue()
    with tempfile.TemporaryDirectory(prefix="recollect-tenants-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        small = against_exact(store)
        works = [
            context.Process(target=worker, args=(seed, options, store, leader, gate, told))
            for seed in range(options.processes)
        ]
        for work in works:
            work.start()
        results = [told.get() for _ in works]
        for work in works:
            work.join()
    result: dict[str, Any] = {
        "first_recall_of_a_user_ms": summary([one for result in results for one in result["first"]]),
        "resident_mb_a_process": [round(result["resident_mb"]) for result in results],
        **small,
    }
    for name in ("steady", "without_pause"):
        took = [one for result in results for one in result[name][0]]
        count, ours = (sum(one[name][part] for one in results) for part in (1, 2))
        theirs = results[0][name][3]
        result[name] = {
            "recalls_a_second": round(len(took) / options.seconds, 1),
            "recall_ms": summary(took),
            "our_cpu_ms_a_recall": round(ours / count * 1e3, 2),
            "server_cpu_ms_a_recall": round(theirs / count * 1e3, 2),
        }
    return result


def against_exact(store: str) -> dict[str, Any]:
    """For a small user: how many of the ten nearest are found, and how many there are."""
    with Recollect(on_server(store), user=SMALL, channel="_global", embedder=HashEmbedder()) as memory:
        asked = memory.embedder.embed(questions())
        documents = memory.store.documents(SMALL, 0, 10_000)
        numbers = np.array([one.content for one in documents])
        held, vectors = memory.store.vectors(SMALL, numbers)
        exact = np.argsort(-(asked @ vectors.astype(np.float32).T), axis=1, kind="stable")[:, :10]
        found = memory._index().nearest(list(asked), Filter(), 10)  # noqa: SLF001 - the index itself is asked
        shares = [
            len(set(held[row].tolist()) & set(one.contents[:10].tolist())) / 10
            for row, one in zip(exact, found, strict=True)
        ]
    return {
        "small_user_memories": len(documents),
        "small_user_recall_at_10": round(float(np.mean(shares)), 4),
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("fill", "ask"))
    parser.add_argument("--folder", type=Path, required=True, help="where the server keeps its data")
    parser.add_argument("--users", type=int, default=1_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument(
        "--processes", type=int, default=2, help="as many as a service has workers on two cores"
    )
    parser.add_argument(
        "--threads", type=int, default=1, help="of a process that answer, as `service.threads`"
    )
    parser.add_argument(
        "--rate", type=float, default=80.0, help="recalls a second of all clients, where steady"
    )
    parser.add_argument("--asked", type=int, default=0, help="how many of the users ask; 0: all of them")
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args(arguments)
    with running(options.folder.resolve()) as server:
        if options.what == "fill":
            done = fill(server, options.users, options.seconds)
            print("all are there" if done else "not all yet: run it again")
            return
        result = ask(server, options)
    names = ("users", "asked", "clients", "processes", "threads", "rate", "seconds")
    told = {"memories": (options.users - 1) * EACH + SMALL_EACH} | {
        name: getattr(options, name) for name in names
    }
    print(json.dumps(result))
    record("tenants", {**told, "load_average": round(os.getloadavg()[0], 1), **result})


if __name__ == "__main__":
    main()
