"""The verbs that keep and tell what is known about the user as a person."""

from typing import TYPE_CHECKING

from recollect.engine.reading import Reading
from recollect.engine.writing import Writing
from recollect.errors import InvalidInput
from recollect.model import GLOBAL_CHANNEL, Filter, Lane
from recollect.write.result import Remembered

if TYPE_CHECKING:
    from recollect.working.portrait import Portrait

MOST = 20


class Portraying(Reading, Writing):
    """Describe, portrait."""

    def describe(
        self, text: str, aspect: str = "preference", *, name: str | None = None, channel: str | None = None
    ) -> Remembered:
        """Keeps something about the user: a `preference`, an `expertise` or a `style`.

        What is said under a name replaces what was said under it before, which stays in the history.
        """
        from recollect.working.portrait import ASPECTS, name_tag  # noqa: PLC0415 - only who describes pays for it

        if aspect not in ASPECTS:
            raise InvalidInput(f"somebody is described by {', '.join(ASPECTS)}, not by {aspect!r}")
        if name is None:
            return self.remember(text, kind=aspect, channel=channel)
        if not name.strip():
            raise InvalidInput("a name is a text, not empty; without one, nothing is replaced")
        tag, place = name_tag(name), self._place(channel).channel
        where = Filter(
            channels=(place,),
            kinds=(aspect,),
            tags=(tag,),
            any_session=True,
            unexpired_at=self._clock.now(),
        )
        before = next(iter(self.store.find(self.user, where, limit=1, newest_first=True)), None)
        if before is not None and before.text == text.strip():
            return self.remember(text, kind=aspect, channel=channel)
        replaced = None if before is None else before.id
        return self.remember(text, kind=aspect, tags=[tag], channel=channel, supersedes=replaced, once=False)

    def portrait(self, *, channel: str | None = None) -> "Portrait":
        """What is known about the user: what they prefer, know well, and how they like to be talked to."""
        from recollect.working.portrait import ASPECTS, Portrait, portrayed  # noqa: PLC0415 - as above

        if not self.refreshed().memory.recalls:
            return Portrait()
        where = Filter(
            channels=tuple(dict.fromkeys((self._place(channel).channel, GLOBAL_CHANNEL))),
            lanes=(Lane.MEMORY,),
            kinds=ASPECTS,
            unexpired_at=self._clock.now(),
        )
        return portrayed(self.store.find(self.user, where, newest_first=True), MOST)
