"""How much a text means what attacks mean, by its vector.

The suspicion of `suspicion` knows an attack by its letters, and by few of its words where others were chosen; a vector
says what is meant. A small network over it belongs to one embedder, by name: vectors of another one, or of the same with
another adapter, say something else and are never judged. The weights come from `training/injection.py`.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.language.suspicion import likely

WEIGHTS: Final = "stance.npz"
HIDDEN: Final = 256
SCALE: Final = 20.0
"""A unit vector of 384 dimensions times this has numbers of about one."""
AGREES: Final = 1.0
"""From here on a stance says the same as a suspicion. Of attacks, no set loses more than 0.6 points by it."""


class Head(NamedTuple):
    """A hidden layer of rectified units over a vector, and what they add up to."""

    embedder: str
    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    out: NDArray[np.float32]
    out_bias: float


class Verdict(NamedTuple):
    """How suspicion and stance, both as log odds, are one decision."""

    suspicion: float
    stance: float
    bias: float
    threshold: float = 0.5
    """From here on, 0 to 1, a text that nobody said is held back."""
    said: float = 1.0
    """From here on one that a person says is."""

    def likely(self, suspicion: float, stance: float) -> float:
        """How likely a text with this suspicion and this stance is an attack, 0 to 1."""
        return likely(self.odds(suspicion, stance))

    def odds(self, suspicion: float, stance: float) -> float:
        """The same as log odds."""
        return self.suspicion * suspicion + self.stance * stance + self.bias


def serves(embedder: str) -> bool:
    """Whether vectors of this embedder can be judged."""
    return shipped()[0].embedder == embedder


def stance(vector: NDArray[np.float32]) -> float:
    """The log odds of a vector."""
    return float(stances(vector[None], shipped()[0])[0])


def together(suspicion: float, stance: float) -> float:
    """The log odds of a text with this suspicion and this stance."""
    return shipped()[1].odds(suspicion, stance)


def meant(suspicion: float, stance: float, *, given: bool = True) -> float | None:
    """How likely a text with this suspicion and this stance is an attack, where that is enough for how it comes."""
    verdict = shipped()[1]
    found = verdict.likely(suspicion, stance)
    return found if found >= (verdict.threshold if given else verdict.said) else None


def stances(vectors: NDArray[np.float32], head: Head) -> NDArray[np.float32]:
    """The log odds of each row."""
    hidden = np.maximum(vectors * np.float32(SCALE) @ head.hidden + head.hidden_bias, 0)
    odds: NDArray[np.float32] = hidden @ head.out + np.float32(head.out_bias)
    return odds


@cache
def shipped() -> tuple[Head, Verdict]:
    """The head that comes with the package, and what is made of it."""
    with files(__package__).joinpath(WEIGHTS).open("rb") as file, np.load(file) as found:
        return head_of(found), Verdict(*found["verdict"].tolist())


def head_of(file: Mapping[str, NDArray[np.generic]]) -> Head:
    """The head that a file of weights has."""
    hidden, hidden_bias, out = (file[name].astype(np.float32) for name in ("hidden", "hidden_bias", "out"))
    return Head(str(file["embedder"]), hidden, hidden_bias, out, float(file["out_bias"]))
