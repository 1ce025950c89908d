"""Fits the projection of word vectors that the package ships: `python -m benchmarks.projection TEXTS`.

TEXTS is a file with a text a line, or several such files. The axes depend on the sample only a little: fitted
on other kinds of text they rank the same to within .005 (see docs/adr/0005-word-vectors.md).
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.late_interaction import DIMENSIONS
from recollect.providers.adapters import NEWEST, NONE, projection
from recollect.providers.minilm import MiniLM
from recollect.providers.session import Session
from recollect.providers.words import term_of_each, unit

TARGET = "src/recollect/providers/words-{adapter}.npz"
MOST_WORDS = 400_000


def states(session: Session, texts: list[str]) -> NDArray[np.float32]:
    """The encoder's last states of the words of all texts, up to a number that is plenty."""
    found: list[NDArray[np.float32]] = []
    for text in texts:
        (encoding,) = session.encodings([text])
        (tokens,) = session.run([encoding.ids], "tokens")
        found.append(tokens[0][term_of_each(encoding, text) != 0])
        if sum(map(len, found)) >= MOST_WORDS:
            break
    return np.concatenate(found)


def fitted(words: NDArray[np.float32], seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The mean, and the principal axes of what is left, turned at random."""
    mean = words.mean(axis=0)
    spread = unit(words - mean)
    _, axes = np.linalg.eigh(spread.T @ spread)
    turn, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((DIMENSIONS, DIMENSIONS)))
    return mean, (axes[:, ::-1][:, :DIMENSIONS] @ turn).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--adapter", default=NEWEST)
    asked = parser.parse_args()
    lines = [line for path in asked.texts for line in path.read_text("utf-8").splitlines() if line.strip()]
    model = MiniLM(adapter=asked.adapter)
    model.prepare()
    # Any projection will do: the states are taken before it.
    mean, matrix = fitted(states(Session(model.folder, threads=2, projection=projection(NONE)), lines))
    target = Path(TARGET.format(adapter=asked.adapter))
    np.savez(target, mean=mean, matrix=matrix.astype(np.float16))
    print(f"{target}: {len(lines):,} texts")


if __name__ == "__main__":
    main()
