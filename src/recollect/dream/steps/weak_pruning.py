"""What nobody has used and hardly anybody would believe any more sleeps."""

from collections.abc import Iterator

import numpy as np

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.formulas.fading import confidence


def weak_pruning(night: Night) -> Iterator[Proposal]:
    """Puts to sleep what was never strengthened and whose confidence faded below the least, by its kind (G6, G15)."""
    seen, params = night.survey, night.params
    believed = np.ones(len(seen))
    for kind in set(seen.kinds.tolist()):
        own = seen.kinds == kind
        believed[own] = confidence(
            seen.confidence[own], night.age_days[own], kind, seen.access_count[own], params=params.fading
        )
    weak = (believed < params.weak_confidence) & (seen.strength <= params.weak_strength)
    for places in night.batches(weak & night.current & night.past_its_keep & ~night.protected):
        yield night.sleeping(places, "weak")
