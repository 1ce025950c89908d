"""A session's turns as a framework's own messages: kept whole beside their text, given back as they were."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.model import Filter, Lane, Memory


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said, as it is searched and read, and the framework's own message."""

    role: str
    text: str
    message: Mapping[str, Any]
    speaker: str | None = None
    is_said: bool = True
    """Whether somebody says it: by calls and thoughts nobody is told anything."""


class Turns:
    """The turns of one session, in order; `framework` names whose messages they keep."""

    def __init__(self, memory: Recollect, session: str, framework: str) -> None:
        if not session:
            raise InvalidInput("a session has an id, not an empty one")
        self.memory, self.session, self.framework = memory, session, framework
        self._where = Filter(channels=(memory.channel,), lanes=(Lane.LOG,), session=session, any_session=True)

    def add(self, turns: Iterable[Turn]) -> None:
        """All of them or none."""
        self.memory.observe(
            [
                {
                    "role": turn.role,
                    "name": turn.speaker,
                    "content": turn.text if turn.text.strip() else _as_text(turn.message),
                    "learn": turn.is_said and bool(turn.text.strip()),
                    "metadata": {self.framework: turn.message},
                }
                for turn in turns
            ],
            session=self.session,
        )

    def last(self, count: int | None = None) -> list[Memory]:
        """The latest so many, or all, oldest first."""
        if count is not None and count <= 0:
            return []
        return self.memory.list(self._where, limit=count)[::-1]

    def message(self, turn: Memory) -> dict[str, Any] | None:
        """The framework's own message; None of a turn that came another way."""
        kept = turn.metadata.get(self.framework)
        return None if kept is None else dict(kept)

    def pop(self) -> Memory | None:
        """Forgets the latest with what it taught, and gives it."""
        latest = self.last(1)
        if not latest:
            return None
        self._forget(latest)
        return latest[0]

    def clear(self) -> None:
        """Forgets them all with what they taught; both can be restored."""
        self._forget(self.last())

    def _forget(self, turns: Sequence[Memory]) -> None:
        gone = {turn.id for turn in turns}
        formed = [one for one in self.memory.derived(*gone) if self._rests_on(one, gone)]
        self.memory.forget_many([*(turn.id for turn in turns), *formed], unpin=True)

    def _rests_on(self, memory_id: str, turns: Collection[str]) -> bool:
        """Whether a memory was formed from these turns alone; what was said elsewhere too, or is immutable, stays."""
        edges = self.memory.edges(memory_id)
        sources = [edge.target for edge in edges if (edge.source, edge.type) == (memory_id, "derived_from")]
        return all(one in turns for one in sources) and not self.memory.get(memory_id).immutable


def _as_text(message: Mapping[str, Any]) -> str:
    """A message without words, such as a call of a tool, as it can be searched."""
    return json.dumps(message, ensure_ascii=False, default=str)
