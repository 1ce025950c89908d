"""Goals as they are kept: memories of a kind of their own, with how they stand, and edges between them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import Edge, Memory, utc

GOAL: Final = "goal"
"""The kind of the memory, and the name under which its metadata say how the goal stands."""
SUBGOAL, BLOCKED_BY = "subgoal_of", "blocked_by"


class Standing(StrEnum):
    """How a goal stands."""

    ACTIVE = "active"
    BLOCKED = "blocked"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


OPEN: Final = (Standing.ACTIVE, Standing.BLOCKED)
ENDED: Final = (Standing.COMPLETED, Standing.ABANDONED)


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to be reached."""

    id: str
    text: str
    channel: str
    standing: Standing
    priority: int
    deadline: datetime | None
    started_at: datetime
    ended_at: datetime | None
    result: str | None
    """What came of it."""
    obstacle: str | None
    """What it waits for, where that is not another goal."""
    parent: str | None = None
    """The larger goal that it serves."""
    subgoals: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    """The goals before whose end it cannot go on; those that have ended are not among them."""

    @property
    def is_open(self) -> bool:
        return self.standing in OPEN


Goals = list[Goal]


def told(priority: int, deadline: datetime | None) -> dict[str, Any]:
    """How a new goal stands, as metadata hold it."""
    until = {} if deadline is None else {"deadline": utc(deadline).isoformat()}
    return {GOAL: {"priority": priority, **until}}


def changed(memory: Memory, **values: str | None) -> Memory:
    """A goal that stands otherwise; what is None is taken away."""
    value = {name: one for name, one in {**kept(memory), **values}.items() if one is not None}
    return replace(memory, metadata={**memory.metadata, GOAL: value})


def kept(memory: Memory) -> Mapping[str, Any]:
    """How a goal stands, as it is kept; refuses a memory that is no goal."""
    if memory.kind != GOAL:
        raise InvalidInput(f"{memory.id} is a {memory.kind}, not a goal")
    found = memory.metadata.get(GOAL)
    return found if isinstance(found, Mapping) else {}


def is_ended(memory: Memory) -> bool:
    """Whether somebody has said how a goal ended."""
    return kept(memory).get("ended") is not None


def goal_from(memory: Memory, edges: Iterable[Edge], others: Mapping[str, Memory]) -> Goal:
    """A goal from its memory, the edges at it, and the goals at their other ends."""
    value = kept(memory)
    beside = [edge for edge in edges if edge.type in (SUBGOAL, BLOCKED_BY)]
    outgoing = [edge for edge in beside if edge.source == memory.id and edge.target in others]
    blockers = tuple(
        sorted(e.target for e in outgoing if e.type == BLOCKED_BY and not is_ended(others[e.target]))
    )
    obstacle = value.get("obstacle")
    if value.get("ended"):
        standing = Standing(value["ended"])
    else:
        standing = Standing.BLOCKED if blockers or obstacle else Standing.ACTIVE
    return Goal(
        id=memory.id,
        text=memory.text,
        channel=memory.channel,
        standing=standing,
        priority=int(value.get("priority", 0)),
        deadline=_moment(value.get("deadline")),
        started_at=memory.valid_from,
        ended_at=_moment(value.get("ended_at")),
        result=value.get("result"),
        obstacle=obstacle,
        parent=next((edge.target for edge in outgoing if edge.type == SUBGOAL), None),
        subgoals=tuple(
            sorted(
                edge.source
                for edge in beside
                if edge.type == SUBGOAL and edge.target == memory.id and edge.source in others
            )
        ),
        blockers=blockers,
    )


def ranked(goals: Iterable[Goal]) -> Goals:
    """What is open first; then by priority, by the nearest deadline, by age."""
    never = datetime.max.replace(tzinfo=UTC)
    return sorted(
        goals,
        key=lambda one: (
            not one.is_open,
            -one.priority,
            one.deadline or never,
            one.started_at,
            one.id,
        ),
    )


def leads_to(start: str, end: str, following: Callable[[Sequence[str]], Iterable[str]]) -> bool:
    """Whether one comes from a start to an end, where `following` says what comes after some of them.

    >>> leads_to("a", "c", lambda some: {"a": "b", "b": "c"}.get(some[0], ""))
    True
    """
    seen, here = set[str](), [start]
    while here:
        if end in here:
            return True
        seen.update(here)
        here = [one for one in dict.fromkeys(following(here)) if one not in seen]
    return False


def _moment(value: str | None) -> datetime | None:
    return None if value is None else moment_from(value)
