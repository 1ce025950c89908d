"""The verbs for what was taken for an attack."""

from dataclasses import replace

from recollect.engine.observing import Observing
from recollect.engine.telling import told
from recollect.model import Memory
from recollect.write.result import Remembered


class Quarantining(Observing):
    """Quarantine: look, release."""

    def quarantined(
        self, *, channel: str | None = None, limit: int | None = None, after: str | None = None
    ) -> list[Memory]:
        """The turns that nobody recalls because they read like attacks, the oldest first.

        `metadata["quarantine"]` says why. Page by page where there is a limit: `after` is the last id of the
        page before.
        """
        from recollect.write.quarantine import waiting  # noqa: PLC0415 - only who looks pays for it

        return waiting(self.store, self.user, channel, limit=limit, after=after)

    @told
    def release(self, memory_id: str) -> Remembered:
        """Says that a turn is harmless: it is recalled again.

        Memories are formed from it where they are formed from others (`formation.enabled`).
        """
        from recollect.write.quarantine import released  # noqa: PLC0415 - as above

        turn = self._known(memory_id)
        harmless = released(turn)
        # Formed first: whoever is stopped in between releases again, and what is known is not formed twice.
        scene, observer = self._scene(turn.channel, replace(turn.origin, role=None, speaker=None))
        read = observer.relearn(scene, harmless)
        self._writer.release(self._place(None), turn.id, released)
        self._observed([read])
        return read
