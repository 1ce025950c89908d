"""Which steps of a success brought it about, and how much each counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Move:
    """One step as credit sees it."""

    command: str
    """What was done, in the environment's own words."""
    possible: frozenset[str] | None = None
    """What could have been done at that moment; None where that is not known."""
    touches_goal: bool = False
    """Whether it acts on something that the goal names."""


def causal_steps(moves: Sequence[Move]) -> list[int]:
    """The places of the steps that a success needed, in order.

    First, ways round go: where exactly the same is possible as once before, what was done in between came to
    nothing, unless it touched what the goal names without changing what is possible (washing something leaves no
    other trace), and of a step that is repeated at once only the last stays. Then, from the last step backwards, a
    step is kept if it touched what the goal names, or if the next kept command was not possible before it, so that
    it made that command possible. Where the possible commands of a step are not known, it is kept unless the same
    command is kept later.
    Source: FEATURES.md, row X6; a win carries up to 40 wandering steps, and learning from those makes a memory
    worse than learning nothing.

    >>> at_desk, at_shelf = frozenset({"go shelf"}), frozenset({"go desk", "take book"})
    >>> causal_steps([Move("go shelf", at_desk), Move("look", at_shelf), Move("take book", at_shelf, True)])
    [0, 2]
    >>> causal_steps([Move("go desk", at_shelf), Move("go shelf", at_desk), Move("take book", at_shelf, True)])
    [2]
    """
    kept: list[int] = []
    for place in reversed(_straight(moves)):
        move = moves[place]
        if not kept or move.touches_goal or _needed(move, moves[kept[-1]], (moves[k] for k in kept)):
            kept.append(place)
    return kept[::-1]


def traceless(moves: Sequence[Move], place: int) -> bool:
    """Whether a step left what is possible as it was, so that nobody can see whether it did anything."""
    here = moves[place].possible
    return here is not None and place + 1 < len(moves) and moves[place + 1].possible == here


def _straight(moves: Sequence[Move]) -> list[int]:
    """The places of the steps without the ways round."""
    path: list[int] = []
    for place, move in enumerate(moves):
        if path and moves[path[-1]].command == move.command and moves[path[-1]].possible == move.possible:
            path.pop()
        same = next((at for at, known in enumerate(path) if moves[known].possible == move.possible), None)
        if move.possible is not None and same is not None:
            between = path[same:]
            if not any(moves[at].touches_goal and traceless(moves, at) for at in between):
                del path[same:]
        path.append(place)
    return path


def _needed(move: Move, following: Move, later: Iterable[Move]) -> bool:
    if move.possible is None:
        return all(move.command != one.command for one in later)
    return following.command not in move.possible


def steps_to_go_value(count: int, gamma: float) -> NDArray[np.float64]:
    """How much each of the kept steps counts, the last one fully.

    Equation: gamma^(steps to go).
    Source: the discounted return of a success with reward 1 at its end.
    Range: (0, 1], rising to 1.

    >>> steps_to_go_value(3, 0.5).tolist()
    [0.25, 0.5, 1.0]
    """
    if not 0.0 < gamma <= 1.0:
        raise InvalidInput(f"gamma lies above 0 and up to 1, not {gamma}")
    value: NDArray[np.float64] = gamma ** np.arange(count - 1, -1, -1, dtype=np.float64)
    return value
