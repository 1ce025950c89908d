"""Recollect and its peers on LoCoMo: the same turns, the same vectors, the same questions, in one run.

`python -m benchmarks.peers --data DIR` in an environment that has the peers of benchmarks/requirements.txt and
`mempalace`; a peer that is not installed is left out. The vectors are made beforehand, so that no time includes an
embedding. Every contender has a store for each conversation and answers in turns.
"""

import argparse
import logging
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import milliseconds, record, summary
from recollect.evals.asking import DEPTH, Method, Outcome, standing
from recollect.evals.measuring import quality
from recollect.evals.metrics import gold_ranks
from recollect.evals.model import Corpus, Item
from recollect.evals.sets import load
from recollect.evals.stores import Moving, filled
from recollect.language.spoken import spoken
from recollect.providers.minilm import MiniLM

BATCH = 256


class Table:
    """The embedder with its vectors known before they are asked for."""

    def __init__(self, embedder: Any) -> None:
        self._embedder, self._known = embedder, {}
        self.name, self.dimension = embedder.name, embedder.dimension

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed(self, texts, progress=None):  # noqa: ARG002
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for first in range(0, len(new), BATCH):
            part = new[first : first + BATCH]
            self._known |= dict(zip(part, self._embedder.embed(part), strict=True))
        return np.array([self._known[text] for text in texts], np.float32).reshape(-1, self.dimension)


def said(item: Item) -> str:
    """A turn as all contenders get it: with its speaker."""
    return spoken(item.text, item.speaker)


class Ours:
    """Recollect with its default profile, through the same harness as the evaluation."""

    name = "recollect"

    def __init__(self, folder: Path, table: Table) -> None:
        self._folder, self._table = folder, table

    def add(self, corpus: Corpus) -> None:
        self._store = filled(corpus, self._folder, self._table)
        self._memory = self._store.opened(self._table, Moving(self._store.ended_at))

    def search(self, question: str) -> list[tuple[str, ...]]:
        found = self._memory.recall(question, DEPTH, learn=False, **Method().options())
        return standing(found, self._store.keys)

    def close(self) -> None:
        self._memory.close()


class Chroma:
    """Chroma's persistent client; vectors only."""

    name = "chroma"

    def __init__(self, folder: Path, table: Table) -> None:
        os.environ["ANONYMIZED_TELEMETRY"] = "False"
        import chromadb

        logging.getLogger("chromadb").setLevel(logging.CRITICAL)
        self._table = table
        client = chromadb.PersistentClient(path=str(folder))
        space = {"hnsw:space": "cosine"}
        self._held = client.create_collection("peers", metadata=space, embedding_function=None)

    def add(self, corpus: Corpus) -> None:
        items = turns(corpus)
        texts = [said(item) for item in items]
        vectors = list(self._table.embed(texts))
        self._held.add(ids=[item.key for item in items], embeddings=vectors, documents=texts)

    def search(self, question: str) -> list[tuple[str, ...]]:
        vector = self._table.embed([question])[0]
        found = self._held.query(query_embeddings=[vector], n_results=DEPTH)
        return [(key,) for key in found["ids"][0]]

    def close(self) -> None:
        """It has no close."""


class Mem0:
    """mem0 with `infer=False` over a local Qdrant, as it is installed."""

    name = "mem0"

    def __init__(self, folder: Path, table: Table) -> None:
        os.environ.update(MEM0_TELEMETRY="False", OPENAI_API_KEY="none", MEM0_DIR=str(folder))
        from mem0 import Memory

        place = {"path": str(folder / "qdrant"), "embedding_model_dims": table.dimension, "on_disk": True}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": place},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._table = table
        self._memory.embedding_model = self

    def embed(self, text, memory_action=None):  # noqa: ARG002 - mem0 calls it so
        return self._table.embed([text])[0].tolist()

    def embed_batch(self, texts, memory_action=None):  # noqa: ARG002 - mem0 calls it so
        return self._table.embed(texts).tolist()

    def add(self, corpus: Corpus) -> None:
        for item in turns(corpus):
            self._memory.add(said(item), user_id="peers", metadata={"key": item.key}, infer=False)

    def search(self, question: str) -> list[tuple[str, ...]]:
        found = self._memory.search(question, top_k=DEPTH, filters={"user_id": "peers"}, threshold=0.0)
        return [(hit["metadata"]["key"],) for hit in found["results"]]

    def close(self) -> None:
        """It has no close."""


class MemPalace:
    """MemPalace's drawers and its hybrid search."""

    name, strategy = "mempalace", "vector"

    def __init__(self, folder: Path, table: Table) -> None:
        os.environ.update(MEMPALACE_CONFIG_DIR=str(folder / "config"), ANONYMIZED_TELEMETRY="False")
        from mempalace import embedding
        from mempalace.palace import get_collection

        logging.getLogger("mempalace").setLevel(logging.CRITICAL)
        given = palace_embedding(table)
        embedding.get_embedding_function = lambda *_, **__: given
        self._path = str(folder / "palace")
        self._held = get_collection(self._path)

    def add(self, corpus: Corpus) -> None:
        items = turns(corpus)
        for first in range(0, len(items), BATCH):
            part = items[first : first + BATCH]
            self._held.add(
                ids=[item.key for item in part],
                documents=[said(item) for item in part],
                metadatas=[{"wing": "peers", "room": "talk", "source_file": item.key} for item in part],
            )

    def search(self, question: str) -> list[tuple[str, ...]]:
        from mempalace.searcher import search_memories

        found = search_memories(
            question, self._path, n_results=DEPTH, candidate_strategy=self.strategy, wing="peers"
        )
        return [(hit["source_file"],) for hit in found["results"]]

    def close(self) -> None:
        """It has no close."""


class MemPalaceUnion(MemPalace):
    """MemPalace with its lexical candidates joined in."""

    name, strategy = "mempalace_union", "union"


def palace_embedding(table: Table) -> Any:
    """The known vectors in the form that MemPalace's store wants."""
    from chromadb import EmbeddingFunction

    class Known(EmbeddingFunction):
        dimension = table.dimension

        def __init__(self) -> None:
            """It needs nothing."""

        def __call__(self, input):
            return list(table.embed(list(input)))

        @staticmethod
        def name() -> str:
            return "default"

        def get_config(self) -> dict[str, Any]:
            return {}

        @staticmethod
        def build_from_config(_: dict[str, Any]) -> "Known":
            return Known()

    return Known()


CONTENDERS = (Ours, Chroma, Mem0, MemPalace, MemPalaceUnion)


def turns(corpus: Corpus) -> list[Item]:
    """Every turn of a conversation that says something."""
    return [item for session in corpus.sessions for item in session.items if item.text.strip()]


def asked(corpus: Corpus) -> Iterator[tuple[str, str, list[str]]]:
    """The questions whose evidence is there, with their type and that evidence."""
    known = {item.key for item in turns(corpus)}
    for question in corpus.questions:
        gold = [key for key in question.gold if key in known]
        if gold:
            yield question.text, question.type, gold


class Run:
    """What every contender did, conversation after conversation."""

    def __init__(self, names: Sequence[str]) -> None:
        self._kinds = [kind for kind in CONTENDERS if kind.name in names]
        self._table = Table(MiniLM())
        self._outcomes: dict[str, list[Outcome]] = defaultdict(list)
        self._adding_ms: dict[str, float] = defaultdict(float)
        self._items = 0
        self._left_out: dict[str, str] = {}

    def converse(self, corpus: Corpus, folder: Path) -> None:
        """Fills every contender with a conversation and asks them in turns."""
        self._table.embed([said(item) for item in turns(corpus)])
        self._table.embed([text for text, *_ in asked(corpus)])
        self._items += len(turns(corpus))
        ready = [one for kind in self._kinds if (one := self._filled(kind, corpus, folder)) is not None]
        for text, type_, gold in asked(corpus):
            for contender in ready:
                hits: list[tuple[str, ...]] = []
                took = milliseconds(lambda c=contender, q=text, h=hits: h.extend(c.search(q)))
                self._outcomes[contender.name].append(Outcome(type_, gold_ranks(hits, gold), (), (), took))
        for contender in ready:
            contender.close()

    def _filled(self, kind: Any, corpus: Corpus, folder: Path) -> Any:
        """A contender that holds the conversation; None where it is not installed."""
        try:
            contender = kind(_made(folder / kind.name), self._table)
        except ImportError as error:
            self._left_out[kind.name] = str(error)
            return None
        self._adding_ms[kind.name] += milliseconds(lambda: contender.add(corpus))
        # The first search opens what there is to open.
        contender.search("hello")
        return contender

    def result(self) -> dict[str, Any]:
        figures = {
            name: {
                **quality(found),
                "search_ms": summary([one.elapsed_ms for one in found]),
                "items_per_s": round(self._items / self._adding_ms[name] * 1e3, 1),
            }
            for name, found in self._outcomes.items()
        }
        about = {"set": "locomo", "items": self._items, "model": self._table.name}
        return {**about, "contenders": figures, "left_out": self._left_out}


def run(corpora: Sequence[Corpus], names: Sequence[str]) -> dict[str, Any]:
    """Every conversation, each in folders that are gone afterwards."""
    found = Run(names)
    for place, corpus in enumerate(corpora, 1):
        print(f"conversation {place} of {len(corpora)}", flush=True)
        with tempfile.TemporaryDirectory(prefix="recollect-peers-") as folder:
            found.converse(corpus, Path(folder))
    return found.result()


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.peers`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="locomo.json or the folder that has it")
    parser.add_argument("--limit", type=int, help="only the first questions; nothing is recorded")
    parser.add_argument("--only", default=",".join(kind.name for kind in CONTENDERS))
    options = parser.parse_args(arguments)
    (locomo,) = load("locomo", options.data, options.limit)
    result = run(locomo.corpora, options.only.split(","))
    for name, one in result["contenders"].items():
        figures = ", ".join(
            f"{key} {one[key]:.3f}" for key in ("recall@5", "recall@10", "recall_all@10", "ndcg@10")
        )
        print(
            f"{name}: {figures}, search {one['search_ms']['p50']:.1f} ms p50, {one['items_per_s']:,.0f} items/s"
        )
    for name, why in result["left_out"].items():
        print(f"{name} was left out: {why}")
    if options.limit is None:
        record("peers", result)


if __name__ == "__main__":
    main()
