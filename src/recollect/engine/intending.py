"""The verbs of prospective memory: intending, and having done it."""

from dataclasses import replace
from datetime import datetime, timedelta

from recollect.dream.intentions import INTENTION, Trigger, put_off
from recollect.engine.reading import Reading
from recollect.engine.writing import Writing
from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import Memory, State
from recollect.ports import Change, Changes
from recollect.write.result import Remembered
from recollect.write.writer import following


class Intending(Reading, Writing):
    """Intend, done; `due` tells what is to be done."""

    def intend(
        self,
        text: str,
        *,
        at: datetime | str | None = None,
        when: str | None = None,
        every: timedelta | None = None,
        threshold: float = 0.6,
        channel: str | None = None,
    ) -> Remembered:
        """Keeps something to be thought of at a time, or when a context is like `when`; again after `every`."""
        trigger = Trigger(None if at is None else moment_from(at), when, every, threshold)
        return self.remember(
            text, kind=INTENTION, pinned=True, channel=channel, metadata={INTENTION: trigger.told}
        )

    def done(self, memory_id: str) -> Memory:
        """Notes that an intention was acted on: it rests until it is due again, or sleeps for good."""
        memory, now = self._known(memory_id), self._clock.now()
        if memory.kind != INTENTION:
            raise InvalidInput(f"{memory.id} is a {memory.kind}, not an intention")
        again = put_off(memory, now, self.store, self.user)
        if again is not None:
            self.store.write(self.user, Changes("done", now, records=(again,)))
        elif memory.state is State.ACTIVE:
            asleep = replace(following(memory, now), state=State.DORMANT, pinned=False)
            self.store.write(self.user, Changes("done", now, (Change(asleep),)))
        return self._known(memory.id)
