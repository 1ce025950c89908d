"""A session's turns as a framework's own messages: kept whole beside their text, given back as they were."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.model import Filter, Lane, Memory, State
from recollect.write.admission import Admission
from recollect.write.messages import Message
from recollect.write.quarantine import TAG
from recollect.write.turns import cleaned_of

REMOVED: Final = "[removed: this text was purged]"
"""What is said instead of a text that was purged: its message keeps its place, as an answer to a call must."""
TAKEN_BACK: Final = "taken back"
"""The tag of what is in quarantine and no part of its history any more: asleep it is already."""


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

    def __init__(
        self,
        memory: Recollect,
        session: str,
        framework: str,
        *,
        bare: Callable[[Mapping[str, Any], str], Mapping[str, Any]],
    ) -> None:
        """`bare` makes of a message one that says something else and nothing besides."""
        if not session:
            raise InvalidInput("a session has an id, not an empty one")
        self.memory, self.session, self.framework, self._bare = memory, session, framework, bare
        self._where = Filter(channels=(memory.channel,), lanes=(Lane.LOG,), session=session, any_session=True)
        self._held = replace(self._where, states=(State.DORMANT,), tags=(TAG,))

    def add(self, turns: Iterable[Turn]) -> None:
        """All of them or none; what says what was purged keeps its place without it."""
        self.memory.observe(
            [
                {
                    "role": turn.role,
                    "name": turn.speaker,
                    "content": turn.text,
                    "learn": turn.is_said,
                    "metadata": {self.framework: turn.message},
                }
                for turn in self._admitted([_worded(turn) for turn in turns])
            ],
            session=self.session,
        )

    def last(self, count: int | None = None) -> list[Memory]:
        """The latest so many, or all, oldest first: those in quarantine too, which only this session is given."""
        if count is not None and count <= 0:
            return []
        held = [turn for turn in self.memory.list(self._held, limit=None) if TAKEN_BACK not in turn.tags]
        found = sorted([*held, *self.memory.list(self._where, limit=count)], key=lambda turn: turn.id)
        return found if count is None else found[-count:]

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

    def _admitted(self, turns: Sequence[Turn]) -> list[Turn]:
        as_kept = Admission(self.memory.settings.privacy.personal_data)
        texts = [cleaned_of(Message(turn.text), as_kept).text for turn in turns]
        erased = self.memory.store.erased(self.memory.user, texts)
        return [
            replace(turn, text=REMOVED, message=self._bare(turn.message, REMOVED), is_said=False)
            if gone
            else turn
            for turn, gone in zip(turns, erased, strict=True)
        ]

    def _forget(self, turns: Sequence[Memory]) -> None:
        for turn in turns:
            if turn.state is State.DORMANT:
                self.memory.tag(turn.id, TAKEN_BACK)
        gone = {turn.id for turn in turns}
        formed = [one for one in self.memory.derived(*gone) if self._rests_on(one, gone)]
        self.memory.forget_many([*(turn.id for turn in turns), *formed], unpin=True)

    def _rests_on(self, memory_id: str, turns: Collection[str]) -> bool:
        """Whether a memory was formed from these turns alone; what was said elsewhere too, or is immutable, stays."""
        edges = self.memory.edges(memory_id)
        sources = [edge.target for edge in edges if (edge.source, edge.type) == (memory_id, "derived_from")]
        return all(one in turns for one in sources) and not self.memory.get(memory_id).immutable


def _worded(turn: Turn) -> Turn:
    """The turn; of a message without words, such as a call of a tool, as it can be searched."""
    if turn.text.strip():
        return turn
    text = json.dumps(turn.message, ensure_ascii=False, default=str)
    return replace(turn, text=text, is_said=False)
