"""What a night takes at some sizes of the store: `python -m benchmarks.dreaming`, each size in a process of its own."""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import record, resident_mb
from recollect import Recollect
from recollect.model import Memory
from recollect.ports import Change, Changes, NewText
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import FakeClock, HashEmbedder

USER, START = "bench", datetime(2026, 1, 1, tzinfo=UTC)
KINDS = ("fact", "note", "preference", "decision")
BATCH, NIGHTS, SAMPLED = 5_000, 3, 0.02


def filled(path: Path, size: int) -> None:
    """A store of so many memories in groups of about twenty that are alike, some of them used and judged."""
    rng, store = np.random.default_rng(0), SQLiteStore(path)
    centres = rng.standard_normal((max(size // 20, 1), 384))
    for start in range(0, size, BATCH):
        numbers = range(start, min(start + BATCH, size))
        near = centres[rng.integers(0, len(centres), len(numbers))]
        vectors = (near + 0.5 * rng.standard_normal(near.shape)).astype(np.float16)
        made = [_memory(number) for number in numbers]
        changes = [
            Change(one, NewText(b"1234" * 8, row.tobytes())) for one, row in zip(made, vectors, strict=True)
        ]
        used = [one.id for one in made if rng.random() < 0.3]
        store.write(
            USER,
            Changes(
                "remember",
                START,
                tuple(changes),
                model=HashEmbedder().name,
                counters={
                    one: {
                        "stability": float(rng.uniform(1, 20)),
                        "utility": float(rng.choice([0.05, 0.3, 0.9])),
                    }
                    for one in used
                },
                accesses={one: (int(rng.integers(1, 5)), START) for one in used},
            ),
        )
    store.close()


def _memory(number: int) -> Memory:
    text = f"text number {number} says something of the length that a sentence has {number * 7919}"
    metadata = {"entities": [f"entity://tech/{number % 500}"]}
    return Memory(f"{number:026}", text, START, START, kind=KINDS[number % 4], metadata=metadata)


def nights(path: Path) -> dict[str, Any]:
    """Some nights one after the other: the first has all the work, the others what a day leaves."""
    clock = FakeClock(START + timedelta(days=40))
    with Recollect(path, user=USER, channel="_global", embedder=HashEmbedder(), clock=clock) as memory:
        memory.recall("what does text number 7 say?", learn=False)
        bare = resident_mb()
        found = []
        for _ in range(NIGHTS):
            with _watched() as most:
                began, cpu = time.perf_counter(), time.process_time()
                run = memory.dream()
                taken, worked = time.perf_counter() - began, time.process_time() - cpu
            found.append(
                {
                    "seconds": round(taken, 1),
                    "cpu_seconds": round(worked, 1),
                    "changed": run.changed,
                    "ram_mb_above_bare": round(max(most) - bare, 1),
                }
            )
            clock.advance(days=1)
    return {"bare_mb": round(bare, 1), "nights": found}


@contextmanager
def _watched() -> Iterator[list[float]]:
    """How much memory is used meanwhile, looked at again and again."""
    seen, done = [resident_mb()], threading.Event()

    def look() -> None:
        while not done.wait(SAMPLED):
            seen.append(resident_mb())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        done.set()
        looking.join()


def at(size: int) -> dict[str, Any]:
    """One size, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        path = Path(name) / "agent.db"
        filled(path, size)
        child = subprocess.run(
            [sys.executable, "-m", "benchmarks.dreaming", "--store", str(path)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return json.loads(child.stdout)


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.dreaming`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,30000,100000")
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.store is not None:
        print(json.dumps(nights(options.store)))
        return
    record("dreaming", {"sizes": {size: at(int(size)) for size in options.sizes.split(",")}})


if __name__ == "__main__":
    main()
