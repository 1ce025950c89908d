"""What choosing by some of the bits costs in recall, over real embeddings: `python -m benchmarks.coarse`.

The vectors are those that `benchmarks.index_recall` has left in its cache.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.index_recall import CACHE
from benchmarks.measure import record
from recollect.index.bits import centre, hamming, nearest, pack, weights, within
from recollect.index.params import IndexParams

CHOICES = ((2, 12), (2, 16), (3, 12), (3, 16), (3, 25))
"""How many of the six words choose, and which part of all is then compared by all of them."""
QUESTIONS = 500


def best(
    held: NDArray[np.float32], bits: NDArray[np.uint64], query: NDArray[np.float32], short: NDArray[np.int64]
):
    """The ten nearest of a shortlist, as the index finds them."""
    finalists = IndexParams().finalists
    weight = weights(bits, query, short)
    chosen = short[weight >= np.partition(weight, len(weight) - finalists)[len(weight) - finalists]]
    return set(chosen[np.argsort(-(held[chosen] @ query), kind="stable")[:10]].tolist())


def run(vectors: NDArray[np.float32]) -> dict[str, object]:
    held, asked = vectors[:-QUESTIONS], vectors[-QUESTIONS:]
    mean = centre(held[:8_192].sum(0, dtype=np.float64), 8_192)
    bits, m = pack(held, mean), IndexParams().rescore
    found: dict[str, list[float]] = {"all_bits": []} | {
        f"{words}_words_of_6_one_in_{part}": [] for words, part in CHOICES
    }
    for query in asked:
        exact = set(np.argsort(-(held @ query), kind="stable")[:10].tolist())
        own = pack(query[None], mean)[:, 0]
        found["all_bits"].append(len(best(held, bits, query, nearest(hamming(bits, own), m)) & exact) / 10)
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
