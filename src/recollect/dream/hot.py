"""The hot tier: the few memories that are always worth telling, whatever is asked."""

import threading
from datetime import datetime, timedelta
from typing import Final

import numpy as np

from recollect.formulas.tiers import TierParams, hot
from recollect.model import GLOBAL_CHANNEL, Filter, Lane, Memory, microseconds
from recollect.ports import Store

CACHED: Final = timedelta(minutes=5)
DAY: Final = timedelta(days=1) / timedelta(microseconds=1)


class HotTier:
    """Looks for the hot memories of a channel, at most once in five minutes (C32)."""

    def __init__(self, store: Store, user: str, params: TierParams | None = None) -> None:
        self._store, self._user, self._params = store, user, params or TierParams()
        self._known: dict[tuple[str, str | None], tuple[datetime, list[int]]] = {}
        self._lock = threading.Lock()

    def memories(self, channel: str, session: str | None, now: datetime) -> list[Memory]:
        """The hot ones of a channel and of _global, the most useful first, as they are now."""
        where = Filter(
            channels=tuple(dict.fromkeys((channel, GLOBAL_CHANNEL))),
            lanes=(Lane.MEMORY,),
            visible_session=session,
            unexpired_at=now,
        )
        with self._lock:
            at, contents = self._known.get((channel, session), (None, []))
            if at is None or not timedelta(0) <= now - at < CACHED:
                contents = self._found(where, now)
                self._known[channel, session] = (now, contents)
        # What was forgotten, replaced or purged in the meantime is not shown.
        shown = {memory.content: memory for memory in self._store.shown(self._user, contents, where)}
        return [shown[content] for content in contents if content in shown]

    def _found(self, where: Filter, now: datetime) -> list[int]:
        params = self._params
        seen = self._store.survey(self._user, where, min_utility=params.hot_utility)
        age = (microseconds(now) - seen.began_at) / DAY
        chosen = hot(seen.utility, seen.access_count, age, params) & (seen.tiers == "semantic")
        places = np.flatnonzero(chosen)
        best = np.lexsort((seen.contents[places], -seen.access_count[places], -seen.utility[places]))
        return [int(content) for content in seen.contents[places[best[: params.hot_items]]]]
