"""The verbs for conversations that are over."""

from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.engine.observing import Observing
from recollect.engine.telling import told
from recollect.engine.writing import OFF
from recollect.errors import InvalidInput
from recollect.model import Filter, Lane, Memory, Origin
from recollect.write.result import Remembered

if TYPE_CHECKING:
    from recollect.write.sessions import Unread


class Sessions(Observing):
    """Memories from whole conversations, where they were not formed as it went on."""

    @told
    def form_session(
        self, session: str, *, channel: str | None = None, dry_run: bool = False
    ) -> list[Remembered]:
        """Forms memories from the turns of a session that were not read yet, whatever `formation.enabled` says.

        Gives back each turn that was read, with every decision about what it states. The same again reads
        nothing; one that was stopped goes on where it was.
        """
        if not isinstance(session, str) or not session.strip():
            raise InvalidInput("a session has an id: name the one that is over")
        if not self.refreshed().memory.records:
            return [OFF]
        from recollect.write.sessions import end  # noqa: PLC0415 - only who ends a session pays for it

        scene, observer = self._scene(channel, Origin(session=session), forms=True)
        read = end(self.store, observer, scene, dry_run=dry_run)
        if not dry_run:
            self._observed(read)
        return read

    def taught_by(self, session: str, *, channel: str | None = None) -> list[Memory]:
        """What was formed from a session and holds now, oldest first."""
        where = Filter(
            channels=(self.channel if channel is None else channel,),
            lanes=(Lane.MEMORY,),
            session=session,
            any_session=True,
            unexpired_at=self._clock.now(),
        )
        return [one for one in self.store.find(self.user, where) if one.origin.write_source == "observer"]

    def unread_sessions(self, *, channel: str | None = None, idle_minutes: float = 0.0) -> "list[Unread]":
        """The sessions that were not ended and have been quiet for so long: crashed, or forgotten."""
        from recollect.write.sessions import unread  # noqa: PLC0415 - as above

        quiet_since = self._clock.now() - timedelta(minutes=idle_minutes)
        return [one for one in unread(self.store, self.user, channel) if one.last_at <= quiet_since]
