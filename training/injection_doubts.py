"""What is made of the guard's trainings: when it is asked, and from which odds on a text is held back then.

Each part of the sources that is left out has a guard of its own, as it has models of its own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.language import doubt
from recollect.language.doubt import Opinion
from recollect.providers.adapters import GUARD
from recollect.providers.minilm import ROUNDED, MiniLM, named
from recollect.providers.session import MAX_TOKENS

HEAD = "head."
ODDS = "odds"


class Learnt(NamedTuple):
    """The texts that one training learns from, and what each counts."""

    rows: Sequence[int]
    weights: NDArray[np.float64]


def export(target: Path, texts: Sequence[str], attack: NDArray[np.bool_], parts: Sequence[Learnt]) -> None:
    """Writes what `training.guard` reads: every text as tokens, and the rows of each part."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(MiniLM().folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    readable = [text.encode("utf-8", "replace").decode() for text in texts]
    tokens = [found.ids for found in tokenizer.encode_batch(readable)]
    held = {
        "flat": np.array([one for ids in tokens for one in ids], np.uint16),
        "ends": np.cumsum([len(ids) for ids in tokens]),
        "attack": attack,
    }
    for number, part in enumerate(parts):
        held[f"rows{number}"] = np.array(part.rows)
        held[f"weights{number}"] = part.weights.astype(np.float32)
    np.savez_compressed(target, **held)


def odds_of(folder: Path, parts: int) -> list[NDArray[np.float64]]:
    """The log odds of every exported text, by the guard of each part."""
    found = []
    for number in range(parts):
        with np.load(folder / f"guard-{number}.npz") as data:
            found.append(data[ODDS].astype(np.float64))
    return found


def written(opinion: Opinion, guard: Path, language: Path, providers: Path) -> None:
    """The guard's head with what is made of it, and the change of the encoder, as the package ships them."""
    with np.load(guard) as data:
        np.savez_compressed(
            language / doubt.WEIGHTS,
            embedder=named(GUARD) + ROUNDED,
            hidden=data[f"{HEAD}hidden"].astype(np.float16),
            hidden_bias=data[f"{HEAD}hidden_bias"],
            out=data[f"{HEAD}out"][:, 0],
            out_bias=data[f"{HEAD}out_bias"][0],
            opinion=np.array(opinion),
        )
        adapter = {name: data[name] for name in data.files if name != ODDS and not name.startswith(HEAD)}
    np.savez_compressed(providers / f"adapter-{GUARD}.npz", **adapter)
