"""Recollect and its peers behind the same few calls, so that one loop measures them all."""

import logging
import os
import shutil
import uuid
from pathlib import Path

from benchmarks.corpus import DIMENSION, Item, TableEmbedder
from recollect import Recollect


class Ours:
    """Recollect on one file, both search arms on."""

    name = "recollect"
    largest = 1_000_000

    def __init__(self, folder: Path) -> None:
        self._path = folder / "recollect" / "agent.db"
        self._embedder = TableEmbedder()
        self._open()

    def _open(self) -> None:
        self._memory = Recollect(
            self._path,
            user="bench",
            channel="_global",
            embedder=self._embedder,
            settings={"embedder.cached_texts": 1},
        )

    def add(self, item: Item) -> None:
        self._embedder.learn([item])
        self._memory.remember(item.text, tags=[item.tag])

    def add_many(self, items: list[Item]) -> None:
        self._embedder.learn(items)
        self._memory.remember_many([{"text": item.text, "tags": [item.tag]} for item in items])

    def search(self, question: Item, tag: str | None = None) -> list[str]:
        self._embedder.learn([question])
        found = self._memory.recall(question.text, 10, learn=False, **({"tags": (tag,)} if tag else {}))
        return [hit.text for hit in found]

    def settle(self) -> None:
        self._memory.compact()

    def reopen(self) -> None:
        self._memory.close()
        self._open()

    def close(self) -> None:
        self._memory.close()


class Chroma:
    """Chroma's persistent client with its HNSW index; vectors only."""

    name = "chroma"
    largest = 100_000

    def __init__(self, folder: Path) -> None:
        os.environ["ANONYMIZED_TELEMETRY"] = "False"
        import chromadb

        logging.getLogger("chromadb").setLevel(logging.CRITICAL)
        client = chromadb.PersistentClient(path=str(folder / "chroma"))
        self._collection = client.create_collection(
            "bench", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def add(self, item: Item) -> None:
        self.add_many([item])

    def add_many(self, items: list[Item]) -> None:
        for first in range(0, len(items), 4_000):
            part = items[first : first + 4_000]
            self._collection.add(
                ids=[uuid.uuid4().hex for _ in part],
                embeddings=[item.vector for item in part],
                documents=[item.text for item in part],
                metadatas=[{"tag": item.tag} for item in part],
            )

    def search(self, question: Item, tag: str | None = None) -> list[str]:
        where = {"tag": tag} if tag else None
        found = self._collection.query(query_embeddings=[question.vector], n_results=10, where=where)
        return found["documents"][0]

    def settle(self) -> None:
        """Chroma keeps itself in order."""

    def close(self) -> None:
        """It has no close."""


class Mem0:
    """mem0 with `infer=False`: its own pipeline over a local Qdrant, without a language model."""

    name = "mem0"
    largest = 10_000

    def __init__(self, folder: Path) -> None:
        os.environ.update(MEM0_TELEMETRY="False", OPENAI_API_KEY="none", MEM0_DIR=str(folder / "mem0"))
        from mem0 import Memory

        store = {"path": str(folder / "mem0" / "qdrant"), "embedding_model_dims": DIMENSION, "on_disk": True}
        config = {
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": str(folder / "mem0" / "history.db"),
        }
        self._memory = Memory.from_config(config)
        self._embedder = TableEmbedder()
        self._memory.embedding_model = self

    def embed(self, text, memory_action=None):  # noqa: ARG002 - mem0 calls it so
        return self._embedder.embed([text])[0].tolist()

    def embed_batch(self, texts, memory_action=None):  # noqa: ARG002 - mem0 calls it so
        return self._embedder.embed(texts).tolist()

    def add(self, item: Item) -> None:
        self._embedder.learn([item])
        self._memory.add(item.text, user_id="bench", metadata={"tag": item.tag}, infer=False)

    def add_many(self, items: list[Item]) -> None:
        for item in items:
            self.add(item)

    def search(self, question: Item, tag: str | None = None) -> list[str]:
        self._embedder.learn([question])
        filters = {"user_id": "bench", **({"tag": tag} if tag else {})}
        found = self._memory.search(question.text, top_k=10, filters=filters, threshold=0.0)
        return [hit["memory"] for hit in found["results"]]

    def settle(self) -> None:
        """mem0 keeps itself in order."""

    def close(self) -> None:
        """It has no close."""


CONTENDERS = (Ours, Chroma, Mem0)


def emptied(folder: Path) -> Path:
    """The folder, new."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
