"""The verbs for what waits to be looked at."""

from typing import TYPE_CHECKING

from recollect.engine.core import Core

if TYPE_CHECKING:
    from recollect.write.reviewing import Review


class Reviewing(Core):
    """Contradictions that were left for somebody to decide (`formation.conflicts = flag_review`)."""

    def reviews(self, *, channel: str | None = None) -> "list[Review]":
        """What waits, the oldest first, with what it contradicts; of one channel if one is named."""
        from recollect.write.reviewing import waiting  # noqa: PLC0415 - only who reviews pays for it

        return waiting(self.store, self.user, None if channel is None else (channel,))

    def resolve(self, memory_id: str, keep: str) -> "Review":
        """Says which holds: the `new` one replaces the others, the `old` ones stay and it is forgotten, or `both`."""
        from recollect.write.reviewing import resolve  # noqa: PLC0415 - as above

        return resolve(self._writer, self._place(None), self._id(memory_id), keep)
