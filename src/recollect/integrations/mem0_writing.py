"""Keeping and forgetting what mem0's callers say."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from recollect.engine import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.integrations import mem0_shapes as shapes
from recollect.integrations.mem0_filters import Scope
from recollect.integrations.mem0_finding import everything
from recollect.language.moments import moment_from
from recollect.model import Action, Memory, Origin
from recollect.write.messages import message_from
from recollect.write.result import Formed

log = logging.getLogger("recollect")
EVENTS: Final = MappingProxyType({Action.CREATE: "ADD", Action.SUPERSEDE: "ADD", Action.UPDATE: "UPDATE"})
"""What mem0 calls what became of a statement; what changes nothing is not told."""
MADE: Final = frozenset({Action.CREATE, Action.SUPERSEDE})
INSTANT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Call:
    """Where messages go, and what is said about all of them."""

    engine: Recollect
    where: Scope
    metadata: Mapping[str, Any] | None
    expires: str | None

    def formed(self, said: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Keeps messages with what they state; tells the latter."""
        about, where = shapes.payload(self.metadata, expires=self.expires), self.where
        told = [{**one, "metadata": about} for one in said] if about else said
        turns = self.engine.observe(
            told, channel=where.channel, session=where.run_id, run=where.run_id, actor=where.agent_id
        )
        formed = [one for turn in turns for one in turn.formed]
        made = {one.id for one in formed if one.action in MADE}
        for memory_id in dict.fromkeys([*(one.id for one in turns), *made]):
            self._end(memory_id)
        for memory_id, times in Counter(one.id for one in formed if one.action is Action.UPDATE).items():
            if memory_id not in made:
                self._leave_end(memory_id, times)
        return [self._event(one) for one in formed if one.action in EVENTS]

    def verbatim(self, said: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Keeps each message as a memory of its own; raises only where each of them was refused."""
        found: list[dict[str, Any]] = []
        refused = None
        for one in said:
            role, content, name = one.get("role"), one.get("content"), one.get("name")
            if role == "system":
                continue
            text = "" if role is None or content is None else message_from({"content": content}).text
            if not text.strip():
                log.warning("a message without a role or a text was left out")
                continue
            try:
                kept = self.kept(text, role=role, actor_id=name, at=one.get("timestamp"))
            except Refused as error:
                log.warning("a message was left out: %s", error)
                refused = error
                continue
            found.append({**kept, "actor_id": name, "role": role})
        if refused is not None and not found:
            raise refused
        return found

    def kept(
        self,
        text: str,
        *,
        kind: str = "note",
        role: str | None = None,
        actor_id: str | None = None,
        at: datetime | None = None,
    ) -> dict[str, Any]:
        """Keeps one text as it is."""
        where = self.where
        kept = self.engine.remember(
            text,
            kind=kind,
            channel=where.channel,
            valid_from=at,
            origin=Origin(
                session=where.run_id,
                run=where.run_id,
                actor=where.agent_id,
                event_type="mem0.add",
                write_source="integration",
            ),
            metadata=shapes.payload(self.metadata, role=role, actor_id=actor_id, expires=self.expires),
            once=False,
        )
        if kept.id is None:
            raise Refused(f"nothing was kept: {kept.reason}")
        self._end(kept.id)
        return {"id": kept.id, "memory": kept.text, "event": "ADD"}

    def _end(self, memory_id: str | None) -> None:
        if self.expires is not None and memory_id is not None:
            memory = self.engine.get(memory_id)
            self.engine.edit(memory_id, valid_until=until(memory, self.expires))

    def _leave_end(self, memory_id: str | None, times: int) -> None:
        """What was known before this call and was told so often more by it ends when it did, if it does."""
        if self.expires is None or memory_id is None:
            return
        versions = self.engine.store.versions(self.engine.user, memory_id)
        before, now = (versions[place].metadata.get(shapes.PLACE, {}) for place in (-1 - times, -1))
        kept = {**before, **now, shapes.EXPIRES: before.get(shapes.EXPIRES)}
        self.engine.edit(memory_id, metadata={**versions[-1].metadata, shapes.PLACE: kept})

    def _event(self, formed: Formed) -> dict[str, Any]:
        told = {"id": formed.id, "memory": formed.text, "event": EVENTS[formed.action]}
        if formed.action is Action.UPDATE and formed.id is not None:
            texts = [one.text for one in self.engine.store.versions(self.engine.user, formed.id)]
            told["previous_memory"] = next((text for text in reversed(texts) if text != formed.text), None)
        return told


def messages(given: Any, timestamp: Any) -> list[dict[str, Any]]:
    """The messages of a call, with the time at which they were said if that is given."""
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    elif isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, Sequence) or not all(isinstance(one, Mapping) for one in given):
        raise InvalidInput("messages must be str, dict, or list[dict]")
    said = [dict(one) for one in given]
    return said if timestamp is None else [{"timestamp": moment_from(timestamp), **one} for one in said]


def until(memory: Memory, day: str) -> datetime:
    """The end of that day; of one that was over before the memory began, the first moment after that."""
    return max(shapes.end_of(day), memory.valid_from + INSTANT)


def forget(engine: Recollect, memory: Memory) -> None:
    """Makes a memory dormant with the turns that it was formed from, so that no search brings it back."""
    turns = [source for source in memory.origin.sources if engine.find(source) is not None]
    engine.forget_many([memory.id, *turns], unpin=True)


def forget_all(engine: Recollect, where: Scope) -> None:
    """Makes everything of a scope dormant at once; what is immutable stays, and is named."""
    found = engine.list(everything(where), limit=None)
    kept = [memory.id for memory in found if memory.immutable]
    if kept:
        log.warning("immutable and not deleted: %s", ", ".join(kept))
    engine.forget_many([memory.id for memory in found if not memory.immutable], unpin=True)
