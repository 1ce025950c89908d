"""How the service holds under load: clients that recall without pause, and a few that write beside them.

The clients are threads of this process, on the same machine: what they cost is part of what is measured.
"""

import argparse
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import record, summary
from recollect import Recollect
from recollect.assembly import SystemClock
from recollect.serve.keys import Keys, Right

WHO = [
    "Priya",
    "Tomás",
    "Ada",
    "Mert",
    "Elif",
    "Jonas",
    "Wei",
    "Fatima",
    "Omar",
    "Lucía",
    "Kenji",
    "Noor",
    "Sven",
    "Aylin",
    "Marta",
    "Diego",
    "Hana",
    "Ivan",
]
DID = [
    "moved",
    "prefers",
    "fixed",
    "broke",
    "deployed",
    "reviewed",
    "wrote",
    "forgot",
    "booked",
    "bought",
    "planned",
    "tested",
    "renamed",
    "approved",
]
WHAT = [
    "the session manager",
    "a flat in Lisbon",
    "the billing service",
    "green tea",
    "the staging cluster",
    "a flight to Porto",
    "the login page",
    "window seats",
    "the cache layer",
    "the quarterly report",
    "a red bicycle",
    "the search index",
    "the backup job",
]
WHEN = [
    "in February",
    "last Tuesday",
    "before the release",
    "after the outage",
    "during the sprint",
    "in 2024",
    "every Friday",
]
WHY = [
    "because it was slow",
    "to save money",
    "for the new customer",
    "as the team had agreed",
    "despite the rain",
]
QUESTIONS = 100
"""Asked again and again, so that their vectors are known: the model is not what is measured."""
WARM_SECONDS = 5.0
WRITERS = 4
"""One after the other, writes that wait for recalls would come too rarely to be the load that is asked for."""


def sentence(rng: random.Random, number: int) -> str:
    """Something that could have been remembered."""
    parts = (rng.choice(words) for words in (WHO, DID, WHAT, WHEN, WHY))
    return f"{' '.join(parts)} ({rng.choice(WHAT)}, item {number})"


def question(rng: random.Random) -> str:
    return f"who {rng.choice(DID)} {rng.choice(WHAT)} {rng.choice(WHEN)}?"


def filled(path: Path, memories: int, clients: int) -> list[str]:
    """A store with so many memories of one user, and a key for each client and for each writer."""
    rng = random.Random(7)
    with Recollect(path, user="ada", channel="_global") as memory:
        for first in range(memory.stats()["memory"], memories, 1_000):
            count = min(1_000, memories - first)
            memory.remember_many([sentence(rng, first + number) for number in range(count)])
        keys = Keys(memory.store, SystemClock())
        return [keys.create("ada", (Right.READ, Right.WRITE))[1] for _ in range(clients + WRITERS)]


class Caller:
    """One connection that is kept open, and how long its calls took."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        self.calls: list[tuple[float, float]] = []

    def call(self, verb: str, body: dict[str, Any]) -> None:
        began = time.perf_counter()
        self._connection.request("POST", f"/api/memory/{verb}", json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{verb}: {answer.status} {content[:200]!r}")
        self.calls.append((began, (time.perf_counter() - began) * 1e3))


def recalling(caller: Caller, seed: int, until: float) -> None:
    """Asks without pause."""
    rng, asked = random.Random(seed), [question(random.Random(number)) for number in range(QUESTIONS)]
    while time.perf_counter() < until:
        caller.call("recall", {"query": rng.choice(asked), "k": 10})


def writing(caller: Caller, seed: int, a_second: float, until: float) -> None:
    """Writes at a steady rate."""
    rng, due = random.Random(1_000 + seed), time.perf_counter()
    while time.perf_counter() < until:
        caller.call("remember", {"text": sentence(rng, rng.randrange(10**9))})
        due += 1 / a_second
        time.sleep(max(0.0, due - time.perf_counter()))


def measured(port: int, keys: list[str], seconds: float, writes: float) -> tuple[dict[str, Any], int]:
    """Lets all of them loose and gathers what they saw, once they are warm; and how often they called at all."""
    callers = [Caller(port, key) for key in keys]
    asking, telling = callers[:-WRITERS], callers[-WRITERS:]
    counted_from = time.perf_counter() + WARM_SECONDS
    until = counted_from + seconds
    work: list[Callable[[], None]] = [
        lambda caller=caller, seed=seed: recalling(caller, seed, until) for seed, caller in enumerate(asking)
    ]
    work += [
        lambda caller=caller, seed=seed: writing(caller, seed, writes / WRITERS, until)
        for seed, caller in enumerate(telling)
    ]
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recalls = [took for caller in asking for began, took in caller.calls if began >= counted_from]
    written = [took for caller in telling for began, took in caller.calls if began >= counted_from]
    result = {
        "recalls_a_second": round(len(recalls) / seconds, 1),
        "recall_ms": summary(recalls),
        "writes_a_second": round(len(written) / seconds, 1),
        "remember_ms": summary(written),
    }
    return result, sum(len(caller.calls) for caller in callers)


def serving(store: Path, workers: int) -> tuple["subprocess.Popen[str]", int]:
    """The service in processes of its own, once it is ready, and its port."""
    environment = os.environ | {"RECOLLECT_STORE": str(store), "RECOLLECT_SERVICE_WORKERS": str(workers)}
    command = [sys.executable, "-m", "recollect", "serve", "--port", "0", "--json"]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    told = ""
    while not told.endswith("}\n"):
        told += process.stdout.readline()
    port = int(json.loads(told)["url"].rpartition(":")[2])
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/ready")
        if connection.getresponse().status == 200:
            return process, port
        time.sleep(0.5)


def cpu_seconds(parent: int) -> float:
    """What a process and its children have used of the processor, so that a busy machine can be told from slow code."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if parent in (int(stat.parent.name), int(told[1])):
            ticks += int(told[11]) + int(told[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--writes", type=float, default=20.0, help="a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--workers", type=int, default=0, help="0: as many as the service chooses")
    parser.add_argument("--store", type=Path, help="a store that is filled already, or is kept once it is")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="recollect-load-") as folder:
        store = options.store or Path(folder) / "load.db"
        keys = filled(store, options.memories, options.clients)
        process, port = serving(store, options.workers)
        try:
            before = cpu_seconds(process.pid), time.process_time()
            result, calls = measured(port, keys, options.seconds, options.writes)
            served, called = cpu_seconds(process.pid) - before[0], time.process_time() - before[1]
            result["cpu_ms_a_call"] = {
                "service": round(served / calls * 1e3, 2),
                "clients": round(called / calls * 1e3, 2),
            }
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
    told = {name: getattr(options, name) for name in ("memories", "clients", "workers", "seconds")}
    load = os.getloadavg()[0]
    print(json.dumps(result))
    record("http_load", {**told, "load_average": round(load, 1), **result})


if __name__ == "__main__":
    main()
