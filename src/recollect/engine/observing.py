"""The verb that keeps conversations, and what is formed from them, at once or afterwards."""

import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from recollect.engine.afterwards import Afterwards
from recollect.engine.telling import told
from recollect.engine.writing import OFF, Writing
from recollect.errors import Conflict, InvalidInput, RecollectError
from recollect.formulas.gate import GateParams
from recollect.model import Action, Memory, Origin
from recollect.ports import Progress
from recollect.write.messages import message_from
from recollect.write.policy import Policy
from recollect.write.result import Remembered
from recollect.write.text import named

if TYPE_CHECKING:
    from recollect.write.observer import Observer
    from recollect.write.turns import Scene

log: Final = logging.getLogger("recollect")
LINGER_SECONDS: Final = 10.0
"""For so long closing reads what waits; the rest is read by the next that observes, or by a worker."""


class Observing(Writing):
    """Observe, and what is read later of what was observed."""

    @told
    def observe(
        self,
        messages: Sequence[Mapping[str, Any] | str] | Mapping[str, Any] | str,
        *,
        session: str | None = None,
        channel: str | None = None,
        run: str | None = None,
        actor: str | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
        wait: bool | None = None,
    ) -> list[Remembered]:
        """Keeps a conversation verbatim in the log lane, in order: all of it or nothing.

        Memories are formed from what it states, in the same transaction, unless `formation.enabled` is off;
        `formed` has every decision about it. A dry run decides the same and writes nothing.

        With `wait=False`, or where `formation.later` says so, it comes back as soon as the messages are kept: they
        are found by their words at once, and are embedded and learnt from in the background. `catch_up` waits for it.
        """
        given = [messages] if isinstance(messages, str | Mapping) else messages
        if not isinstance(given, Sequence):
            raise InvalidInput(f"what is observed is a message or a list of them, not {type(given).__name__}")
        parsed = [message_from(message) for message in given]
        chosen = self.refreshed()
        if not chosen.memory.records:
            return [OFF for _ in parsed]
        scene, observer = self._scene(channel, Origin(session=session, run=run, actor=actor))
        waits = not chosen.formation.later if wait is None else wait
        # The first vectors of all tell the store which model it holds: they cannot come later.
        if not waits and not dry_run and self.store.model() is not None:
            from recollect.write.receiving import keep  # noqa: PLC0415 - only who observes pays for it

            received = keep(self._writer, scene, parsed)
            self._wrote(len(received))
            self._afterwards.notify()
            return received
        kept = observer.observe(scene, parsed, progress=progress, dry_run=dry_run)
        if not dry_run:
            self._observed(kept)
        return kept

    def catch_up(self) -> None:
        """Reads whatever was kept to be read later, by this process or by one that was killed, until nothing waits."""
        self._afterwards.finish()

    def rest(self) -> None:
        """Ends reading in the background after the piece at hand; the next `observe` that does not wait goes on."""
        self._read_within(0.0)

    def close(self) -> None:
        """Reads what this engine kept to be read later, as far as some seconds allow, and closes the store."""
        self._read_within(LINGER_SECONDS)
        super().close()

    def _read_within(self, seconds: float) -> None:
        # Looked up where it would be made: an engine that kept nothing for later reads nothing.
        if "_afterwards" not in vars(self):
            return
        try:
            self._afterwards.finish(seconds)
        except RecollectError as error:
            log.warning("what was observed is not read yet: %s", error)

    @cached_property
    def _afterwards(self) -> Afterwards:
        return Afterwards(self._read_next)

    def _read_next(self) -> bool:
        """Reads what has waited longest; whether there was something."""
        from recollect.write import receiving  # noqa: PLC0415 - only who observes pays for it

        note = receiving.next_waiting(self.store, self.user) if self.refreshed().memory.records else None
        if note is None:
            return False
        _, observer = self._scene(None, Origin())
        try:
            kept = receiving.read(self._writer, self._embedder, observer, self._scene_of, self.user, note)
        except Conflict:
            known = self.store.record(self.user, receiving.WAITING, note.key)
            if known is not None and known.revision == note.revision:
                raise
            return True  # somebody else has read it
        except RecollectError:
            raise
        except Exception:  # a message that breaks the reading must not keep the others waiting
            log.exception("turns that were kept to be read later could not be read")
            receiving.put_off(self._writer, self.user, note)
            return True
        self._observed(kept)
        return True

    def _scene_of(self, turn: Memory) -> "Scene":
        said = turn.origin
        return self._scene(turn.channel, Origin(session=said.session, run=said.run, actor=said.actor))[0]

    def _scene(
        self, channel: str | None, origin: Origin, *, forms: bool | None = None
    ) -> "tuple[Scene, Observer]":
        """Where something is observed, and who observes it; memories are formed as the settings say, or as told."""
        from recollect.write.observer import Observer  # noqa: PLC0415 - only who observes pays for it
        from recollect.write.turns import Scene  # noqa: PLC0415 - as above

        known = self._check_model()
        scene = Scene(self._place(channel), named(origin), self._policy(forms=forms), self._admission())
        return scene, Observer(self._writer, lambda: self._index(known), self._generator)

    def _observed(self, kept: Sequence[Remembered]) -> None:
        """What was said again is used again."""
        said_again = (one.id for turn in kept for one in turn.formed if one.action is Action.REINFORCE)
        self._accesses.add((one for one in said_again if one is not None), self._clock.now())
        self._wrote(len(kept))

    def _policy(self, *, forms: bool | None = None) -> Policy | None:
        """How memories are formed; None where they are not."""
        chosen = self.settings.formation
        if not (chosen.enabled if forms is None else forms):
            return None
        gate = GateParams(chosen.reinforce, chosen.update, chosen.near)
        privacy = self._admission()
        return Policy(chosen.conflicts, privacy.rules, privacy.personal_data, gate)
