"""Reading the candidates closely: the question's words against theirs, and against those said around them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Candidates
from recollect.formulas.late_interaction import best_matches, coverage, nearby, unpack
from recollect.formulas.ordered import distinct
from recollect.ports import Words
from recollect.recall.search import Search

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Read:
    """How much of the question each candidate covers, by itself and with its neighbours."""

    alone: NDArray[np.float64]
    nearby: NDArray[np.float64]
    texts: int
    """How many texts were read."""
    matches: NDArray[np.float32]
    """The best match of each word of the question in each candidate alone."""


def read_closely(index: Search, words: Words, found: Candidates, *, with_context: bool) -> Read | None:
    """None where no candidate has vectors of its words."""
    around = found.around if with_context else found.around[:, [found.around.shape[1] // 2]]
    numbers, ends, codes = index.words(distinct(around[around != NOWHERE]))
    if not len(numbers) or not len(words.terms):
        return None
    matches = best_matches(unpack(words.codes), codes, ends)
    at = np.searchsorted(numbers, around)
    at[at == len(numbers)] = 0
    # Neighbours without words of their own are as if they were not there.
    at = np.where(numbers[at] == around, at, NOWHERE)
    middle = np.where(at[:, around.shape[1] // 2] == NOWHERE, len(numbers), at[:, around.shape[1] // 2])
    own = np.concatenate([matches, np.zeros((1, matches.shape[1]), matches.dtype)])[middle]
    covered = coverage(nearby(matches, at), found.rarity)
    return Read(coverage(own, found.rarity), covered, len(numbers), own)
