"""How long things take at growing sizes, beside peers that hold the same items, in interleaved rounds."""

import argparse
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.contenders import CONTENDERS, Ours, emptied
from benchmarks.corpus import BATCH, Corpus, Item
from benchmarks.measure import known, milliseconds, record, size_mb, summary

ROUNDS = 5
FILTER_TAG = "t3"

OPENING = """
import sys, time
from benchmarks.contenders import Ours
from benchmarks.corpus import Corpus
question = Corpus().questions(1)[0]
from pathlib import Path
began = time.perf_counter()
ours = Ours(Path(sys.argv[1]))
ours.search(question)
print((time.perf_counter() - began) * 1e3)
"""


def filled(contender: Any, corpus: Corpus, start: int, count: int) -> float:
    """Adds items in bulk and gives items a second."""
    took = 0.0
    for items in corpus.items(count, start):
        took += milliseconds(lambda items=items: contender.add_many(items))
    return count / took * 1e3


def interleaved(contenders: list[Any], questions: list[Item], tag: str | None) -> dict[str, dict[str, float]]:
    """Every contender answers every question, taking turns, so that a busy moment hits all alike."""
    times: dict[str, list[float]] = {c.name: [] for c in contenders}
    for contender in contenders:
        for question in questions[:5]:
            contender.search(question, tag)
    for question in questions:
        for contender in contenders:
            times[contender.name].append(milliseconds(lambda c=contender, q=question: c.search(q, tag)))
    return {name: summary(values) for name, values in times.items()}


def durable(
    contenders: list[Any], corpus: Corpus, start: int, count: int = 300
) -> dict[str, dict[str, float]]:
    """One item at a time, durable when the call returns."""
    times: dict[str, list[float]] = {c.name: [] for c in contenders}
    for items in corpus.items(count, start):
        for item in items:
            for contender in contenders:
                times[contender.name].append(milliseconds(lambda c=contender, i=item: c.add(i)))
    return {name: summary(values) for name, values in times.items()}


def opening(folder: Path) -> dict[str, float]:
    """A new process: from opening the store to its first answer, after the imports."""
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", OPENING, str(folder)], capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(ROUNDS)
    ]
    return summary(times)


def _alone(ours: Ours, corpus: Corpus, asked: list[Item], start: int) -> dict[str, dict[str, float]]:
    """What a program sees that has no other database in it: the processor's caches are not emptied between calls."""
    return {
        "recall_ms": interleaved([ours], asked, None)[ours.name],
        "recall_with_10_percent_filter_ms": interleaved([ours], asked, FILTER_TAG)[ours.name],
        "remember_ms": durable([ours], corpus, start)[ours.name],
    }


def run(sizes: list[int], *, peers: bool, questions: int) -> dict[str, Any]:
    """Grows the same stores from size to size and measures at each."""
    corpus, result = Corpus(), {}
    asked = corpus.questions(questions)
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        folder = emptied(Path(name) / "stores")
        contenders = [kind(folder) for kind in (CONTENDERS if peers else (Ours,))]
        held = 0
        for size in sizes:
            present = [c for c in contenders if c.largest >= size]
            bulk = {c.name: round(filled(c, corpus, held, size - held)) for c in present}
            for contender in present:
                contender.settle()
            held = size
            ours = present[0]
            result[str(size)] = {
                "bulk_items_per_second": bulk,
                "alone": _alone(ours, corpus, asked, 60_000_000 + held),
                "recall_ms": interleaved(present, asked, None),
                "recall_with_10_percent_filter_ms": interleaved(present, asked, FILTER_TAG),
                "disk_mb": round(size_mb(folder / "recollect"), 1),
            }
            ours.reopen()
            result[str(size)]["open_to_first_answer_ms"] = opening(folder)
            result[str(size)]["remember_ms"] = durable(present, corpus, 50_000_000 + held)
            print(size, result[str(size)], flush=True)
        for contender in contenders:
            contender.close()
    return result


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.speed --sizes 10000,100000,1000000`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args(arguments)
    sizes = [int(size) for size in options.sizes.split(",")]
    measured = run(sizes, peers=not options.no_peers, questions=options.questions)
    record("speed", {"batch": BATCH, "sizes": _with_growth(known("speed").get("sizes", {}) | measured)})


def _with_growth(sizes: dict[str, Any]) -> dict[str, Any]:
    """Sizes in order, each with what ten times as many cost against the size before."""
    ordered = {size: sizes[size] for size in sorted(sizes, key=int)}
    for smaller, larger in itertools.pairwise(ordered.values()):
        before, after = (row["alone"]["recall_ms"]["p50"] for row in (smaller, larger))
        larger["growth_from_previous"] = round(after / before, 2)
    return ordered


if __name__ == "__main__":
    main()
