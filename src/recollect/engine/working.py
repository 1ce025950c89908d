"""The verb that opens the working memory of a conversation."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect.engine.core import Core
from recollect.errors import InvalidInput
from recollect.short_lived import Desk

if TYPE_CHECKING:
    from recollect.working.memory import WorkingMemory


class Working(Core):
    """What an agent has in mind right now."""

    def working(self, conversation: str, *, channel: str | None = None) -> "WorkingMemory":
        """The working memory of one conversation: turns, values, thoughts, the goal; gone after a while.

        It lies in this process, or where `Recollect(working=…)` says; every call for the same conversation of the
        same user in the same channel gives the same.
        """
        from recollect.working.memory import Mind, WorkingMemory, WorkingParams  # noqa: PLC0415 - only who works

        if not isinstance(conversation, str) or not conversation.strip():
            raise InvalidInput("a conversation has an id")
        mind = Mind(
            self._working_store,
            self._embedder.embed,
            self._clock.now,
            lambda: self.refreshed().memory.records,
        )
        desk = Desk(self.user, self._place(channel).channel, conversation)
        return WorkingMemory(mind, desk, WorkingParams(**asdict(self.settings.working)))
