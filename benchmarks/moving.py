"""Moving a whole store to PostgreSQL and back into a file: how long it takes, and whether both ends are the same.

Several users with edits, relations, feedback and things forgotten and erased; their exports, which hold every
version, are compared by their hash before and after, and every chain is walked.

    python -m benchmarks.moving --folder DIR [--memories 100000]
"""

import argparse
import hashlib
import os
import random
import shutil
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.http_load import sentence
from benchmarks.measure import record
from benchmarks.tenants import prepared, running
from recollect import Recollect
from recollect.assembly import migrated, opened
from recollect.testing import FakeClock, HashEmbedder

USERS = 10
BATCH = 1_000


def filled(path: Path, memories: int) -> None:
    rng = random.Random(3)
    clock = FakeClock()
    with Recollect(path, user="u0", channel="_global", embedder=HashEmbedder(), clock=clock) as first:
        for user in range(USERS):
            memory = first.beside(f"u{user}")
            ids: list[str] = []
            for begin in range(0, memories // USERS, BATCH):
                count = min(BATCH, memories // USERS - begin)
                texts = [sentence(rng, user * memories + begin + one) for one in range(count)]
                ids += [one.id for one in memory.remember_many(texts)]
                clock.advance(seconds=60)
            chosen = rng.sample(ids, 40)
            for one, other in zip(chosen[:10], chosen[10:20], strict=True):
                memory.link(one, other, "causes")
                memory.edit(one, f"{memory.get(one).text}, edited")
                memory.feedback([other], helpful=True)
            for one in chosen[20:30]:
                memory.forget(one)
            memory.purge(*chosen[30:])


def told(store: str | Path) -> dict[str, str]:
    """Each user's export by its hash, and the end of the chain."""
    found = {}
    with closing(opened(store)) as truth:
        for user in truth.users():
            memory = Recollect(
                truth, user=user, channel="_global", embedder=HashEmbedder(), clock=FakeClock()
            )
            whole = hashlib.sha256()
            for line in memory.export():
                whole.update(line.encode())
            assert truth.verify(user) == []
            found[user] = f"{whole.hexdigest()} {truth.witness(user)[-1].hash}"
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--folder", type=Path, required=True, help="where the stores and the server's data lie"
    )
    parser.add_argument("--memories", type=int, default=100_000)
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    result: dict[str, Any] = {"memories": options.memories, "users": USERS}
    source, back = folder / f"source-{options.memories}.db", folder / "back.db"
    if not source.exists():
        filled(folder / "filling.db", options.memories)
        (folder / "filling.db").rename(source)
    with tempfile.TemporaryDirectory(prefix="recollect-cache-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        shutil.rmtree(folder / "server", ignore_errors=True)
        for path in folder.glob("back.db*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        with running(folder / "server") as server:
            there = prepared(server)
            for name, one, other in (("to_postgresql", source, there), ("to_sqlite", there, back)):
                began, cpu = time.perf_counter(), time.process_time()
                moved = migrated(one, other)
                result[name] = {
                    "seconds": round(time.perf_counter() - began, 1),
                    "our_cpu_seconds": round(time.process_time() - cpu, 1),
                }
                print(name, result[name], moved, flush=True)
            ends = [told(place) for place in (source, there, back)]
    result["identical"] = ends[0] == ends[1] == ends[2]
    print(result)
    record("moving", result)


if __name__ == "__main__":
    main()
