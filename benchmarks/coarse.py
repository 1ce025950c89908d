"""What choosing by some of the bits costs in recall, over real embeddings: `python -m benchmarks.coarse`.

The vectors are those that `benchmarks.index_recall` has left in its cache. Beside what the index does: cells, of which
the nearest are looked at that hold a part of all (IVF), and bits of fewer, rotated numbers (PCA and a random rotation).
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.index_recall import CACHE
from benchmarks.measure import record
from recollect.index.bits import centre, hamming, nearest, pack, weights, within
from recollect.index.params import IndexParams

CHOICES = ((2, 12), (2, 16), (3, 16), (3, 25), (3, 50), (4, 50), (4, 100))
"""How many of the six words choose, and which part of all is then compared by all of them."""
CELLS, PARTS_OF_CELLS = 256, (8, 4, 3)
ROTATED = ((128, 16), (128, 25), (192, 50))
"""How many rotated numbers choose by their signs, and which part of all is then compared by all bits."""
SAMPLE, ROUNDS = 12_288, 8
QUESTIONS = 500


def best(
    held: NDArray[np.float32], bits: NDArray[np.uint64], query: NDArray[np.float32], short: NDArray[np.int64]
):
    """The ten nearest of a shortlist, as the index finds them."""
    finalists = IndexParams().finalists
    weight = weights(bits, query, short)
    chosen = short[weight >= np.partition(weight, len(weight) - finalists)[len(weight) - finalists]]
    return set(chosen[np.argsort(-(held[chosen] @ query), kind="stable")[:10]].tolist())


def cells(
    held: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Directions that the vectors gather around, by k-means of a sample, and to which of them each belongs."""
    sample = held[rng.choice(len(held), SAMPLE, replace=False)]
    middle = sample[:CELLS]
    for _ in range(ROUNDS):
        total = np.zeros_like(middle)
        np.add.at(total, np.argmax(sample @ middle.T, axis=1), sample)
        middle = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9)
    return middle, np.argmax(held @ middle.T, axis=1)


def rotation(held: NDArray[np.float32], numbers: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """The directions in which the vectors differ most, turned so that each tells as much as another."""
    _, directions = np.linalg.eigh(np.cov(held[:SAMPLE].T))
    turned, _ = np.linalg.qr(rng.standard_normal((numbers, numbers)))
    return (directions[:, ::-1][:, :numbers] @ turned).astype(np.float32)


def run(vectors: NDArray[np.float32]) -> dict[str, object]:
    held, asked = vectors[:-QUESTIONS], vectors[-QUESTIONS:]
    mean = centre(held[:8_192].sum(0, dtype=np.float64), 8_192)
    bits, m = pack(held, mean), IndexParams().rescore
    found: dict[str, list[float]] = {"all_bits": []} | {
        f"{words}_words_of_6_one_in_{part}": [] for words, part in CHOICES
    }
    rng, apart = np.random.default_rng(0), held - mean
    middle, member = cells(apart, rng)
    sizes = np.bincount(member, minlength=CELLS)
    found |= {f"cells_{CELLS}_one_in_{part}": [] for part in PARTS_OF_CELLS}
    turned = {numbers: rotation(apart, numbers, rng) for numbers in {numbers for numbers, _ in ROTATED}}
    signs = {numbers: pack(apart @ turned[numbers], np.zeros(numbers, np.float32)) for numbers in turned}
    found |= {f"rotated_{numbers}_one_in_{part}": [] for numbers, part in ROTATED}
    for query in asked:
        exact = set(np.argsort(-(held @ query), kind="stable")[:10].tolist())
        own = pack(query[None], mean)[:, 0]
        distances = hamming(bits, own)
        found["all_bits"].append(len(best(held, bits, query, nearest(distances, m)) & exact) / 10)
        order = np.argsort(-(middle @ (query - mean)))
        for part in PARTS_OF_CELLS:
            looked_at = order[: int(np.searchsorted(np.cumsum(sizes[order]), len(held) / part)) + 1]
            rows = np.flatnonzero(np.isin(member, looked_at))
            short = rows[nearest(distances[rows], m)]
            found[f"cells_{CELLS}_one_in_{part}"].append(len(best(held, bits, query, short) & exact) / 10)
        for numbers, part in ROTATED:
            signed = pack((query - mean)[None] @ turned[numbers], np.zeros(numbers, np.float32))[:, 0]
            rows = within(hamming(signs[numbers], signed), len(held) // part)
            short = rows[nearest(distances[rows], m)]
            found[f"rotated_{numbers}_one_in_{part}"].append(len(best(held, bits, query, short) & exact) / 10)
        for words, part in CHOICES:
            rough = hamming(bits[:words], own[:words])
            rows = within(rough, len(held) // part)
            short = rows[nearest(rough[rows] + hamming(bits[words:], own[words:], rows), m)]
            found[f"{words}_words_of_6_one_in_{part}"].append(
                len(best(held, bits, query, short) & exact) / 10
            )
    recalls = {name: round(float(np.mean(values)), 4) for name, values in found.items()}
    return {"texts": len(held), "questions": len(asked), "recall@10": recalls}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=CACHE)
    result = run(np.load(parser.parse_args(arguments).cache)["vectors"].astype(np.float32))
    record("coarse", result)
    print(result)


if __name__ == "__main__":
    main()
