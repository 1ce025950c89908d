"""What was written without a vector gets one, so that it can be found by its meaning."""

from collections.abc import Iterator

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal


def embedding_backfill(night: Night) -> Iterator[Proposal]:
    """Embeds what has no vector, some of it each night (G15); there is nothing in it to be undone."""
    done = 0 if night.resumes else night.backfill(night.params.backfilled)
    if done:
        yield Proposal(noted={"embedded": done})
