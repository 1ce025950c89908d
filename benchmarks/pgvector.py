"""pgvector's HNSW and tsvector beside the derived index: the same memories, the same questions, in turns.

Every answer is a transaction of its own, begun as our store begins one, with prepared statements and plans that are
made once for all tenants, where nothing else is said. Vectors are compared with the exact ten nearest, words with the
index's BM25: a row counts that has at least the weight of its tenth.

    python -m benchmarks.pgvector --folder DIR --data DIR
"""

import argparse
import ctypes
import json
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np
from tests.postgres_server import Server

from benchmarks.measure import record, resident_mb, summary
from benchmarks.pgvector_rows import LARGE, SMALLEST, Rows, Tenant, asked_of, rows, tenants
from benchmarks.pgvector_tables import Fed, fill, inserting, made, opened, server_cpu_ms
from benchmarks.pgvector_ways import BEGIN, BY_VECTORS, BY_WORDS, QUERIES, Way
from benchmarks.tenants import running
from recollect import Filter
from recollect.candidates import Asked
from recollect.index.partition import Partition
from recollect.language.terms import hash_of, query_terms
from recollect.stores.postgres import numbers

LIMIT = 10
WARM_UP = 8
INSERTED = 1_000
SLACK = 1e-5
"""Weights of one row in two searches differ by less."""
SERVER = (
    "shared_buffers=2GB",
    "maintenance_work_mem=2GB",
    "max_wal_size=8GB",
    "max_parallel_workers_per_gather=0",
    "max_parallel_maintenance_workers=0",
    "jit=off",
)
"""As few as our side has: one core a question. What is written is durable."""
SCAN = re.compile(r"(?:Seq Scan|Index (?:Only )?Scan|Bitmap Index Scan)(?: (?:using|on) \w+)?")


@dataclass(frozen=True)
class Answer:
    """The rows that came, how long it took, and the processor's time on both sides of the connection."""

    rows: list[int]
    ms: float
    cpu_ms: float


class Timed:
    """How long a block takes, on the clock and of our processor's time and the server's together."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __enter__(self) -> Self:
        self._cpu, self._began = self._spent(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.ms = (time.perf_counter() - self._began) * 1e3
        self.cpu_ms = self._spent() - self._cpu

    def _spent(self) -> float:
        return time.process_time() * 1e3 + server_cpu_ms(self._connection)


class Sides:
    """Both sides over the same tenants, asked one question at a time."""

    def __init__(self, server: Server, everyone: list[Tenant], folder: Path, known: Rows) -> None:
        self._known = known
        self._open, self._bound = opened(server, "postgres"), opened(server, "agents")
        self._feeding = opened(server, "postgres")
        numbers.register(self._feeding.adapters)
        fed = Fed(self._feeding, everyone)
        self._made = lambda user: Partition(fed, str(user), "pgvector", 384, folder / str(user))
        self._parts: dict[int, Partition] = {}
        self._queries: dict[int, dict[str, Any]] = {}

    def opened_mb(self, group: list[Tenant]) -> dict[str, float]:
        """What the index of one of them takes, when it is opened and asked."""
        for tenant in group:
            self._made(tenant.number).refresh(maintain=True)
        # What was freed is given back, so that it is not taken for what the index needs.
        ctypes.CDLL(None).malloc_trim(0)
        before = resident_mb()
        for tenant in group:
            part = self._parts[tenant.number] = self._made(tenant.number)
            for at in range(WARM_UP):
                part.search(Asked(self._known.asked[at], self._terms(at)), Filter(), LIMIT)
        ctypes.CDLL(None).malloc_trim(0)
        written = sum(self._parts[tenant.number].status().bytes_on_disk for tenant in group)
        return {
            "memory_mb": round((resident_mb() - before) / len(group), 1),
            "files_mb": round(written / len(group) / 1e6, 1),
        }

    def asked(self, way: Way, at: int, tenant: Tenant) -> Answer:
        """By a statement."""
        connection = self._bound if way.bound_by_security else self._open
        bound = {"tenant": tenant.number, **self._query(at)}
        with Timed(connection) as timed:
            connection.execute(way.begin(tenant.number))
            found = connection.execute(way.sql, bound, prepare=True, binary=True).fetchall()
            connection.execute("COMMIT")
        return Answer([number for (number,) in found], timed.ms, timed.cpu_ms)

    def searched(self, at: int, tenant: Tenant, *, vector: bool, words: bool) -> Answer:
        """The same of the derived index."""
        terms = self._terms(at) if words else np.empty(0, np.uint32)
        asked = Asked(self._known.asked[at] if vector else None, terms)
        with Timed(self._feeding) as timed:
            self._feeding.execute(BEGIN.format(tenant=tenant.number))
            found = self._parts[tenant.number].search(asked, Filter(), LIMIT)
            self._feeding.execute("COMMIT")
        order = np.argsort(-(found.similarity if vector else found.text), kind="stable")
        return Answer(found.contents[order[:LIMIT]].tolist(), timed.ms, timed.cpu_ms)

    def weights(self, at: int, tenant: Tenant, also: set[int]) -> dict[int, float]:
        """BM25 of these rows and of the best ten, as the index has it."""
        asked = Asked(None, self._terms(at), also=np.array(sorted(also), np.int64))
        found = self._parts[tenant.number].search(asked, Filter(), LIMIT)
        return dict(zip(found.contents.tolist(), found.text.tolist(), strict=True))

    def plan(self, way: Way, at: int, tenant: Tenant) -> str:
        """Which scans the planner takes, without the numbers of the partitions."""
        bound = {"tenant": tenant.number, **self._query(at)}
        names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", way.sql)))
        places = {name: f"${place}" for place, name in enumerate(names, 1)}
        connection = self._bound if way.bound_by_security else self._open
        connection.execute(way.begin(tenant.number))
        connection.execute(f"PREPARE planned AS {way.sql % places}")
        values = [_literal(bound[name]) for name in names]
        lines = connection.execute(f"EXPLAIN EXECUTE planned ({', '.join(values)})").fetchall()
        connection.execute("ROLLBACK; DEALLOCATE planned")
        scans = [
            re.sub(r"memory_\d_|posting_\d_", "", one[0]) for (line,) in lines if (one := SCAN.search(line))
        ]
        return ", ".join(dict.fromkeys(scans))

    def _terms(self, at: int) -> Any:
        return np.array([hash_of(term) for term in query_terms(self._known.questions[at])], np.uint32)

    def _query(self, at: int) -> dict[str, Any]:
        if at not in self._queries:
            cursor = self._open.execute(QUERIES, (self._known.questions[at],))
            names = [one.name for one in cursor.description]
            self._queries[at] = dict(zip(names, cursor.fetchone(), strict=True))
            self._queries[at]["vector"] = self._known.asked[at]
        return self._queries[at]


def compared(sides: Sides, known: Rows, group: list[Tenant], questions: int) -> dict[str, Any]:
    """Every way for every question, each time in another order."""
    asking: dict[str, Callable[[int, Tenant], Answer]] = {
        "index_vector": lambda at, tenant: sides.searched(at, tenant, vector=True, words=False),
        "index_words": lambda at, tenant: sides.searched(at, tenant, vector=False, words=True),
        "index_both": lambda at, tenant: sides.searched(at, tenant, vector=True, words=True),
    }
    ways = BY_VECTORS | BY_WORDS
    for name, way in ways.items():
        asking[name] = lambda at, tenant, way=way: sides.asked(way, at, tenant)
    pairs = asked_of(known, group, questions)
    plans = {name: sides.plan(way, *pairs[0]) for name, way in ways.items()}
    rng = np.random.default_rng(1)
    answers: dict[str, list[Answer]] = defaultdict(list)
    agrees: dict[str, list[float]] = defaultdict(list)
    for place, (at, tenant) in enumerate([*pairs[:WARM_UP], *pairs]):
        found = {name: asking[name](at, tenant) for name in rng.permutation(list(asking)).tolist()}
        if place < WARM_UP:
            continue
        nearest = tenant.nearest(known.asked[at], LIMIT)
        weights = sides.weights(at, tenant, {row for name in BY_WORDS for row in found[name].rows})
        best = [weights[row] for row in found["index_words"].rows]
        for name, answer in found.items():
            answers[name].append(answer)
            if name in BY_VECTORS or name == "index_vector":
                agrees[name].append(len(nearest.intersection(answer.rows)) / LIMIT)
            elif name in BY_WORDS and best:
                as_good = sum(weights[row] >= min(best) - SLACK for row in answer.rows)
                agrees[name].append(as_good / len(best))
    return {
        name: {
            "ms": summary([one.ms for one in answers[name]]),
            "cpu_ms": round(float(np.median([one.cpu_ms for one in answers[name]])), 2),
            "rows": round(float(np.mean([len(one.rows) for one in answers[name]])), 1),
            "fewest_rows": min(len(one.rows) for one in answers[name]),
            **({"agrees_at_10": round(float(np.mean(agrees[name])), 3)} if agrees[name] else {}),
            **({"plan": plans[name]} if name in plans else {}),
        }
        for name in asking
    }


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"'{value.tolist()}'"
    if isinstance(value, list):
        return f"ARRAY[{', '.join(map(_literal, value))}]::text[]"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--folder", type=Path, required=True, help="for the server, the vectors and the indexes"
    )
    parser.add_argument("--data", type=Path, help="the sets' folder; without it, texts are made")
    parser.add_argument("--large", type=int, default=LARGE)
    parser.add_argument("--smalls", type=int, default=100)
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    known = rows(options.data, folder, options.large)
    everyone = tenants(known, options.smalls)
    with running(folder / "server", SERVER) as server, TemporaryDirectory(dir=folder) as index:
        connection = made(server)
        costs = fill(connection, everyone)
        print(json.dumps(costs), flush=True)
        placed = dict(connection.execute("SELECT tenant, max(tableoid) FROM memory GROUP BY 1").fetchall())
        beside = [one for one in everyone[1:-1] if placed[one.number] == placed[1]]
        apart = [one for one in everyone[1:-1] if placed[one.number] != placed[1]]
        groups = {
            f"one_of_{options.large}": everyone[:1],
            "of_1000_beside_it": beside,
            "of_1000_elsewhere": apart,
            f"one_of_{SMALLEST}": everyone[-1:],
        }
        groups = {name: group for name, group in groups.items() if group}
        sides = Sides(server, everyone, Path(index), known)
        opened_mb = {name: sides.opened_mb(group) for name, group in groups.items()}
        results: dict[str, Any] = {}
        for name, group in groups.items():
            results[name] = {
                "tenants": len(group),
                "index": opened_mb[name],
                **compared(sides, known, group, options.questions),
            }
            print(name, json.dumps(results[name]), flush=True)
        inserted = inserting(connection, everyone[0], INSERTED)
    about = {"real": options.data is not None, "questions": options.questions}
    load = round(os.getloadavg()[0], 1)
    record("pgvector", {**about, "load_average": load, **costs, "insert_ms": inserted, "groups": results})


if __name__ == "__main__":
    main()
