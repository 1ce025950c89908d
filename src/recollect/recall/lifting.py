"""One candidate put above another, whatever their scores: what the score gains for it is a signal of its own."""

from collections.abc import Sequence

import numpy as np

from recollect.recall.work import Work


def lift(work: Work, above: Sequence[tuple[int, int]], signal: str, *, ahead: float = 0.0) -> None:
    """Of each pair of places, the second takes its place right above the first; with `ahead`, by so much.

    Beside an equal score what was lifted stands first, and among that what fits the question best.
    """
    own, lifted = work.scores, np.zeros(len(work.scores))
    for lower, upper in above:
        lifted[upper] = max(lifted[upper], own[lower] + ahead - own[upper])
    work.values = {**work.values, signal: lifted}
    work.profile = work.profile.weighing(**{signal: 1.0})
    work.scores = own + lifted
    work.order = np.lexsort((-work.confirmed.contents, -own, lifted == 0.0, -np.round(work.scores, 12)))
