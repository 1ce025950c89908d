"""How good a run was, from what can be seen of it: the heuristics of the agents' design (M5)."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Quality:
    """From 0 to 1, and why."""

    score: float
    reason: str


FAILED: Final = Quality(0.0, "it failed")
APPROVED: Final = Quality(1.0, "it was approved")
RETRIED: Final = Quality(0.4, "the same was tried again right after it")
FOLLOWED: Final = Quality(0.9, "something related succeeded later")
COMPLETED: Final = Quality(0.8, "it was completed")


def quality(*, success: bool, approved: bool, retried: bool, followed_by_success: bool) -> Quality:
    """The surest sign counts: a failure, then what somebody said, then what they did, then what came later.

    >>> quality(success=True, approved=False, retried=False, followed_by_success=True).score
    0.9
    """
    signs = ((not success, FAILED), (approved, APPROVED), (retried, RETRIED), (followed_by_success, FOLLOWED))
    return next((found for seen, found in signs if seen), COMPLETED)
