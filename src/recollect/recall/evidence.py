"""What is known of the candidates, from which every signal is computed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recollect.ports import Accesses, Columns

MICROSECONDS_A_DAY = 86_400_000_000

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the candidates, aligned row by row; signals read it and nothing else."""

    similarity: Column
    centred: Column
    text: Column
    text_nearby: Column
    session_text: Column
    covered: Column
    covered_nearby: Column
    own: Column
    said: NDArray[np.bool_]
    """Which are turns; the others are memories."""
    linked: Column
    shared: Column
    columns: Columns
    accesses: Accesses
    """Empty where no signal that is weighed asks for it."""
    in_period: Column
    lately: Column
    members: Mapping[str, Column]
    """1 where a candidate is of a group, for the groups that are weighed."""
    now: int
    outcomes: Mapping[str, Column] = field(default_factory=dict)
    """What outcomes taught, by signal, for those that are weighed."""
    spread: Mapping[str, Column] = field(default_factory=dict)
    """What the graph leads to, by signal; none where nothing was followed."""


def similarity(evidence: Evidence) -> Column:
    """Cosine with the question, 0 to 1."""
    # Of a number and none, fmax takes the number.
    return np.minimum(np.fmax(evidence.similarity, 0.0), 1.0)


def age_days(evidence: Evidence) -> Column:
    return np.maximum(evidence.now - evidence.columns.valid_from, 0) / MICROSECONDS_A_DAY


def idle_days(evidence: Evidence) -> Column:
    return np.maximum(evidence.now - evidence.accesses.last, 0) / MICROSECONDS_A_DAY
