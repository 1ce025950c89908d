"""Working memory in this process: gone when it ends."""

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from recollect.errors import InvalidInput
from recollect.ports import Clock
from recollect.short_lived import Desk

MOST_DESKS = 10_000
"""Of more conversations than this, the one longest untouched is forgotten."""
MOST_VALUES = 1_000
"""So many values one conversation may have."""


@dataclass(slots=True)
class Kept:
    """Something as JSON, and when it is gone."""

    value: list[str]
    until: datetime


@dataclass(slots=True)
class Things:
    """What lies on one desk."""

    values: dict[str, Kept] = field(default_factory=dict)
    lists: dict[str, Kept] = field(default_factory=dict)


class InProcessWorkingStore:
    """Values and lists with their ends, by conversation; any thread may use it.

    What is given is kept as JSON: whoever changes it later changes nothing here.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._desks: OrderedDict[Desk, Things] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, desk: Desk, name: str, value: Any, ttl_seconds: float) -> None:
        kept = Kept([encoded(value)], self._end(ttl_seconds))
        with self._lock:
            values = self._things(desk).values
            if name not in values and len(self._living(values)) >= MOST_VALUES:
                raise InvalidInput(too_many())
            values[name] = kept

    def get(self, desk: Desk, name: str) -> Any | None:
        return self.values(desk).get(name)

    def delete(self, desk: Desk, name: str) -> None:
        with self._lock:
            if desk in self._desks:
                self._desks[desk].values.pop(name, None)

    def values(self, desk: Desk) -> dict[str, Any]:
        with self._lock:
            there = self._desks.get(desk)
            living = {} if there is None else self._living(there.values)
            return {name: json.loads(kept.value[0]) for name, kept in living.items()}

    def push(self, desk: Desk, name: str, value: Any, *, keep: int, ttl_seconds: float) -> None:
        text, end = encoded(value), self._end(ttl_seconds)
        with self._lock:
            lists = self._things(desk).lists
            before = self._living(lists).get(name)
            lists[name] = Kept([*(before.value if before else ()), text][-keep:], end)

    def listed(self, desk: Desk, name: str, limit: int) -> list[Any]:
        with self._lock:
            there = self._desks.get(desk)
            kept = None if there is None else self._living(there.lists).get(name)
            return [] if kept is None else [json.loads(one) for one in kept.value[-limit:]]

    def clear(self, desk: Desk) -> None:
        with self._lock:
            self._desks.pop(desk, None)

    def _things(self, desk: Desk) -> Things:
        """What lies on a desk, to be added to; under the lock."""
        there = self._desks.setdefault(desk, Things())
        self._desks.move_to_end(desk)
        if len(self._desks) > MOST_DESKS:
            self._desks.popitem(last=False)
        return there

    def _living(self, kept: dict[str, Kept]) -> dict[str, Kept]:
        """Those whose time is not over; the others go."""
        now = self._clock.now()
        for name in [name for name, one in kept.items() if one.until <= now]:
            del kept[name]
        return kept

    def _end(self, ttl_seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=ttl_seconds)


def too_many() -> str:
    return f"a conversation keeps at most {MOST_VALUES:,} values: delete some"


def encoded(value: Any) -> str:
    """A value as JSON; refuses what JSON cannot hold."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"working memory keeps what JSON can hold: {error}") from None
