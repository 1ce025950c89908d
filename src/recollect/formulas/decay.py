"""What a failure takes away from the memories that were at hand."""

from recollect.errors import InvalidInput

FLOOR, SPAN = 0.7, 0.25
BLIND = 0.85


def decay_factor(region_quality: float) -> float:
    """By what the reward of a memory is multiplied that was followed, for the same kind of task, into a failure.

    Equation: 0.7 + 0.25 * region quality.
    Source: RFC-013, part E; FEATURES.md, row P8.
    Range: [0.7, 0.95]: a memory of a region that mostly succeeds is protected.

    >>> decay_factor(0.0), decay_factor(1.0)
    (0.7, 0.95)
    """
    if not 0.0 <= region_quality <= 1.0:
        raise InvalidInput(f"a region's quality lies between 0 and 1, not {region_quality}")
    return FLOOR + SPAN * region_quality


def context_decay(region_quality: float, *, same_task: bool, followed: bool) -> float:
    """The same for any memory that was retrieved: one of another task, or not followed, loses nothing.

    >>> context_decay(0.0, same_task=False, followed=True)
    1.0
    """
    return decay_factor(region_quality) if same_task and followed else 1.0
