"""What was felt strongly is encoded more deeply, in the first night after it happened."""

from collections.abc import Iterator

import numpy as np

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.model import microseconds


def emotional_consolidation(night: Night) -> Iterator[Proposal]:
    """Gives each new flashbulb memory one and a half times its stability (C30)."""
    seen, params = night.survey, night.params
    new = np.ones(len(seen), np.bool_) if night.since is None else seen.began_at > microseconds(night.since)
    boosted = seen.stability * params.flashbulb_boost
    for places in night.batches(new & (seen.arousal >= params.flashbulb), once=True):
        yield night.counted(places, "flashbulb", stability=boosted[places].tolist())
