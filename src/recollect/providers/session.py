"""A converted model in memory: its tokenizer, its graph, and batches that waste little on padding."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np
import onnxruntime
import tokenizers
from numpy.typing import NDArray

from recollect.ports import Progress, Words
from recollect.providers.files import GRAPH, TOKENIZER
from recollect.providers.text import well_formed
from recollect.providers.words import Projection, term_of_each, words_of

MAX_TOKENS = 256
ERRORS_ONLY = 3
# Far more than 256 tokens of any prose or code: without it a text of 5 MB takes 9 s to tokenise.
MAX_CHARACTERS = 8192
# Padded tokens in one run: what fits the processor's cache. 2048 is 15 % slower, 8192 half as fast.
BATCH_TOKENS = 512
# What starting a run costs, in tokens: so much padding is worth sparing another one.
RUN_TOKENS = 16


class Session:
    """One graph of a converted model, exact or rounded."""

    def __init__(
        self, folder: Path, threads: int, projection: Callable[[], Projection], graph: str = GRAPH
    ) -> None:
        self._projection = projection
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
        # The shipped settings pad every text to 128 tokens and cut it there.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Batches differ in shape, so an arena only keeps the largest one's memory for ever.
        options.enable_cpu_mem_arena = False
        options.enable_mem_pattern = False
        # Waiting threads that spin save 1 ms of 4 alone, and double it when processes share the cores.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = ERRORS_ONLY
        self._graph = onnxruntime.InferenceSession(
            str(folder / graph), options, providers=["CPUExecutionProvider"]
        )

    def embed(
        self, texts: Sequence[str], dimension: int, progress: Progress | None = None
    ) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), dimension), np.float32)
        tokens = [encoding.ids for encoding in self.encodings(texts)]
        for batch in self._reported(tokens, progress):
            (vectors[batch],) = self.run([tokens[row] for row in batch], "pooled")
        return vectors

    def encode(
        self, texts: Sequence[str], dimension: int, progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        """Vectors as `embed` gives them, and those of each text's words, from one run of the graph."""
        vectors = np.empty((len(texts), dimension), np.float32)
        words: list[Words | None] = [None] * len(texts)
        encodings, projection = self.encodings(texts), self._projection()
        tokens = [encoding.ids for encoding in encodings]
        for batch in self._reported(tokens, progress):
            vectors[batch], states = self.run([tokens[row] for row in batch], "pooled", "tokens")
            for row, own in zip(batch, states, strict=True):
                hashes = term_of_each(encodings[row], _embedded(texts[row]))
                words[row] = words_of(own[: len(hashes)], hashes, projection)
        return vectors, [found for found in words if found is not None]

    def encodings(self, texts: Sequence[str]) -> list[tokenizers.Encoding]:
        # One by one: the tokenizer's own threads gain nothing here, and they do not survive a fork.
        return [self._tokenizer.encode(_embedded(text)) for text in texts]

    def _reported(self, tokens: Sequence[Sequence[int]], progress: Progress | None) -> Iterator[list[int]]:
        done = 0
        for batch in batches([len(ids) for ids in tokens], BATCH_TOKENS):
            yield batch
            done += len(batch)
            if progress:
                progress(done, len(tokens))

    def run(self, tokens: Sequence[Sequence[int]], *outputs: str) -> list[NDArray[np.float32]]:
        shape = len(tokens), max(map(len, tokens))
        input_ids, attention_mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, ids in enumerate(tokens):
            input_ids[row, : len(ids)] = ids
            attention_mask[row, : len(ids)] = 1
        found: list[NDArray[np.float32]] = self._graph.run(
            list(outputs), {"input_ids": input_ids, "attention_mask": attention_mask}
        )
        return found


def _embedded(text: str) -> str:
    """What of a text the tokenizer sees."""
    return well_formed(text[:MAX_CHARACTERS])


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Rows of like length, longest first: rows times the longest stay within the budget, padding costs less than a run.

    >>> list(batches([3, 9, 4, 8], budget=18))
    [[1, 3], [2, 0]]
    >>> list(batches([8, 256, 7], budget=512))
    [[1], [0, 2]]
    """
    rows = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    while rows:
        longest = max(1, lengths[rows[0]])
        size = max(1, budget // longest)
        padding = accumulate(longest - lengths[row] for row in rows[:size])
        fitting = max(1, sum(tokens <= RUN_TOKENS for tokens in padding))
        yield rows[:fitting]
        rows = rows[fitting:]
