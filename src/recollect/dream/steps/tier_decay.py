"""What use has strengthened fades again without it, by its kind and its tier."""

from collections.abc import Iterator

import numpy as np

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.formulas.fading import daily_decay, faded


def tier_decay(night: Night) -> Iterator[Proposal]:
    """Lowers the stability of what was not used, down to that of something new (C31: 10, 3, 1, 0 times)."""
    seen, params = night.survey, night.params
    rates = {
        (kind, tier): daily_decay(kind, tier, params.fading)
        for kind, tier in set(zip(seen.kinds.tolist(), seen.tiers.tolist(), strict=True))
    }
    daily = np.fromiter(
        (rates[each] for each in zip(seen.kinds, seen.tiers, strict=True)), np.float64, len(seen)
    )
    left = faded(seen.stability, daily, night.elapsed_days, params.least_stability)
    for places in night.batches(~night.protected & (left < seen.stability), once=True):
        yield night.counted(places, "fading", stability=left[places].tolist())
