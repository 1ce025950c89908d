"""An embedder behind any OpenAI-compatible `/embeddings` endpoint, hosted or local."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.providers.endpoint import Endpoint
from recollect.providers.text import well_formed


class OpenAIEmbedder:
    """Embeds through POST {url}/embeddings. What the service returns is checked before it is believed.

    `dimension` is what the model is expected to return; left out, the first answer decides.
    """

    def __init__(
        self,
        url: str,
        model: str,
        dimension: int | None = None,
        *,
        api_key: str | None = None,
        timeout_seconds: float = 30.0,
        batch: int = 128,
        retries: int = 2,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if batch < 1 or (dimension is not None and dimension < 1):
            raise InvalidInput("batch and dimension must be at least 1.")
        self.name = f"openai:{model}"
        self._endpoint = Endpoint(url, api_key, timeout_seconds, retries, sleep)
        self._model = model
        self._batch = batch
        self._dimension = dimension

    @property
    def dimension(self) -> int:
        """The number of dimensions; asks the service once if nobody said."""
        if self._dimension is None:
            self.embed(["dimension"])
        assert self._dimension is not None  # noqa: S101 - embed has set it or raised
        return self._dimension

    def embed(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32]:
        if isinstance(texts, str):
            raise InvalidInput("embed takes a list of texts: put a single text into a list.")
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        parts = []
        for start in range(0, len(texts), self._batch):
            part = texts[start : start + self._batch]
            parts.append(self._embed_batch([well_formed(text) for text in part]))
            if progress:
                progress(start + len(part), len(texts))
        return np.concatenate(parts)

    def _embed_batch(self, texts: list[str]) -> NDArray[np.float32]:
        answer = self._endpoint.post("embeddings", {"model": self._model, "input": texts})
        try:
            rows = _rows(answer, len(texts))
            vectors = _unit(rows)
        except _BadAnswer as problem:
            raise self._endpoint.unusable(str(problem)) from None
        if self._dimension is None:
            self._dimension = vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise self._endpoint.unusable(
                f"it returned vectors of {vectors.shape[1]} dimensions where {self._dimension} are expected"
            )
        return vectors


class _BadAnswer(Exception):
    pass


def _rows(answer: Any, count: int) -> NDArray[np.float64]:
    """The vectors of an answer in the order of the texts that were sent."""
    try:
        places = [item.get("index", place) for place, item in enumerate(answer["data"])]
        rows = [item["embedding"] for item in answer["data"]]
        in_order = sorted(range(len(places)), key=places.__getitem__)
    except (TypeError, KeyError, AttributeError):
        raise _BadAnswer("its answer holds no list of embeddings") from None
    if len(rows) != count:
        raise _BadAnswer(f"it returned {len(rows)} vectors for {count} texts")
    if [places[row] for row in in_order] != list(range(count)):
        raise _BadAnswer("its answer does not say which vector belongs to which text")
    try:
        matrix = np.array([rows[row] for row in in_order], np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _BadAnswer("its vectors are not lists of numbers of one length") from None
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise _BadAnswer("its vectors are not lists of numbers")
    return matrix


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise _BadAnswer("it returned a vector without direction: zero, infinite or not a number")
    vectors: NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return vectors
