"""Recall of the index against exact search over real embeddings of real texts, at least 100,000 of them."""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import milliseconds, record, summary
from recollect import Filter, Recollect
from recollect.candidates import Asked
from recollect.index.params import IndexParams
from recollect.index.partition import Partition
from recollect.providers.minilm import MiniLM

SENTENCE = re.compile(r"(?<=[.!?])\s+")
SHORTEST, LONGEST = 20, 80
DEPTHS = ((200, 50), (500, 100), (500, 150), (500, 200), (500, 250), (1_000, 250), (2_000, 500))
"""How many the bits bring, and how many of those are scored exactly."""
CACHE = Path(".cache/real-embeddings.npz")


def texts(data: Path) -> Iterator[str]:
    """Sentences of every text in the JSON, JSONL, CSV and TSV files below a folder."""
    for path in sorted(data.rglob("*")):
        if path.suffix == ".json":
            yield from _strings(json.loads(path.read_text()))
        elif path.suffix == ".jsonl":
            for line in path.read_text().splitlines():
                yield from _strings(json.loads(line))
        elif path.suffix in (".csv", ".tsv"):
            yield from path.read_text(errors="replace").splitlines()


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from SENTENCE.split(value)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def embedded(data: Path, count: int, questions: int) -> tuple[list[str], NDArray[np.float16]]:
    """Distinct sentences with their vectors, shuffled; kept in a cache folder between runs."""
    distinct = sorted({t.strip() for t in texts(data) if SHORTEST <= len(t.strip()) <= LONGEST})
    rng = np.random.default_rng(0)
    chosen = [distinct[i] for i in rng.permutation(len(distinct))[: count + questions]]
    if CACHE.exists():
        known = np.load(CACHE)["vectors"]
        if len(known) == len(chosen):
            return chosen, known
    vectors = MiniLM().embed(chosen, lambda done, total: print(f"\r{done}/{total}", end="", flush=True))
    CACHE.parent.mkdir(exist_ok=True)
    np.savez(CACHE, vectors=vectors.astype(np.float16))
    return chosen, vectors.astype(np.float16)


class Known:
    """An embedder over vectors that are known."""

    name, dimension = "known", 384

    def __init__(self, texts: list[str], vectors: NDArray[np.float16]) -> None:
        self._rows = dict(zip(texts, vectors, strict=True))

    def embed(self, texts, progress=None):  # noqa: ARG002
        return np.array([self._rows[t] for t in texts], np.float32)


def run(data: Path, count: int, questions: int) -> dict[str, object]:
    """The share of the exact ten nearest that the index finds, at several depths of rescoring."""
    sentences, vectors = embedded(data, count, questions)
    held, asked = vectors[: len(vectors) - questions], vectors[len(vectors) - questions :].astype(np.float32)
    full = held.astype(np.float32)
    exact = [np.argsort(-(full @ q), kind="stable")[:10] for q in asked]
    rows: dict[str, object] = {"texts": len(held), "questions": len(asked)}
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        embedder = Known(sentences, vectors)
        settings = {"embedder.cached_texts": 1, "formation.enabled": False}
        with Recollect(Path(name) / "a.db", user="u", embedder=embedder, settings=settings) as memory:
            for first in range(0, len(held), 8_192):
                memory.observe(
                    [{"role": "user", "content": t} for t in sentences[first : min(first + 8_192, len(held))]]
                )
            memory.compact()
            order = memory.store.matching("u", Filter())
            for rescore, finalists in DEPTHS:
                partition = _partition(memory, name, rescore, finalists)
                found, times = [], []
                for question, best in zip(asked, exact, strict=True):
                    search = partial(partition.search, Asked(question, np.empty(0, np.uint32)), Filter(), 10)
                    answer = search()
                    times.append(milliseconds(search))
                    top = answer.contents[np.argsort(-answer.similarity, kind="stable")][:10]
                    found.append(len(set(np.searchsorted(order, top).tolist()) & set(best.tolist())) / 10)
                key = f"bits_{rescore}_finalists_{finalists}"
                rows[key] = {"recall@10": round(float(np.mean(found)), 4), "ms": summary(times)}
                print(key, rows[key], flush=True)
    return rows


def _partition(memory: Recollect, folder: str, rescore: int, finalists: int) -> Partition:
    params = IndexParams(rescore=rescore, finalists=finalists)
    return Partition(memory.store, "u", "known", 384, Path(folder) / "a.db.index", params)


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.index_recall --data FOLDER`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=500)
    options = parser.parse_args(arguments)
    record("index_recall", run(options.data, options.count, options.questions))


if __name__ == "__main__":
    main()
