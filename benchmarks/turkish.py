"""Turkish with and without the adapter, dense vectors alone: `python -m benchmarks.turkish --data FOLDER`.

How the likeness of STSb-TR's pairs goes with what people said, and how many of TQuad's questions have their paragraph
among the ten nearest.
"""

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import record
from recollect.assembly import make_embedder
from recollect.ports import Embedder
from recollect.providers.adapters import NEWEST, NONE
from recollect.settings import EmbedderSettings

ADAPTERS = (NONE, NEWEST)
NEAREST = 10


def likeness(path: Path, embedder: Embedder) -> dict[str, float]:
    """Spearman's correlation between cosines and what people said of the pairs."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    first, second = (embedder.embed([row[name] for row in rows]) for name in ("sentence1", "sentence2"))
    said = np.array([float(row["score"]) for row in rows])
    alike = (first * second).sum(axis=1)
    return {"pairs": len(rows), "spearman": round(float(np.corrcoef(_ranks(alike), _ranks(said))[0, 1]), 4)}


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Places in order; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ((2 * ends - counts - 1) / 2.0)[places]


def found(path: Path, embedder: Embedder) -> dict[str, float]:
    """The share of the questions whose paragraph is among the nearest."""
    paragraphs, questions, answers = [], [], []
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            questions += [one["question"] for one in paragraph["qas"]]
            answers += [len(paragraphs)] * len(paragraph["qas"])
            paragraphs.append(paragraph["context"])
    cosines = embedder.embed(questions) @ embedder.embed(paragraphs).T
    right = cosines[np.arange(len(questions)), answers]
    places = (cosines > right[:, None]).sum(axis=1)
    return {
        "questions": len(questions),
        "paragraphs": len(paragraphs),
        "recall@10": round(float((places < NEAREST).mean()), 4),
        "recall@1": round(float((places < 1).mean()), 4),
    }


def main() -> None:
    """Measures both, and records it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data / "turkish"
    told = {}
    for adapter in ADAPTERS:
        embedder = make_embedder(EmbedderSettings(adapter=adapter))
        told[embedder.name] = {
            "stsb_tr": likeness(folder / "stsb_tr" / "stsb_tr_test.tsv", embedder),
            "tquad": found(folder / "tquad" / "dev-v0.1.json", embedder),
        }
    record("turkish", {"command": "python -m benchmarks.turkish --data DIR", "models": told})


if __name__ == "__main__":
    main()
