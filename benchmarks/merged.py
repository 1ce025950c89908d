"""What it costs to ask everybody's library beside one's own memory: `python -m benchmarks.merged`.

The same questions are asked without and with the library, taking turns. The published items are put into the library's
store in bulk, as `publish` keeps them, but without the records that say who owns each: no question reads those. With
`--folder` the stores are kept, and filled once.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.corpus import BATCH, Corpus, Item, TableEmbedder
from benchmarks.measure import milliseconds, record, summary
from recollect import Recollect
from recollect.model import Memory, Origin, Scope
from recollect.ports import Change, Changes
from recollect.recall.hits import LIBRARY
from recollect.shared.access import PUBLIC
from recollect.shared.items import LIBRARY_USER

ROUNDS = 3
ABROAD = 20_000_000
"""What others published is not what one knows oneself: the number of its first item."""


def opened(path: Path, embedder: TableEmbedder, **more: Any) -> Recollect:
    return Recollect(path, embedder=embedder, **more)


def known(memory: Recollect) -> int:
    return int(memory.store.counts(memory.user)["memory"])


def filled(memory: Recollect, embedder: TableEmbedder, count: int) -> None:
    """So many memories of one's own, unless they are there from an earlier run."""
    if (held := known(memory)) >= count:
        return
    for items in Corpus().items(count - held, held):
        embedder.learn(items)
        memory.remember_many([{"text": item.text, "tags": [item.tag]} for item in items])
    memory.compact()


def stocked(library: Recollect, embedder: TableEmbedder, count: int) -> None:
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


def asked(memory: Recollect, embedder: TableEmbedder, questions: list[Item]) -> dict[str, Any]:
    """How long a recall takes without and with the library, in turns, and how often the library answered in time."""
    times: dict[str, list[float]] = {"own": [], "merged": []}
    answered = told = 0
    for number, question in enumerate(questions * ROUNDS):
        embedder.learn([question])
        own = milliseconds(lambda q=question: memory.recall(q.text, 10, learn=False, shared=False))
        found: list[Any] = []
        merged = milliseconds(
            lambda q=question, found=found: found.append(memory.recall(q.text, 10, learn=False, shared=True))
        )
        if number < len(questions):
            continue  # the first round warms both
        times["own"].append(own)
        times["merged"].append(merged)
        step = next(one for one in found[0].trace.steps if one.stage == LIBRARY)
        answered += "left_out" not in step.detail
        told += any(hit.whence == LIBRARY for hit in found[0])
    own, merged = summary(times["own"]), summary(times["merged"])
    return {
        "own_ms": own,
        "merged_ms": merged,
        "ratio_p50": round(merged["p50"] / own["p50"], 2),
        "ratio_p95": round(merged["p95"] / own["p95"], 2),
        "library_answered": round(answered / own["n"], 3),
        "with_hits_of_the_library": round(told / own["n"], 3),
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--own", type=int, default=100_000)
    parser.add_argument("--published", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="where the stores are kept, or are already")
    options = parser.parse_args(arguments)
    embedder = TableEmbedder()
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
            settings={"shared.store": str(library)},
        ) as memory:
            filled(memory, embedder, options.own)
            result = asked(memory, embedder, Corpus().questions(options.questions))
    record("merged", {"own": options.own, "published": options.published, "batch": BATCH, **result})
    print(result)


if __name__ == "__main__":
    main()
