"""What it costs to ask everybody's library beside one's own memory: `python -m benchmarks.merged`.

The same questions are asked without and with the library, taking turns, as a caller asks them: memories have the
vectors of their words, and every question is really embedded by the model. The published items are put into the
library's store in bulk, as `publish` keeps them, but without the records that say who owns each: no question reads
those. With `--folder` the stores are kept, and filled once.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.corpus import BATCH, Corpus, Item
from benchmarks.measure import record, summary
from benchmarks.turns import Turns
from recollect import Recollect
from recollect.model import Memory, Origin, Scope
from recollect.ports import Change, Changes
from recollect.recall.hits import LIBRARY
from recollect.shared.access import PUBLIC
from recollect.shared.items import LIBRARY_USER

ROUNDS = 3
DEADLINE_MS, PATIENCE_MS = 200.0, 10_000.0
"""What is in time by default, and how long is waited here: a library that was late once is left alone for a while, and
what was never asked would count as a quick answer."""
APART = 7
"""So far apart are the questions that are asked without and with the library, or one would find its vector made."""
ABROAD = 20_000_000
"""What others published is not what one knows oneself: the number of its first item."""


def opened(path: Path, embedder: Turns, **more: Any) -> Recollect:
    settings = {"embedder.cached_texts": 1, **more.pop("settings", {})}
    return Recollect(path, embedder=embedder, settings=settings, **more)


def known(memory: Recollect) -> int:
    return int(memory.store.counts(memory.user)["memory"])


def filled(memory: Recollect, embedder: Turns, count: int) -> None:
    """So many memories of one's own, unless they are there from an earlier run."""
    if (held := known(memory)) >= count:
        return
    for items in Corpus().items(count - held, held):
        embedder.learn(items)
        memory.remember_many([{"text": item.text, "tags": [item.tag]} for item in items])
    memory.compact()


def stocked(library: Recollect, embedder: Turns, count: int) -> None:
    """So many published items; written straight into the store, or a million would take an hour of checks."""
    if (held := known(library)) >= count:
        return
    writer, now = library._writer, library.now()  # noqa: SLF001 - as `publish` does
    for items in Corpus().items(count - held, ABROAD + held):
        embedder.learn(items)
        made = [
            Memory(
                writer.ids.new(),
                item.text,
                now,
                now,
                kind="pattern",
                channel=PUBLIC,
                scope=Scope.PROJECT,
                tags=(item.tag,),
                origin=Origin(write_source="publish", data_source="library"),
                metadata={"title": item.tag, "summary": "", "author": "others", "item_version": 1},
            )
            for item in items
        ]
        changes = map(Change, made, writer.searchable(made))
        library.store.write(
            LIBRARY_USER, Changes("publish", now, tuple(changes), model=library.embedder.name)
        )
    library.compact()


def asked(memory: Recollect, embedder: Turns, questions: list[Item]) -> dict[str, Any]:
    """How long a recall takes without and with the library, in turns, and how often the library answered in time.

    Also the processor's time, of all threads: on a machine that others use it says more.
    """
    times: dict[str, list[float]] = {name: [] for name in ("own", "merged", "own_cpu", "merged_cpu")}
    in_time = told = 0
    embedder.learn(questions)
    memory.library_hits(questions[0].text)  # opened here, or the first question would be left waiting for it
    embedder.asking = True
    for number in range(len(questions) * ROUNDS):
        for name, shared in (("own", False), ("merged", True)):
            question = questions[(number + shared * APART) % len(questions)]
            cpu, began = time.process_time(), time.perf_counter()
            found = memory.recall(question.text, 10, learn=False, shared=shared)
            if number >= len(questions):  # the first round warms both
                times[name].append((time.perf_counter() - began) * 1e3)
                times[f"{name}_cpu"].append((time.process_time() - cpu) * 1e3)
        if number >= len(questions):
            step = next(one for one in found.trace.steps if one.stage == LIBRARY)
            in_time += "left_out" not in step.detail and step.detail["ms"] <= DEADLINE_MS
            told += any(hit.whence == LIBRARY for hit in found)
    sums = {name: summary(values) for name, values in times.items()}
    count = len(times["own"])
    return {
        "load_average": os.getloadavg()[0],
        **{f"{name}_ms": one for name, one in sums.items()},
        "ratio_p50": round(sums["merged"]["p50"] / sums["own"]["p50"], 2),
        "ratio_p95": round(sums["merged"]["p95"] / sums["own"]["p95"], 2),
        "ratio_cpu_p50": round(sums["merged_cpu"]["p50"] / sums["own_cpu"]["p50"], 2),
        "library_in_time": round(in_time / count, 3),
        "with_hits_of_the_library": round(told / count, 3),
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--own", type=int, default=100_000)
    parser.add_argument("--published", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="where the stores are kept, or are already")
    options = parser.parse_args(arguments)
    embedder = Turns()
    with tempfile.TemporaryDirectory(prefix="recollect-merged-") as name:
        folder = options.folder or Path(name)
        library = folder / "library.db"
        with opened(library, embedder, user=LIBRARY_USER, channel=PUBLIC) as shelf:
            stocked(shelf, embedder, options.published)
        with opened(
            folder / "own.db",
            embedder,
            user="bench",
            channel="_global",
            settings={"shared.store": str(library), "shared.deadline_ms": PATIENCE_MS},
        ) as memory:
            filled(memory, embedder, options.own)
            result = asked(memory, embedder, Corpus().questions(options.questions))
    record("merged", {"own": options.own, "published": options.published, "batch": BATCH, **result})
    print(result)


if __name__ == "__main__":
    main()
