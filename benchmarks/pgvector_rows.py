"""What the comparison with pgvector is about: real sentences and questions with their vectors, and who has which."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import Corpus as Made
from recollect.evals.sets import load, present
from recollect.providers.minilm import MiniLM

LARGE, SMALL, SMALLEST = 100_000, 1_000, 535
"""Memories of a tenant. The small ones have the texts of the large one, each tenant others."""
SENTENCE = re.compile(r"(?<=[.!?])\s+")
SHORTEST, LONGEST = 20, 300
NOISE = 0.005
"""What is added to each number of a vector that a second tenant has, too: together a tenth of its length."""


@dataclass(frozen=True)
class Rows:
    """Sentences in the order of their source, and the questions that are asked of it."""

    texts: list[str]
    sources: list[str]
    """The conversation or collection that each is from."""
    vectors: NDArray[np.float16]
    questions: list[str]
    asked_of: list[str]
    """The source that each question is about."""
    asked: NDArray[np.float32]


@dataclass(frozen=True)
class Tenant:
    """Memories 1, 2, 3, … of one user."""

    number: int
    source: str
    texts: list[str]
    vectors: NDArray[np.float16]

    def nearest(self, asked: NDArray[np.float32], limit: int) -> set[int]:
        """The exact best."""
        order = np.argsort(-(self.vectors.astype(np.float32) @ asked), kind="stable")
        return set((order[:limit] + 1).tolist())


def rows(data: Path | None, folder: Path, count: int) -> Rows:
    """Of the sets in a folder, embedded once; without a folder they are made."""
    if data is None:
        made = Made()
        items, asked = [one for batch in made.items(count) for one in batch], made.questions(500)
        vectors, questions = (np.stack([one.vector for one in part]) for part in (items, asked))
        texts = [[one.text for one in part] for part in (items, asked)]
        return Rows(
            texts[0], ["made"] * count, vectors.astype(np.float16), texts[1], ["made"] * 500, questions
        )
    told: dict[str, str] = {}
    wanted: dict[str, str] = {}
    for name in present(data):
        for corpus in (corpus for one in load(name, data) for corpus in one.corpora):
            source = f"{name} {corpus.name}"
            items = [*corpus.passages, *(item for session in corpus.sessions for item in session.items)]
            for item in items:
                for sentence in SENTENCE.split(item.text):
                    if SHORTEST <= len(sentence.strip()) <= LONGEST:
                        told.setdefault(sentence.strip(), source)
            wanted |= {one.text: source for one in corpus.questions}
    told = dict(list(told.items())[:count])
    wanted = {text: source for text, source in wanted.items() if source in set(told.values())}
    vectors = _embedded(folder / f"texts-{count}.npy", list(told)).astype(np.float16)
    asked = _embedded(folder / f"questions-{count}.npy", list(wanted))
    return Rows([*told], [*told.values()], vectors, [*wanted], [*wanted.values()], asked)


def tenants(known: Rows, smalls: int) -> list[Tenant]:
    """The large one first, then the small ones, the smallest last: in each, what stands together in a source."""
    rng = np.random.default_rng(3)

    def part(number: int, first: int, count: int) -> Tenant:
        own = slice(first, first + count)
        vectors = known.vectors[own] + NOISE * rng.standard_normal((count, known.vectors.shape[1]))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return Tenant(number, known.sources[first + count // 2], known.texts[own], vectors.astype(np.float16))

    large = Tenant(1, "", known.texts, known.vectors)
    return [
        large,
        *(part(2 + at, at * SMALL % len(known.texts), SMALL) for at in range(smalls)),
        part(2 + smalls, known.sources.index(Counter(known.asked_of).most_common(1)[0][0]), SMALLEST),
    ]


def asked_of(known: Rows, group: list[Tenant], count: int) -> list[tuple[int, Tenant]]:
    """Which question is asked of which tenant: of one that has the question's source."""
    pairs = [
        (at, tenant)
        for at, source in enumerate(known.asked_of)
        for tenant in group
        if tenant.source in ("", source)
    ]
    order = np.random.default_rng(5).permutation(len(pairs))[:count]
    return [pairs[at] for at in order]


def _embedded(path: Path, texts: list[str]) -> NDArray[np.float32]:
    """By the built-in model, kept between runs."""
    if not path.exists():
        np.save(path, MiniLM(threads=1).embed(texts))
    return np.load(path)
