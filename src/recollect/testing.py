"""Stand-ins for tests: a clock that moves when told, an embedder and a language model that need no model."""

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.formulas.late_interaction import DIMENSIONS, pack
from recollect.language.terms import STOP_WORDS, hash_of, terms
from recollect.ports import Words

WORD = re.compile(r"\w+")


class FakeClock:
    """A clock that stands still until it is told to move.

    >>> clock = FakeClock()
    >>> clock.advance(days=1, hours=2)
    >>> clock.now().isoformat()
    '2026-01-02T02:00:00+00:00'
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.set(start)

    def now(self) -> datetime:
        return self._now

    def advance(self, **duration: float) -> None:
        """Move by a `timedelta` given in its own words: `advance(days=3, minutes=5)`."""
        self._now += timedelta(**duration)

    def set(self, moment: datetime) -> None:
        if moment.tzinfo is None:
            raise InvalidInput(f"{moment} has no time zone: give one, such as datetime.UTC.")
        self._now = moment.astimezone(UTC)


class HashEmbedder:
    """Unit vectors from hashed words, word pairs and letter triples: the same in every process.

    Texts that share words or parts of words are similar; nothing is known of their meaning.

    >>> cats, cat, taxes = HashEmbedder().embed(["cats sleep a lot", "a cat sleeps", "file the tax return"])
    >>> bool(cats @ cat > 0.25 > 0.1 > cats @ taxes)
    True
    """

    def __init__(self, dimension: int = 384) -> None:
        if dimension < 1:
            raise InvalidInput(f"dimension must be at least 1, not {dimension}.")
        self.name = f"hash-{dimension}"
        self.dimension = dimension

    def embed(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            self._add_features(text, vectors[row])
        if progress and texts:
            progress(len(texts), len(texts))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def encode(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        """With the vectors of the words: the same word, or a part of it, is similar wherever it stands."""
        return self.embed(texts, progress), [_words(text) for text in texts]

    def _add_features(self, text: str, vector: NDArray[np.float32]) -> None:
        words = WORD.findall(text.casefold()) or [text]
        for word in words:
            vector += _word_vector(word, self.dimension)
        for pair in pairwise(words):
            place, sign = _hashed(" ".join(pair), self.dimension)
            vector[place] += 0.5 * sign
        if not vector.any():
            vector[_hashed(text, self.dimension)[0]] = 1.0


def _words(text: str) -> Words:
    distinct = list(dict.fromkeys(term for term in terms(text) if term not in STOP_WORDS))
    vectors = np.array([_word_vector(term, DIMENSIONS) for term in distinct], np.float32)
    vectors = vectors.reshape(len(distinct), DIMENSIONS)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Words(np.array([hash_of(term) for term in distinct], np.uint32), pack(vectors))


@lru_cache(maxsize=4096)
def _word_vector(word: str, dimension: int) -> NDArray[np.float32]:
    """A word and its letter triples; short words count less, because most of them say little."""
    vector = np.zeros(dimension, np.float32)
    for copy in range(4):
        place, sign = _hashed(f"{word}#{copy}", dimension)
        vector[place] += 0.25 * sign
    padded = f"<{word}>"
    triples = [padded[start : start + 3] for start in range(max(1, len(padded) - 2))]
    for triple in triples:
        place, sign = _hashed(triple, dimension)
        vector[place] += sign / math.sqrt(len(triples))
    return vector * np.float32(min(1.0, len(word) / 6))


@lru_cache(maxsize=16_384)
def _hashed(feature: str, dimension: int) -> tuple[int, int]:
    """A place and a sign. Not `hash()`, which differs between processes."""
    code = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
    return (code >> 1) % dimension, 1 if code & 1 else -1


class ScriptedGenerator:
    """A language model that says what it is told to: an answer a task, or a callable that makes it of what is given.

    A task without one fails, so that rules serve.

    >>> model = ScriptedGenerator(tell={"text": "Ada likes tea."})
    >>> model.answer("tell", {}), model.answer("merge", {}), model.asked
    ({'text': 'Ada likes tea.'}, None, [('tell', {}), ('merge', {})])
    """

    name = "scripted"

    def __init__(self, **answers: Any) -> None:
        self._answers = answers
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.counts: Counter[tuple[str, str]] = Counter()

    def answer(self, task: str, given: Mapping[str, Any]) -> Any | None:
        self.asked.append((task, given))
        found = self._answers.get(task)
        answer = found(given) if callable(found) else found
        self.counts[task, "failed" if answer is None else "answered"] += 1
        return answer
