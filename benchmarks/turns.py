"""A long life in one store: made conversations with the vectors of their words, and what a recall costs in it.

`python -m benchmarks.turns` writes benchmarks/results/turns.json. The turns' vectors are made, as embedding 100,000
turns says nothing about recall; every question is really embedded by the model, in one thread, and that time counts.
"""

import argparse
import itertools
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus import DIMENSION, Corpus, Item
from benchmarks.measure import record, size_mb, summary
from recollect.engine import Recollect
from recollect.formulas.late_interaction import DIMENSIONS, pack
from recollect.language.terms import hash_of, terms
from recollect.ports import Words
from recollect.providers.minilm import MiniLM

TURNS_A_SESSION = 20
QUESTION = "What did Melanie say about the trip to the mountains last summer?"
"""What the model embeds each time: made words would be cut into many more pieces than real ones."""
NOISE = 0.5
"""How far the same word is from itself in another text."""


class Turns:
    """Knows the vectors of what is said; a question costs what the model takes for it."""

    name, dimension = "turns", DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, Item] = {}
        self._model = MiniLM(threads=1)
        self.asking = False

    def learn(self, items: list[Item]) -> None:
        self._known = {item.text: item for item in items}

    def embed(self, texts, progress=None):  # noqa: ARG002
        return np.array([self._known[text].vector for text in texts], np.float32).reshape(-1, DIMENSION)

    def encode(self, texts, progress=None):  # noqa: ARG002
        if self.asking:
            self._model.for_questions.encode([QUESTION])
        return self.embed(texts), [_words(text) for text in texts]


def _words(text: str) -> Words:
    distinct = list(dict.fromkeys(terms(text)))
    rng = np.random.default_rng(len(text) + hash_of(distinct[-1]))
    vectors = np.array([_meaning(term) for term in distinct])
    vectors += NOISE / np.sqrt(DIMENSIONS) * rng.standard_normal(vectors.shape)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Words(np.array([hash_of(term) for term in distinct], np.uint32), pack(vectors.astype(np.float32)))


@cache
def _meaning(term: str) -> np.ndarray:
    vector = np.random.default_rng(hash_of(term)).standard_normal(DIMENSIONS)
    return vector / np.linalg.norm(vector)


def fill(memory: Recollect, embedder: Turns, corpus: Corpus, held: int, count: int) -> float:
    """Observes so many further turns, in sessions; answers how many a second."""
    took = 0.0
    for items in corpus.items(count, held):
        embedder.learn(items)
        began = time.perf_counter()
        for first in range(0, len(items), TURNS_A_SESSION):
            said = items[first : first + TURNS_A_SESSION]
            messages = [
                {"role": "user" if place % 2 == 0 else "assistant", "content": item.text}
                for place, item in enumerate(said)
            ]
            memory.observe(messages, session=f"s{held + first}-{said[0].text[-8:]}")
        took += time.perf_counter() - began
    return count / took


def ask(memory: Recollect, embedder: Turns, questions: list[Item]) -> dict[str, dict[str, float]]:
    """Milliseconds of a recall with its embedding, and of the embedding alone."""
    embedder.learn(questions)
    embedder.asking = True
    whole, reading = [], []
    for question in questions:
        began = time.perf_counter()
        found = memory.recall(question.text, learn=False)
        whole.append((time.perf_counter() - began) * 1e3)
        reading.append(sum(step.elapsed_ms for step in found.trace.steps if step.stage == "read"))
    embedder.asking = False
    # The first opens the index.
    return {"recall_ms": summary(whole[1:]), "of_that_reading_the_question_ms": summary(reading[1:])}


def run(sizes: list[int], questions: int) -> dict[str, object]:
    """Grows one store from size to size and asks at each."""
    corpus, embedder, result = Corpus(), Turns(), {}
    asked = corpus.questions(questions)
    with tempfile.TemporaryDirectory(prefix="recollect-turns-") as name:
        settings = {"embedder.cached_texts": 1, "formation.enabled": False}
        with Recollect(Path(name) / "life.db", embedder=embedder, settings=settings) as memory:
            held = 0
            for size in sizes:
                rate = fill(memory, embedder, corpus, held, size - held)
                held = size
                memory.compact()
                bytes_a_turn = size_mb(Path(name)) * 1e6 / held
                result[str(size)] = {
                    "observed_turns_per_second": round(rate),
                    "bytes_a_turn": round(bytes_a_turn),
                    **ask(memory, embedder, asked),
                }
                print(size, result[str(size)], flush=True)
    for smaller, larger in itertools.pairwise(result.values()):
        larger["growth_from_previous"] = round(larger["recall_ms"]["p50"] / smaller["recall_ms"]["p50"], 2)
    return {"turns_a_session": TURNS_A_SESSION, "sizes": result}


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.turns --sizes 10000,100000`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args(arguments)
    record("turns", run([int(size) for size in options.sizes.split(",")], options.questions))


if __name__ == "__main__":
    main()
