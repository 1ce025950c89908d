"""The working tier: the few memories that a session has in mind, in this process and as long as it lasts."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from recollect.formulas.tiers import TierParams, eviction_score, outlives_session

SESSIONS: Final = 1_000
"""Of so many sessions, those used last, it is known what they have in mind."""
MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Item:
    """A memory in mind: how important it is, how often it came up in the session, and when last."""

    id: str
    importance: float
    accesses: int
    at: datetime


class InMind:
    """At most nine memories a session; when another comes, the one that is worth least goes (C31)."""

    def __init__(self, params: TierParams | None = None) -> None:
        self._params = params or TierParams()
        self._sessions: OrderedDict[str, dict[str, Item]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, session: str, memories: Iterable[tuple[str, float]], now: datetime) -> None:
        """Has memories, given with their importance, in mind; one that is there already came up once more."""
        with self._lock:
            items = self._sessions.setdefault(session, {})
            self._sessions.move_to_end(session)
            for memory_id, importance in memories:
                known = items.get(memory_id)
                items[memory_id] = Item(
                    memory_id, importance, 1 if known is None else known.accesses + 1, now
                )
            for one in self._by_worth(items, now)[self._params.working_items :]:
                del items[one.id]
            if len(self._sessions) > SESSIONS:
                self._sessions.popitem(last=False)

    def items(self, session: str, now: datetime) -> list[Item]:
        """What a session has in mind, what is worth most first."""
        with self._lock:
            return self._by_worth(self._sessions.get(session, {}), now)

    def clear(self, session: str) -> list[Item]:
        """Ends a session; gives what is worth keeping beyond it: it came up twice, or is important."""
        with self._lock:
            items = list(self._sessions.pop(session, {}).values())
        return [one for one in items if outlives_session(one.accesses, one.importance, self._params)]

    def _by_worth(self, items: dict[str, Item], now: datetime) -> list[Item]:
        def worth(item: Item) -> tuple[float, str]:
            idle = (now - item.at) / MINUTE
            return -float(eviction_score(item.importance, idle, item.accesses, self._params)), item.id

        return sorted(items.values(), key=worth)
