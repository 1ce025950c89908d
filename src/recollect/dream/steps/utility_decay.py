"""What was learnt of a memory's utility is forgotten towards neutral while it is not used."""

from collections.abc import Iterator

import numpy as np

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.formulas.utility import drifted


def utility_decay(night: Night) -> Iterator[Proposal]:
    """Moves utility towards 0.5 by a hundredth of the way a day (C11).

    What lies below the floor waits there for the rule that puts it to sleep: at this rate, it would be lifted
    over the floor before the month of idleness is over that the rule asks for.
    """
    seen = night.survey
    drift = drifted(seen.utility, night.elapsed_days, night.params.utility)
    waits = (seen.utility < night.params.utility_floor) & np.isfinite(night.kept_days)
    for places in night.batches(~night.protected & ~waits & (drift != seen.utility), once=True):
        yield night.counted(places, "drift", utility=drift[places].tolist())
