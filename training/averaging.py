"""One adapter out of several trainings: `python -m training.averaging TARGET FILE …`.

Each training ends somewhere else in what its data leaves open. Where all of them agree is what the data says, and the
mean of their changes keeps that: on every set it is about as good as the best of them, whichever that is. A part of the
way back towards the published weights serves texts of other kinds than were trained on.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

RANK = 24
SHARE = 0.9
"""Of the mean change, so much is made."""

Change = dict[str, Any]
"""Two factors of each layer, `.a` and `.b`, as an adapter's file has them."""


def averaged(changes: Sequence[Mapping[str, NDArray[np.float16]]], rank: int, share: float) -> Change:
    """The mean of the changes' products, its strongest directions alone."""
    made: Change = {}
    for name in changes[0]:
        layer, _, factor = name.rpartition(".")
        if factor != "a":
            continue
        products = [
            change[f"{layer}.b"].astype(np.float32) @ change[name].astype(np.float32) for change in changes
        ]
        left, strength, right = np.linalg.svd(share * np.mean(products, axis=0), full_matrices=False)
        root = np.sqrt(strength[:rank])
        made[name] = (root[:, None] * right[:rank]).astype(np.float16)
        made[f"{layer}.b"] = (left[:, :rank] * root).astype(np.float16)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("adapters", type=Path, nargs="+")
    parser.add_argument("--rank", type=int, default=RANK)
    parser.add_argument("--share", type=float, default=SHARE)
    asked = parser.parse_args()
    changes = []
    for path in asked.adapters:
        with np.load(path) as data:
            changes.append({name: data[name] for name in data.files})
    np.savez_compressed(asked.target, **averaged(changes, asked.rank, asked.share))


if __name__ == "__main__":
    main()
