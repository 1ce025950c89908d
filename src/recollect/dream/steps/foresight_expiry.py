"""What was only to hold for a time is over when that time is."""

from collections.abc import Iterator

from recollect.dream.night import Flags, Night
from recollect.dream.proposal import Proposal
from recollect.model import microseconds


def foresight_expiry(night: Night) -> Iterator[Proposal]:
    """Puts to sleep what is past its time; what something else replaced stays, as the history of that (C34)."""
    for places in night.batches(expired(night)):
        yield night.sleeping(places, "foresight expiry")


def expired(night: Night) -> Flags:
    """Past its time, and neither replaced nor protected; what an application gave an end is over by its own will."""
    seen = night.survey
    over: Flags = seen.valid_until <= microseconds(night.now)
    spared = seen.pinned | seen.immutable | (night.protected & ~night.keyed)
    return over & ~seen.superseded & ~spared
