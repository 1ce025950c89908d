"""Prospective memory: what is to be thought of at a time, or when something like it comes up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.model import Filter, Memory, microseconds, moment
from recollect.ports import RecordChange, Store

INTENTION: Final = "intention"
"""The kind of the memory, its name in the metadata, and the kind of the record that says when it is next due."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Trigger:
    """When an intention is due: from a moment on, or when a context is like some words."""

    at: datetime | None = None
    when: str | None = None
    every: timedelta | None = None
    """After which it is due again; None is once."""
    threshold: float = 0.6
    """How like the words a context is at least (cosine)."""

    def __post_init__(self) -> None:
        if (self.at is None) == (self.when is None or not self.when.strip()):
            raise InvalidInput("an intention waits for a time (at) or for a context (when): give one of them")
        if self.every is not None and self.every <= timedelta(0):
            raise InvalidInput(f"an intention comes back after some time, not after {self.every}")
        if not 0.0 < self.threshold <= 1.0:
            raise InvalidInput(f"the threshold lies above 0 and up to 1, not {self.threshold}")

    @property
    def told(self) -> dict[str, Any]:
        """As metadata hold it."""
        return {
            "at": None if self.at is None else microseconds(self.at),
            "when": self.when,
            "every": None if self.every is None else self.every.total_seconds(),
            "threshold": self.threshold,
        }


@dataclass(frozen=True, slots=True)
class Due:
    """An intention whose time has come, or whose context is there."""

    memory: Memory
    since: datetime | None = None
    """When its time came."""
    similarity: float | None = None
    """How like its words the context is."""


def intentions(store: Store, user: str, where: Filter) -> list[tuple[Memory, Trigger]]:
    """The open intentions that satisfy a filter, with what they wait for."""
    found = ((memory, _trigger(memory.metadata.get(INTENTION))) for memory in store.find(user, where))
    return [(memory, trigger) for memory, trigger in found if trigger is not None]


def due(
    store: Store, user: str, where: Filter, now: datetime, context: str | None, embed: Embed
) -> list[Due]:
    """The intentions that are due, those of a time first, the longest due before the others."""
    timed, alike = [], []
    for memory, trigger in intentions(store, user, where):
        known = store.record(user, INTENTION, memory.id)
        start = trigger.at if known is None else moment(known.value["next"])
        if start is not None and start > now:
            continue
        if trigger.when is None:
            timed.append(Due(memory, since=start))
        elif context is not None:
            alike.append((memory, trigger))
    return sorted(timed, key=lambda one: (one.since or now, one.memory.id)) + _like(alike, context, embed)


def put_off(memory: Memory, now: datetime, store: Store, user: str) -> RecordChange | None:
    """The record of when an intention that was done is due again; None where it is done for good."""
    trigger = _trigger(memory.metadata.get(INTENTION))
    if trigger is None or trigger.every is None:
        return None
    known = store.record(user, INTENTION, memory.id)
    before = (trigger.at or now) if known is None else moment(known.value["next"])
    # One that waits for a context rests from now on; one of a time keeps its rhythm.
    start = now if trigger.when is not None else before
    missed = max((now - start) // trigger.every, 0)
    value = {"next": microseconds(start + (missed + 1) * trigger.every)}
    return RecordChange(INTENTION, memory.id, value, 0 if known is None else known.revision)


def _like(waiting: Sequence[tuple[Memory, Trigger]], context: str | None, embed: Embed) -> list[Due]:
    if not waiting or context is None or not context.strip():
        return []
    vectors = embed([context, *(trigger.when or "" for _, trigger in waiting)])
    similar = vectors[1:] @ vectors[0]
    found = [
        Due(memory, similarity=float(similarity))
        for (memory, trigger), similarity in zip(waiting, similar, strict=True)
        if similarity >= trigger.threshold
    ]
    return sorted(found, key=lambda one: (-(one.similarity or 0.0), one.memory.id))


def _trigger(told: Any) -> Trigger | None:
    """What metadata say; whatever else somebody wrote there is no intention."""
    if not isinstance(told, Mapping):
        return None
    try:
        at, every = told.get("at"), told.get("every")
        return Trigger(
            None if at is None else moment(at),
            told.get("when"),
            None if every is None else timedelta(seconds=every),
            told.get("threshold", 0.6),
        )
    except (InvalidInput, TypeError, OverflowError, AttributeError):
        return None
