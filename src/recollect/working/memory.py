"""The working memory of one conversation: turns, values, thoughts, the goal, and the states that it went through."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput, Refused
from recollect.language.moments import moment_from
from recollect.language.secrets import redact
from recollect.model import utc
from recollect.short_lived import Desk, WorkingStore

TURNS, THOUGHTS, STATES, GOAL = "turns", "thoughts", "states", "goal"
VALUE: Final = "value:"
"""What stands before a value's name."""
LONGEST_SECONDS: Final = 31_536_000.0


@dataclass(frozen=True, slots=True)
class WorkingParams:
    """How long something stays in mind, and how much."""

    ttl_seconds: float = 3_600.0
    turns: int = 50
    thoughts: int = 50
    states: int = 500


@dataclass(frozen=True, slots=True)
class StateHit:
    """A state that the conversation was in, and how like the question it is (cosine)."""

    turn: int
    text: str
    metadata: Mapping[str, Any]
    at: datetime
    similarity: float


@dataclass(frozen=True, slots=True)
class Mind:
    """What working memory needs of the engine."""

    store: WorkingStore
    embed: Callable[[Sequence[str]], NDArray[np.float32]]
    now: Callable[[], datetime]
    records: Callable[[], bool]
    """Whether recording is switched on."""


class WorkingMemory:
    """Of one user, in one channel, in one conversation; everything in it is gone after a while (S5, M18).

    Secrets are taken out before anything is kept. It is no part of the truth: nothing here is recalled, exported
    or witnessed.
    """

    def __init__(self, mind: Mind, desk: Desk, params: WorkingParams) -> None:
        self._mind, self._desk, self._params = mind, desk, params

    def add_turn(self, role: str, content: str, **more: Any) -> None:
        """Keeps what was said just now; the oldest turn goes when there are too many."""
        self._push(TURNS, {**more, "role": role, "content": content, "at": self._at()}, self._params.turns)

    def recent_turns(self, limit: int = 10) -> list[dict[str, Any]]:
        """The last turns, the oldest of them first."""
        return self._listed(TURNS, limit)

    def think(self, thought: str) -> None:
        """Keeps a thought."""
        self._push(THOUGHTS, {"thought": thought, "at": self._at()}, self._params.thoughts)

    def thoughts(self, limit: int = 10) -> list[dict[str, Any]]:
        """The last thoughts, the oldest of them first."""
        return self._listed(THOUGHTS, limit)

    def set(self, name: str, value: Any, *, ttl_seconds: float | None = None) -> None:
        """Keeps a value under a name, for a while."""
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput("a value has a name")
        self._recording()
        self._mind.store.put(self._desk, _value(name), _clean(value), self._ttl(ttl_seconds))

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name; the default where there is none, or its time is over."""
        found = self._mind.store.get(self._desk, _value(name))
        return default if found is None else found

    def delete(self, name: str) -> None:
        """Forgets a value."""
        self._mind.store.delete(self._desk, _value(name))

    def set_goal(self, goal_id: str, text: str) -> None:
        """Says what the conversation is after now."""
        self._recording()
        self._mind.store.put(self._desk, GOAL, _clean({"id": goal_id, "text": text}), self._ttl(None))

    def goal(self) -> dict[str, str] | None:
        """What the conversation is after, by its id and in words."""
        found: dict[str, str] | None = self._mind.store.get(self._desk, GOAL)
        return found

    def clear_goal(self) -> None:
        """Says that it is after nothing in particular."""
        self._mind.store.delete(self._desk, GOAL)

    def keep_state(self, turn: int, text: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Keeps the state that the conversation is in at a turn, to be found again by what it is like."""
        vector = self._mind.embed([text])[0]
        state = {"turn": turn, "text": text, "metadata": dict(metadata or {}), "at": self._at()}
        self._push(STATES, state, self._params.states, vector=[round(float(one), 5) for one in vector])

    def similar_states(self, text: str, k: int = 5) -> list[StateHit]:
        """The states of this conversation that are most like a text, best first."""
        if not isinstance(k, int) or k < 1:
            raise InvalidInput(f"k is a whole number from 1 on, not {k!r}")
        kept = self._listed(STATES, self._params.states)
        if not kept:
            return []
        vectors = np.array([one["vector"] for one in kept], np.float32)
        likeness = vectors @ self._mind.embed([text])[0]
        best = np.argsort(-likeness, kind="stable")[:k]
        return [_state(kept[place], float(likeness[place])) for place in best.tolist()]

    def context(self) -> dict[str, Any]:
        """All of it, for a prompt or to be looked at."""
        values = self._mind.store.values(self._desk)
        return {
            "goal": values.get(GOAL),
            "values": {
                name.removeprefix(VALUE): value for name, value in values.items() if name.startswith(VALUE)
            },
            "turns": self.recent_turns(self._params.turns),
            "thoughts": self.thoughts(self._params.thoughts),
        }

    def clear(self) -> None:
        """Forgets everything of this conversation."""
        self._mind.store.clear(self._desk)

    def _push(self, name: str, value: dict[str, Any], keep: int, **more: Any) -> None:
        self._recording()
        ttl = self._params.ttl_seconds
        self._mind.store.push(self._desk, name, _clean(value) | more, keep=keep, ttl_seconds=ttl)

    def _listed(self, name: str, limit: int) -> list[dict[str, Any]]:
        if not isinstance(limit, int) or limit < 1:
            raise InvalidInput(f"a limit is a whole number from 1 on, not {limit!r}")
        return self._mind.store.listed(self._desk, name, limit)

    def _recording(self) -> None:
        if not self._mind.records():
            raise Refused(
                "recording is switched off (memory.enabled, memory.recording): nothing is kept in mind"
            )

    def _ttl(self, given: float | None) -> float:
        seconds = self._params.ttl_seconds if given is None else given
        # NaN is in no range.
        if not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST_SECONDS:
            raise InvalidInput(f"something is kept for a number of seconds up to a year, not {seconds!r}")
        return seconds

    def _at(self) -> str:
        return utc(self._mind.now()).isoformat()


def _clean(value: Any) -> Any:
    """The same without secrets, however deep they lie, in names too."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Mapping):
        return {
            redact(name).text if isinstance(name, str) else name: _clean(one) for name, one in value.items()
        }
    return [_clean(one) for one in value] if isinstance(value, list | tuple) else value


def _value(name: str) -> str:
    """What a value is kept under."""
    return VALUE + redact(name).text


def _state(kept: Mapping[str, Any], similarity: float) -> StateHit:
    return StateHit(kept["turn"], kept["text"], kept["metadata"], moment_from(kept["at"]), similarity)
