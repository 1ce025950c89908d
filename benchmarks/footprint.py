"""Memory and disk at 10K and 100K memories, each in a process of its own, above the same process without a store."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.contenders import Ours
from benchmarks.corpus import Corpus
from benchmarks.measure import record, size_mb
from benchmarks.speed import filled

CHILD = """
import json, sys
from pathlib import Path
import recollect
from recollect.providers.minilm import MiniLM
from benchmarks.measure import resident_mb
from benchmarks.contenders import Ours
from benchmarks.corpus import Corpus
questions = Corpus().questions(50)
MiniLM(threads=1).embed(["the model is loaded before we begin to count"])
before = resident_mb()
ours = Ours(Path(sys.argv[1]))
for question in questions:
    ours.search(question)
    ours.search(question, "t3")
print(json.dumps({"ram_mb": resident_mb() - before}))
"""


def at(size: int) -> dict[str, float]:
    """Fills a store, closes it, and opens it in a fresh process that asks a hundred questions."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        ours = Ours(Path(name))
        filled(ours, Corpus(), 0, size)
        ours.settle()
        ours.close()
        disk = size_mb(Path(name))
        child = subprocess.run(
            [sys.executable, "-c", CHILD, name], capture_output=True, text=True, check=True
        )
        return {"disk_mb": round(disk, 1), "ram_mb": round(json.loads(child.stdout)["ram_mb"], 1)}


def installed() -> dict[str, float]:
    """The environment with its run-time dependencies alone, and the time that the import takes."""
    package, engine = (_imported(line) for line in ("import recollect", "from recollect import Recollect"))
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        subprocess.run([sys.executable, "-m", "venv", name], check=True)
        root = Path(__file__).parents[1]
        subprocess.run(
            [f"{name}/bin/pip", "install", "--quiet", "--disable-pip-version-check", str(root)], check=True
        )
        size = size_mb(Path(name))
    return {"import_ms": package, "engine_import_ms": engine, "environment_mb": round(size, 1)}


def _imported(line: str) -> float:
    """How long an import takes in a new process, in ms: the median of seven."""
    code = f"import time; t = time.perf_counter(); {line}; print(time.perf_counter() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(7)
    ]
    return round(sorted(times)[len(times) // 2] * 1e3, 1)


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.footprint`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    options = parser.parse_args(arguments)
    sizes = {size: at(int(size)) for size in options.sizes.split(",")}
    record("footprint", {"sizes": sizes, "installed": installed()})


if __name__ == "__main__":
    main()
