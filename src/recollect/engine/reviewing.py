"""The verbs for what waits to be looked at."""

from typing import TYPE_CHECKING

from recollect.engine.core import Core

if TYPE_CHECKING:
    from recollect.write.reviewing import Review


class Reviewing(Core):
    """Contradictions that were left for somebody to decide (`formation.conflicts = flag_review`)."""

    def reviews(
        self, *, channel: str | None = None, limit: int | None = None, after: str | None = None
    ) -> "list[Review]":
        """What waits, the oldest first, with what it contradicts; of one channel if one is named.

        Page by page where there is a limit: `after` is the last id of the page before.
        """
        from recollect.write.reviewing import waiting  # noqa: PLC0415 - only who reviews pays for it

        channels = None if channel is None else (channel,)
        return waiting(self.store, self.user, channels, limit=limit, after=after)

    def resolve(self, memory_id: str, keep: str) -> "Review":
        """Says which holds: the `new` one replaces the others, the `old` ones stay and it is forgotten, or `both`."""
        from recollect.write.reviewing import resolve  # noqa: PLC0415 - as above

        return resolve(self._writer, self._place(None), self._id(memory_id), keep)
