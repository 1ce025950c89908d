"""What nobody has used for long, and what has not proved itself, sleeps: the retention policy."""

from collections.abc import Iterator

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal


def archive(night: Night) -> Iterator[Proposal]:
    """Puts to sleep what was unused for 90 days and is still episodic, by its kind's least retention (S13)."""
    if night.params.archive_days <= 0:
        return
    idle = night.idle_days >= night.params.archive_days
    unproved = (night.survey.tiers == "episodic") & ~night.protected & night.past_its_keep
    for places in night.batches(idle & unproved & night.current):
        yield night.sleeping(places, "archive")
