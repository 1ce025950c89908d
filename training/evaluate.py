"""What adapters are worth through the engine: `python -m training.evaluate --data DIR [FILE …]`.

Every set of the folder is asked through the real engine with its default profile, without an adapter, with the one that
is shipped, and with each file; only the encoder is PyTorch's, on a GPU where there is one, with exact weights for
questions too. One task a conversation, many at once: all sets take half a minute an adapter on a GPU and 16 cores. The
projection of word vectors is fitted to each file as to what is shipped, on texts that it was trained on.
"""

import argparse
import json
import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from benchmarks.projection import fitted
from numpy.typing import NDArray

from recollect.evals.asking import Method
from recollect.evals.measuring import evaluate
from recollect.evals.sets import load, present
from recollect.ports import Progress, Words
from recollect.providers.adapters import NEWEST, NONE, projection
from recollect.providers.minilm import CALIBRATIONS, named
from recollect.providers.words import Projection, term_of_each, words_of
from training import granite
from training.check import adapted, known
from training.data import examples
from training.encoder import read_weights
from training.train import TOKENIZER, WEIGHTS, Texts

LONGEST = 256
AT_ONCE = 32
FITTED_ON = 4_000
SETS = ("realmem", "beam", "multihop", "locomo")
"""Those that take longest first."""


class Encoding:
    """The encoder of an adapter as the engine's embedder: vectors of texts and of their words."""

    dimension = 384

    def __init__(self, adapter: Path | None, tokenizer: Path, weights: Path, words: Projection) -> None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
        base = weights.stem if granite.is_pack(weights) else named(NONE)
        self.name = base if adapter is None else f"{base}+{adapter.stem}"
        self.calibration = CALIBRATIONS.get(NEWEST)
        self._texts = Texts(tokenizer, device, LONGEST)
        self._model = adapted(read_weights(weights), adapter, first=granite.is_pack(weights)).to(device)
        self._projection = words

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        return self.encode(texts, progress)[0]

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        """Unit vectors of the texts, and the vectors of each text's words."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        words: list[Words] = []
        for start in range(0, len(texts), AT_ONCE):
            some = list(texts[start : start + AT_ONCE])
            states, vectors[start : start + AT_ONCE] = self._run(some)
            for text, own in zip(some, states, strict=True):
                terms = term_of_each(self._texts.encoding(text), text)
                words.append(words_of(own[: len(terms)], terms, self._projection))
            if progress is not None:
                progress(len(words), len(texts))
        return vectors, words

    def states(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The encoder's last states of all texts' words, before the projection."""
        found = []
        for start in range(0, len(texts), AT_ONCE):
            some = list(texts[start : start + AT_ONCE])
            for text, own in zip(some, self._run(some)[0], strict=True):
                found.append(own[np.flatnonzero(term_of_each(self._texts.encoding(text), text))])
        return np.concatenate(found)

    @torch.no_grad()
    def _run(self, texts: list[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        ids, mask, _ = self._texts.batch(texts)
        states, pooled = self._model(ids, mask)
        return states.cpu().numpy(), pooled.cpu().numpy()


@cache
def encoding(adapter: Path | None, data: Path, tokenizer: Path, weights: Path) -> Encoding:
    """One a process; of what is not shipped, with a projection of its own."""
    if adapter in known(weights) and not granite.is_pack(weights):
        shipped = projection(NONE if adapter is None else NEWEST)
        return Encoding(adapter, tokenizer, weights, shipped)
    beside = Path(f"{adapter or weights}.words.npz")
    if not beside.exists():
        plain = Encoding(adapter, tokenizer, weights, projection(NONE))
        mean, matrix = fitted(plain.states(sample(data)))
        np.savez(beside, mean=mean, matrix=matrix)
    with np.load(beside) as own:
        return Encoding(adapter, tokenizer, weights, (own["mean"], own["matrix"]))


def sample(data: Path) -> list[str]:
    """Texts that were trained on."""
    texts = sorted({example.positive for example in examples(data)})
    random.Random(0).shuffle(texts)
    return texts[:FITTED_ON]


def asked(task: tuple[Path | None, Path, str, int, int, str | None, Path, Path]) -> tuple[str, int, float]:
    """A conversation's set, how many questions it has, and what share of their evidence was found."""
    adapter, data, name, place, corpus, baseline, tokenizer, weights = task
    whole = load(name, data, None)[place]
    one = replace(whole, corpora=whole.corpora[corpus : corpus + 1])
    told = evaluate([one], encoding(adapter, data, tokenizer, weights), Method(baseline=baseline))
    return one.name, told["n"], told["recall@10"]


def conversations(data: Path) -> Iterator[tuple[str, int, int]]:
    """A set's name, which of its sets, and which conversation of that."""
    for name in SETS:
        for place, one in enumerate(load(name, data, None) if name in present(data) else ()):
            yield from ((name, place, corpus) for corpus in range(len(one.corpora)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapters", type=Path, nargs="*")
    parser.add_argument("--data", type=Path, required=True, help="a folder with the evaluation's sets")
    parser.add_argument(
        "--baseline", help="a plain method instead of the default profile: dense, rrf or bm25"
    )
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--tokenizer", type=Path, default=TOKENIZER)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    files = (chosen.tokenizer, chosen.weights)
    for adapter in (*known(chosen.weights), *chosen.adapters):
        # Here, so that a projection is fitted once and not by every process.
        encoding(adapter, chosen.data, *files)
        tasks = [
            (adapter, chosen.data, *which, chosen.baseline, *files) for which in conversations(chosen.data)
        ]
        with ProcessPoolExecutor(chosen.processes, mp_context=get_context("spawn")) as pool:
            found = list(pool.map(asked, tasks))
        told = {
            name: round(sum(n * share for own, n, share in found if own == name) / total, 4)
            for name in dict.fromkeys(own for own, _, _ in found)
            if (total := sum(n for own, n, _ in found if own == name))
        }
        print(json.dumps({"adapter": adapter.name if adapter else NONE, "recall@10": told}), flush=True)


if __name__ == "__main__":
    main()
