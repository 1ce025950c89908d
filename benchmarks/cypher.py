"""Cypher beside SQL: `python -m benchmarks.cypher` asks 25 queries of a store of 100,000 memories both ways.

Every query's rows must be the same as those of hand-written SQL over the store's own file. Writes
benchmarks/results/cypher.json with how long loading, following a change and each query takes. `--store FILE` keeps the
filled store, to ask it again.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import apsw

from benchmarks.cypher_queries import QUERIES, Pair
from benchmarks.measure import record, summary
from recollect import Recollect
from recollect.model import Edge
from recollect.ports import Changes
from recollect.testing import FakeClock, HashEmbedder

USER = "ada"
BATCH = 5_000
KINDS = ("note", "fact", "preference", "decision", "strategy")
TYPES = ("related_to", "causes", "elaborates")
ROUNDS = 5
ANCHORED_ROUNDS = 25
"""Others work beside: what takes milliseconds is asked often enough that the median is its own."""


def fill(memory: Recollect, count: int) -> list[str]:
    """So many memories with kinds, tags, entities and edges, the same each time."""
    ids: list[str] = []
    for at in range(0, count, BATCH):
        texts = [
            {
                "text": f"Memory number {number} says something of topic {number % 997}",
                "kind": KINDS[number % 5],
                "tags": [f"t{number % 49}"],
                "metadata": {"entities": [f"entity://person/name-{number % 1000}"]},
                "importance": (number % 100) / 100,
            }
            for number in range(at, min(at + BATCH, count))
        ]
        ids += [one.id for one in memory.remember_many(texts)]
    edges = [
        Edge(ids[number], ids[(number * step + 17) % count], type_, round(0.1 + (number % 9) / 10, 1))
        for step, type_ in zip((3, 7, 11), TYPES, strict=True)
        for number in range(count)
        if (number * step + 17) % count != number
    ]
    for at in range(0, len(edges), BATCH):
        changes = Changes("fill", memory.now(), edges=tuple(edges[at : at + BATCH]))
        memory.store.write(USER, changes)
    return ids


def rows(found: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """As both ways tell them: fractions to nine digits."""
    return [tuple(round(one, 9) if isinstance(one, float) else one for one in row) for row in found]


def compared(memory: Recollect, sql: apsw.Connection, pair: Pair, given: dict[str, Any]) -> dict[str, Any]:
    """One query both ways: whether they agree, and how long each takes."""
    times, sql_times = [], []
    for _ in range(ANCHORED_ROUNDS if pair.anchored else ROUNDS):
        began = time.perf_counter()
        table = memory.cypher(pair.cypher, given, limit=10_000)
        times.append((time.perf_counter() - began) * 1e3)
        began = time.perf_counter()
        expected = sql.execute(pair.sql, {name: given[name] for name in pair.bound}).fetchall()
        sql_times.append((time.perf_counter() - began) * 1e3)
    same = rows(table.rows) == rows(expected)
    return {
        "query": pair.cypher,
        "anchored": pair.anchored,
        "rows": len(table.rows),
        "same": same,
        "cypher_ms": summary(times),
        "sql_ms": summary(sql_times),
    }


def _filled(memory: Recollect, known: Path, count: int) -> list[str]:
    """The ids of what a store holds that was filled before, or is filled now."""
    if known.exists():
        kept: list[str] = json.loads(known.read_text())
        return kept
    ids = fill(memory, count)
    known.write_text(json.dumps(ids))
    return ids


def run(path: Path, count: int) -> dict[str, Any]:
    """Fills a store and asks everything both ways."""
    clock = FakeClock()
    with Recollect(path, user=USER, channel="_global", embedder=HashEmbedder(8), clock=clock) as memory:
        ids = _filled(memory, path.with_suffix(".ids"), count)
        clock.advance(days=1)
        given = {
            "id": ids[42],
            "other": ids[(42 * 7 + 17) % count],
            "name": "name 7",
            "near": [{"id": one, "score": 1 / (place + 1)} for place, one in enumerate(ids[:50])],
        }
        began = time.perf_counter()
        memory.cypher("RETURN 1")
        load_s = time.perf_counter() - began
        clock.advance(minutes=1)
        memory.remember("one more")
        began = time.perf_counter()
        memory.cypher("RETURN 1")
        follow_s = time.perf_counter() - began
        sql = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        found = [compared(memory, sql, pair, given) for pair in QUERIES]
        sql.close()
    anchored = [one["cypher_ms"]["p50"] for one in found if one["anchored"]]
    return {
        "memories": count,
        "edges": 3 * count,
        "load_s": round(load_s, 2),
        "follow_s": round(follow_s, 2),
        "agreeing": sum(one["same"] for one in found),
        "anchored_p50_ms": statistics.median(anchored),
        "anchored_worst_p50_ms": max(anchored),
        "queries": found,
    }


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.cypher`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--store", type=Path, help="keep the filled store here and use it again")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        result = run(options.store or Path(folder) / "graph.db", options.memories)
    for one in result["queries"]:
        print(f"{one['cypher_ms']['p50']:8.1f} ms  {'same' if one['same'] else 'OTHER':5}  {one['query']}")
    print({name: value for name, value in result.items() if name != "queries"})
    if options.memories == 100_000:
        print(record("cypher", result))


if __name__ == "__main__":
    main()
