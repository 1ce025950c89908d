"""What neighbours are worth to a recall: `python -m benchmarks.gnn --data DIR` writes benchmarks/results/gnn.json.

Each question's candidates are ranked by their scores alone, by scores that neighbours correct where they are close, and
by those that they always correct. Questions of sets that the weights are learnt from are ranked with weights that were
learnt without them: three parts, each with what the other two teach. LoCoMo and BEAM are never learnt from. The
corrected scores are those of a recall; what its later stages do (one place for a turn and its memory, the newest above
the older) is left out on both sides. The cost is the processor time of a recall of two hundred candidates with and
without, in turns, of each question the least of three, since others work beside; `--cost` measures that alone.
`--target FILE` also writes the weights that all lessons teach, as `python -m training.gnn` does.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from training.gnn import SETS as LEARNT_FROM
from training.gnn import Seen, fitted, seen, written

from benchmarks.measure import RESULTS, record
from recollect import config
from recollect.assembly import cached, make_embedder
from recollect.evals.measuring import stores_folder
from recollect.evals.metrics import by_group
from recollect.evals.model import Corpus
from recollect.evals.sets import load
from recollect.evals.stores import Filled, Moving, filled
from recollect.formulas.message_passing import Gnn, ambiguity, corrections
from recollect.ports import Embedder
from recollect.recall import refining
from recollect.recall.subgraph import NODES

PARTS = 3
MEASURED = {**LEARNT_FROM, "locomo": 3, "beam": 1}
"""Sets, and every how manieth question of each; of LoCoMo all that need several hops."""
ALWAYS = "multi-hop"
METHODS: Mapping[str, float] = {
    "default": np.inf,
    "gnn where scores are close": refining.AMBIGUOUS,
    "gnn always": 0.0,
}
"""By method, from which ambiguity on neighbours are heard."""
TIMED = 40
ROUNDS = 3
SHOWN = 10


class Asked(NamedTuple):
    """A question of a set, and which part of it it belongs to."""

    name: str
    part: int
    seen: Seen


def collected(
    data: Path, folder: Path, embedder: Embedder, names: Mapping[str, int]
) -> Iterator[tuple[str, Asked]]:
    """The questions of every set, with the name that the set is loaded by."""
    for chosen, every in names.items():
        for whole in load(chosen, data, None):
            for corpus in whole.corpora:
                store = filled(corpus, folder, embedder)
                for number, one in enumerate(seen(corpus, store, embedder, every, ALWAYS)):
                    yield chosen, Asked(whole.name, number % PARTS, one)


def share_found(one: Seen, gnn: Gnn | None, least: float, k: int) -> float:
    """How much of the evidence stands among the first k."""
    scores = one.scores
    close = ambiguity(np.sort(scores)[::-1][: 2 * SHOWN]) >= least
    if gnn is not None and close:
        scores = scores + refining.WEIGHT * corrections(one.graph, gnn)
    ranking: Sequence[tuple[str, ...]] = [one.keys[at] for at in np.argsort(-scores, kind="stable")]
    ranking = by_group(ranking) if one.grouped else ranking
    found = {key for keys in ranking[:k] for key in keys} & one.gold
    return len(found) / len(one.gold)


def row(name: str, told: str, some: Sequence[tuple[Seen, Gnn | None]]) -> dict[str, Any]:
    figures = {
        f"recall@{k}": round(
            float(np.mean([share_found(one, gnn, METHODS[told], k) for one, gnn in some])), 4
        )
        for k in (5, 10, 20)
    }
    return {"set": name, "method": told, "n": len(some), **figures}


def rows(asked: Sequence[tuple[str, Asked]]) -> Iterator[dict[str, Any]]:
    """A row for each set and method; of LoCoMo another for its questions of several hops."""
    learnt = [one for chosen, one in asked if chosen in LEARNT_FROM and one.seen.lesson is not None]
    every = fitted([one.seen.lesson for one in learnt if one.seen.lesson is not None])
    without = [
        fitted([one.seen.lesson for one in learnt if one.part != part and one.seen.lesson is not None])
        for part in range(PARTS)
    ]
    by_set: dict[str, list[tuple[Seen, Gnn | None]]] = {}
    for chosen, one in asked:
        gnn = without[one.part] if chosen in LEARNT_FROM else every
        by_set.setdefault(one.name, []).append((one.seen, gnn))
        if one.name == "locomo" and one.seen.type == ALWAYS:
            by_set.setdefault(f"locomo {ALWAYS}", []).append((one.seen, gnn))
    for name, some in by_set.items():
        yield from (row(name, told, some) for told in METHODS)


def cost(corpus: Corpus, store: Filled, embedder: Embedder) -> dict[str, Any]:
    """Processor time in ms: of a whole recall with and without, and of the corrections alone."""
    plain: list[float] = []
    deep: list[float] = []
    alone: list[float] = []
    with store.opened(embedder, Moving(store.ended_at)) as memory:
        k = NODES // 3 + 1
        for question in corpus.questions[:TIMED]:
            memory.recall(question.text, k, learn=False)
            times: dict[bool, list[float]] = {False: [], True: []}
            for _ in range(ROUNDS):
                for depth, taken in times.items():
                    began = time.process_time()
                    memory.recall(question.text, k, learn=False, deep=depth)
                    taken.append((time.process_time() - began) * 1e3)
            plain.append(min(times[False]))
            deep.append(min(times[True]))
            found = memory.candidates(question.text, k)
            if found is not None:
                began = time.process_time()
                corrections(found.graph, refining.shipped().gnn)
                alone.append((time.process_time() - began) * 1e3)
    return {
        "set": corpus.name,
        "without_ms": round(float(np.median(plain)), 3),
        "with_ms": round(float(np.median(deep)), 3),
        "more_ms": round(float(np.median(np.array(deep) - np.array(plain))), 3),
        "corrections_ms": round(float(np.median(alone)), 3),
    }


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.gnn`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here and use them again")
    parser.add_argument("--target", type=Path, help="where to write the weights that all lessons teach")
    parser.add_argument(
        "--cost", action="store_true", help="measure the cost alone, and keep the other figures"
    )
    options = parser.parse_args(arguments)
    chosen = config.assembled({}, {}).embedder
    embedder = cached(make_embedder(chosen), chosen)
    with stores_folder(options.stores) as folder:
        timed = [
            cost(corpus, filled(corpus, folder, embedder), embedder)
            for name in ("multihop", "locomo")
            for whole in load(name, options.data, None)
            for corpus in whole.corpora[:1]
        ]
        if options.cost:
            before = json.loads((RESULTS / "gnn.json").read_text(encoding="utf-8"))
            kept = {name: before[name] for name in ("model", "parts", "rows")}
            print(record("gnn", {**kept, "cost": timed, "rows_of": before.get("rows_of", before["commit"])}))
            return
        asked = [*collected(options.data, folder, embedder, MEASURED)]
        if options.target is not None:
            lessons = [one.seen.lesson for name, one in asked if name in LEARNT_FROM]
            written(options.target, [one for one in lessons if one is not None])
    found = []
    for one in rows(asked):
        print(one, flush=True)
        found.append(one)
    record("gnn", {"model": embedder.name, "parts": PARTS, "rows": found, "cost": timed})


if __name__ == "__main__":
    main()
