"""Recollect and its peers on the public sets: the same texts, the same vectors, the same questions, in one run.

`python -m benchmarks.peers --data DIR` in an environment that has the peers of benchmarks/requirements.txt and
`mempalace`; a peer that is not installed is left out. Every contender has a store for each conversation or corpus and
they answer in turns. The peers are given our vectors, and those of the questions are made beforehand, so that no
search includes an embedding. Some questions are asked once more as a caller asks them, a text and nothing else: then
each embeds it, ours as it does by default, with rounded weights, the peers with the same model as it is; and then once
more as each of them is shipped, with the embedding that comes with it. Writes benchmarks/results/peers.json, and
docs/evaluation.md with it.
"""

import argparse
import logging
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import milliseconds, record, summary
from benchmarks.shipped import Embed, shipped
from recollect.evals.asking import DEPTH, Method, Outcome, standing
from recollect.evals.measuring import quality, stores_folder
from recollect.evals.metrics import gold_ranks
from recollect.evals.model import Corpus, EvalSet, Item
from recollect.evals.sets import load
from recollect.evals.stores import USER, Moving, filled
from recollect.language.spoken import spoken
from recollect.model import Filter, Lane
from recollect.providers.minilm import MiniLM

BATCH = 256
AS_ASKED, AS_SHIPPED = "as_asked_ms", "as_shipped_ms"
ASKED = 40
"""So many questions of each conversation or corpus are also asked as a caller asks them."""


class Table:
    """The embedder with its vectors known before they are asked for, unless it is `live`: peers are then served by that."""

    def __init__(self, embedder: Any) -> None:
        self._embedder, self._vectors, self._words = embedder, {}, {}
        self.name, self.dimension = embedder.name, embedder.dimension
        self.live: Embed | None = None

    def learn(self, texts: Sequence[str], vectors: Iterable[Any]) -> None:
        self._vectors |= dict(zip(texts, vectors, strict=True))

    def ask(self, questions: Sequence[str]) -> None:
        """Makes the vectors of the questions, and of their words."""
        vectors, words = self._embedder.encode(list(questions))
        self.learn(questions, vectors)
        self._words |= dict(zip(questions, words, strict=True))

    def embed(self, texts, progress=None):  # noqa: ARG002
        if self.live is not None:
            return self.live(list(texts))
        self.ask([text for text in dict.fromkeys(texts) if text not in self._vectors])
        return np.array([self._vectors[text] for text in texts], np.float32).reshape(-1, self.dimension)

    def encode(self, texts, progress=None):  # noqa: ARG002
        if self.live is not None:
            return self._embedder.for_questions.encode(list(texts))
        self.ask([text for text in dict.fromkeys(texts) if text not in self._words])
        return self.embed(texts), [self._words[text] for text in texts]


def said(item: Item) -> str:
    """An item as all contenders get it: with its speaker or its title."""
    return f"{item.title}\n{item.text}" if item.title else spoken(item.text, item.speaker)


class Ours:
    """Recollect with its default profile, through the same harness as the evaluation."""

    name, embeds = "recollect", True

    def __init__(self, folder: Path, table: Table) -> None:
        self._folder, self._table = folder, table

    def add(self, corpus: Corpus) -> None:
        self._store = filled(corpus, self._folder, self._table)
        alone = {"embedder.cached_texts": 1}  # a question that is asked again is embedded again
        self._memory = self._store.opened(self._table, Moving(self._store.ended_at), alone)

    def vectors(self, corpus: Corpus) -> dict[str, Any]:
        """The vector of each item, by the text that the peers get."""
        kept = self._memory.store.find(USER, Filter(lanes=tuple(Lane)))
        contents = np.array(sorted(memory.content for memory in kept), np.int64)
        numbers, vectors = self._memory.store.vectors(USER, contents)
        by_content = dict(zip(numbers.tolist(), vectors.astype(np.float32), strict=True))
        by_key = {
            key: by_content[memory.content] for memory in kept for key in self._store.keys.get(memory.id, ())
        }
        return {said(item): by_key[item.key] for item in items_of(corpus) if item.key in by_key}

    def search(self, question: str) -> list[tuple[str, ...]]:
        found = self._memory.recall(question, DEPTH, learn=False, **Method().options())
        return standing(found, self._store.keys)

    def close(self) -> None:
        self._memory.close()


class Chroma:
    """Chroma's persistent client; vectors only."""

    name, embeds = "chroma", True

    def __init__(self, folder: Path, table: Table) -> None:
        os.environ["ANONYMIZED_TELEMETRY"] = "False"
        import chromadb

        logging.getLogger("chromadb").setLevel(logging.CRITICAL)
        self._table = table
        client = chromadb.PersistentClient(path=str(folder))
        space = {"hnsw:space": "cosine"}
        self._held = client.create_collection("peers", metadata=space, embedding_function=None)

    def add(self, corpus: Corpus) -> None:
        items = items_of(corpus)
        for first in range(0, len(items), BATCH):
            part = items[first : first + BATCH]
            texts = [said(item) for item in part]
            vectors = list(self._table.embed(texts))
            self._held.add(ids=[item.key for item in part], embeddings=vectors, documents=texts)

    def search(self, question: str) -> list[tuple[str, ...]]:
        vector = self._table.embed([question])[0]
        found = self._held.query(query_embeddings=[vector], n_results=DEPTH)
        return [(key,) for key in found["ids"][0]]

    def close(self) -> None:
        """It has no close."""


class Mem0:
    """mem0 with `infer=False` over a local Qdrant, as it is installed; what embeds for it by default is a service."""

    name, embeds = "mem0", False

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
        for item in items_of(corpus):
            self._memory.add(said(item), user_id="peers", metadata={"key": item.key}, infer=False)

    def search(self, question: str) -> list[tuple[str, ...]]:
        found = self._memory.search(question, top_k=DEPTH, filters={"user_id": "peers"}, threshold=0.0)
        return [(hit["metadata"]["key"],) for hit in found["results"]]

    def close(self) -> None:
        """It has no close."""


class MemPalace:
    """MemPalace's drawers and its hybrid search; it embeds as Chroma does."""

    name, embeds, strategy = "mempalace", True, "vector"

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
        items = items_of(corpus)
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


def items_of(corpus: Corpus) -> list[Item]:
    """Every turn and passage that says something, each key once."""
    every = [*(item for session in corpus.sessions for item in session.items), *corpus.passages]
    return list({item.key: item for item in every if item.text.strip()}.values())


def asked(corpus: Corpus) -> Iterator[tuple[str, str, list[str]]]:
    """The questions whose evidence is there, with their type and that evidence."""
    known = {item.key for item in items_of(corpus)}
    for question in corpus.questions:
        gold = [key for key in question.gold if key in known]
        if gold:
            yield question.text, question.type, gold


class Run:
    """What every contender did on one set, corpus after corpus."""

    def __init__(self, names: Sequence[str], table: Table, live: Mapping[str, Embed], stores: Path) -> None:
        self._kinds = [kind for kind in CONTENDERS if kind.name in names]
        self._table, self._live, self._stores = table, live, stores
        self._outcomes: dict[str, list[Outcome]] = defaultdict(list)
        self._asked: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in live}
        self._items = 0
        self._left_out: dict[str, str] = {}

    def converse(self, corpus: Corpus, folder: Path) -> None:
        """Fills every contender with a corpus and asks them in turns."""
        ours = Ours(self._stores, self._table)
        ours.add(corpus)
        vectors = ours.vectors(corpus)
        self._table.learn([*vectors], vectors.values())
        self._table.ask([text for text, *_ in asked(corpus)])
        self._items += len(items_of(corpus))
        peers = [kind for kind in self._kinds if kind is not Ours]
        ready = [ours, *(one for kind in peers if (one := self._filled(kind, corpus, folder)) is not None)]
        for contender in ready:
            # The first search opens what there is to open.
            contender.search("what is there?")
        for text, type_, gold in asked(corpus):
            for contender in ready:
                hits: list[tuple[str, ...]] = []
                took = milliseconds(lambda c=contender, q=text, h=hits: h.extend(c.search(q)))
                self._outcomes[contender.name].append(Outcome(type_, gold_ranks(hits, gold), (), (), took))
        self._ask_live(ready, [text for text, *_ in asked(corpus)][:ASKED])
        for contender in ready:
            contender.close()

    def _ask_live(self, ready: Sequence[Any], questions: Sequence[str]) -> None:
        """The same questions in turns, each embedded by whoever is asked."""
        for name, embed in self._live.items():
            self._table.live = embed
            embed(["what is there?"])
            for text in questions:
                for contender in ready:
                    if name == AS_SHIPPED and not contender.embeds:
                        continue
                    took = milliseconds(lambda c=contender, q=text: c.search(q))
                    self._asked[name][contender.name].append(took)
        self._table.live = None

    def _filled(self, kind: Any, corpus: Corpus, folder: Path) -> Any:
        """A contender that holds the corpus; None where it is not installed."""
        try:
            contender = kind(_made(folder / kind.name), self._table)
        except ImportError as error:
            self._left_out[kind.name] = str(error)
            return None
        contender.add(corpus)
        return contender

    def result(self) -> dict[str, Any]:
        figures = {
            name: {
                **quality(found),
                "search_ms": summary([one.elapsed_ms for one in found]),
                **{way: summary(took[name]) for way, took in self._asked.items() if took[name]},
            }
            for name, found in self._outcomes.items()
        }
        return {"items": self._items, "contenders": figures, "left_out": self._left_out}


def run(sets: Sequence[EvalSet], names: Sequence[str], stores: Path) -> dict[str, Any]:
    """Every set; the peers' folders are gone afterwards."""
    model = MiniLM()
    table = Table(model)
    live: dict[str, Embed] = {AS_ASKED: model.embed}
    own = shipped()
    if own is not None:
        live[AS_SHIPPED] = own
    found = {}
    for one in sets:
        on_set = Run(names, table, live, stores)
        for place, corpus in enumerate(one.corpora, 1):
            print(f"{one.name} {place} of {len(one.corpora)}", flush=True)
            with tempfile.TemporaryDirectory(prefix="recollect-peers-") as folder:
                on_set.converse(corpus, Path(folder))
        found[one.name] = on_set.result()
        for name, told in found[one.name]["contenders"].items():
            print(f"{one.name} {name}: {_line(told)}", flush=True)
    return {"model": table.name, "sets": found}


def _line(told: dict[str, Any]) -> str:
    figures = ", ".join(f"{key} {told[key]:.3f}" for key in ("recall@5", "recall@10", "ndcg@10"))
    ways = ("search_ms", AS_ASKED, AS_SHIPPED)
    times = ", ".join(f"{way} {told[way]['p50']:.1f}" for way in ways if way in told)
    return f"{figures}, p50 {times}"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.peers`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--sets", default="locomo,beam,multihop", help="comma-separated")
    parser.add_argument("--limit", type=int, help="only the first questions; nothing is recorded")
    parser.add_argument("--only", default=",".join(kind.name for kind in CONTENDERS))
    parser.add_argument("--stores", type=Path, help="keep our filled stores here and use them again")
    options = parser.parse_args(arguments)
    sets = [one for name in options.sets.split(",") for one in load(name, options.data, options.limit)]
    with stores_folder(options.stores) as stores:
        result = run(sets, options.only.split(","), stores)
    if options.limit is None:
        record("peers", result)


if __name__ == "__main__":
    main()
