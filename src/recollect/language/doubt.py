"""What is decided of a text that letters and meaning leave in doubt, once a guard has looked at it.

`stance` reads the vector that a text has anyway, of a model that was made for finding. A guard is a model that was tuned
to tell attacks; it costs another look at the text, and so it is asked about few. The weights come from
`training/injection_doubts.py`.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.language.stance import Head, head_of, stances
from recollect.language.suspicion import likely

WEIGHTS: Final = "doubt.npz"
SEEN: Final = 1_000
"""Characters of a text that a guard sees at once: about its 256 tokens."""
SPOT: Final = 400
"""Of a part of a longer text: an attack amid other words is told by itself, as its page says something else."""
SPOTTED: Final = -1.0
"""From these log odds of such a part on, by its letters, the text is in doubt, whatever the whole of it means."""
NEAR: Final = 600
"""Of one that it may clear of what rules know: few sentences, so that little can be hidden in what is harmless."""


class Opinion(NamedTuple):
    """From which log odds of letters and meaning on a text is in doubt, and how letters and the guard decide then."""

    doubt: float
    said_doubt: float
    """The same where a person says it: they say much, and what is held back of it must be sure."""
    suspicion: float
    guard: float
    bias: float
    threshold: float = 0.5
    """From here on, 0 to 1, a text that nobody said is held back."""
    said: float = 1.0
    """From here on one that a person says is."""
    harmless: float = -np.inf
    """Below these log odds, what rules take for an attack is none."""

    def likely(self, suspicion: float, guard: float) -> float:
        """How likely a text with this suspicion, of which the guard thinks so, is an attack, 0 to 1."""
        return likely(self.odds(suspicion, guard))

    def odds(self, suspicion: float, guard: float) -> float:
        """The same as log odds."""
        return self.suspicion * suspicion + self.guard * guard + self.bias


def in_doubt(found: float, *, given: bool = True) -> bool:
    """Whether a text with these log odds, by letters and meaning together, is looked at again."""
    opinion = shipped()[1]
    return found >= (opinion.doubt if given else opinion.said_doubt)


def decided(suspicions: Sequence[float], vectors: NDArray[np.float32], *, given: bool = True) -> float | None:
    """How likely the worst part of a text is an attack, by letters and the guard, where that is enough for how it comes."""
    head, opinion = shipped()
    odds = zip(suspicions, stances(vectors, head).tolist(), strict=True)
    found = max(opinion.likely(suspicion, guard) for suspicion, guard in odds)
    return found if found >= (opinion.threshold if given else opinion.said) else None


def harmless(suspicion: float, vector: NDArray[np.float32]) -> bool:
    """Whether the guard is sure that a text with this suspicion and this vector is no attack, whatever rules say."""
    head, opinion = shipped()
    return opinion.odds(suspicion, float(stances(vector[None], head)[0])) < opinion.harmless


def pieces(plain: str, length: int = SEEN) -> list[str]:
    """A text in parts that a guard sees whole, each with the last third of the one before.

    >>> [len(piece) for piece in pieces("word " * 400)]
    [1000, 1000, 666]
    """
    step = length - length // 3
    return [plain[start : start + length] for start in range(0, max(len(plain) - length // 3, 1), step)]


@cache
def shipped() -> tuple[Head, Opinion]:
    """The head of the guard that comes with the package, and what is made of it."""
    with files(__package__).joinpath(WEIGHTS).open("rb") as file, np.load(file) as found:
        return head_of(found), Opinion(*found["opinion"].tolist())
