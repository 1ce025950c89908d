"""The verbs for who and what memories are about."""

from typing import TYPE_CHECKING

from recollect.engine.core import Core
from recollect.errors import InvalidInput, NotFound
from recollect.model import GLOBAL_CHANNEL, Filter, Lane

if TYPE_CHECKING:
    from recollect.write.entities import Entities, Entity


class Naming(Core):
    """People, places, organisations and things, as the memories that hold now tell of them."""

    def entity(self, name: str, *, channel: str | None = None, depth: int = 1) -> "Entity":
        """Everything that is held to be true of somebody or something, by a name that it goes by, or its id.

        With aliases, salience, its memories, how it is related, and what is near it up to a depth.
        """
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput("an entity has a name: say which one")
        if not 0 <= depth <= 10:
            raise InvalidInput(f"a depth lies between 0 and 10, not {depth}")
        found = self._entities(channel).named(name, depth)
        if not found:
            raise NotFound(f"no memory here names {name}; `recollect entity` lists who and what is named")
        return found[0]

    def entities(self, *, channel: str | None = None, limit: int | None = 50) -> "list[Entity]":
        """Who and what is named, the most salient first."""
        return self._entities(channel).ranked(limit)

    def _entities(self, channel: str | None) -> "Entities":
        from recollect.write.entities import Entities  # noqa: PLC0415 - only who asks for them pays for it

        now = self._clock.now()
        own = self.channel if channel is None else channel
        where = Filter(
            channels=tuple(dict.fromkeys((own, GLOBAL_CHANNEL))), lanes=(Lane.MEMORY,), unexpired_at=now
        )
        return Entities(self.store.find(self.user, where), now)
