"""The engines of many users over one store, each made when it is first asked for."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect import config
from recollect.assembly import make_embedder, opened
from recollect.engine import Recollect
from recollect.ports import Clock, Embedder, Store

OPEN = 64
"""How many users' engines are kept; each holds its user's index in memory."""


class Tenants:
    """One store, one embedder, an engine a user."""

    def __init__(
        self,
        store: str | Path | Store | None = None,
        *,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.store = opened(config.default_store() if store is None else store)
        self._embedder, self._clock, self._settings = embedder, clock, dict(settings or {})
        self._engines: OrderedDict[str, Recollect] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, user: str) -> Recollect:
        """The engine of one user."""
        with self._lock:
            if user not in self._engines:
                self._engines[user] = self._made(user)
            self._engines.move_to_end(user)
            idle = [self._engines.popitem(last=False)[1] for _ in range(len(self._engines) - OPEN)]
            engine = self._engines[user]
        for one in idle:
            one.flush()
        return engine

    def owner(self, memory_id: str) -> str | None:
        """Whose memory it is, whatever its state."""
        with self._lock:
            lately = [*reversed(self._engines)]
        users = dict.fromkeys((*lately, *self.store.users()))
        return next((user for user in users if self.store.get(user, memory_id) is not None), None)

    def close(self) -> None:
        """Writes what is pending and closes the store."""
        with self._lock:
            engines, self._engines = list(self._engines.values()), OrderedDict()
        try:
            for engine in engines:
                engine.rest()
                engine.flush()
        finally:
            self.store.close()

    def _made(self, user: str) -> Recollect:
        if self._embedder is None:
            chosen = config.assembled(self.store.settings(user), self._settings)
            self._embedder = make_embedder(chosen.embedder)
        return Recollect(
            self.store, user=user, embedder=self._embedder, clock=self._clock, settings=self._settings
        )
