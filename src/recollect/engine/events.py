"""The verb that takes in what agents emit."""

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.engine.observing import Observing
from recollect.engine.telling import told
from recollect.engine.writing import OFF
from recollect.errors import InvalidInput
from recollect.model import Origin
from recollect.write.events import event_from
from recollect.write.policy import EventParams
from recollect.write.result import Remembered


class Events(Observing):
    """What agents do and meet, beside what is said."""

    @told
    def event(
        self,
        events: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        session: str | None = None,
        channel: str | None = None,
        run: str | None = None,
        actor: str | None = None,
        dry_run: bool = False,
    ) -> list[Remembered]:
        """Takes in an event, or many in order: a mapping with a `type` and whatever the emitter says of it.

        Each is kept in the log lane as a text, and memories are formed from what it states, unless
        `formation.enabled` is off. `events.*` says which are let through; one that is left out says why. The same
        event of the same time again changes nothing. Session, run and actor hold where an event names none.
        """
        common = Origin(session=session, run=run, actor=actor)
        given = [events] if isinstance(events, Mapping) else list(events)
        parsed = []
        for number, one in enumerate(given, 1):
            try:
                parsed.append(event_from(one, common))
            except InvalidInput as error:
                raise InvalidInput(str(error) if len(given) == 1 else f"event {number}: {error}") from None
        if not self.refreshed().memory.records:
            return [OFF for _ in parsed]
        from recollect.write.relay import Relay  # noqa: PLC0415 - only who observes pays for it

        scene, observer = self._scene(channel, common)
        chosen = self.settings.events
        params = EventParams(chosen.enabled, chosen.types, chosen.min_characters, chosen.coherence)
        kept = Relay(self._writer, observer, self._embedder, params).take(scene, parsed, dry_run=dry_run)
        if not dry_run:
            self._observed(kept)
        return kept
