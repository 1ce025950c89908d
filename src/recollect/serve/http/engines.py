"""One engine a user over one shared store: opened when it is needed, kept as long as there is room."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from recollect.assembly import Commons
from recollect.engine import Recollect
from recollect.engine.shelf import Shelf
from recollect.model import GLOBAL_CHANNEL
from recollect.ports import Clock, Embedder, Generator, Store


@dataclass
class Lent:
    """An engine and how many requests use it now."""

    engine: Recollect
    uses: int = 0
    is_kept: bool = True
    """Whether the next request gets it too."""


@dataclass
class CacheCounts:
    """How often a text's vector was known already."""

    hits: int = 0
    misses: int = 0


class Engines:
    """At most `limit` engines, unless more are in use at the same time; the one longest unused goes first."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        clock: Clock,
        limit: int,
        commons: Commons | None = None,
        generator: Generator | None = None,
    ) -> None:
        self._store, self._embedder, self._clock, self._limit = store, embedder, clock, limit
        self._commons, self._generator = commons, generator
        self._lent: OrderedDict[str, Lent] = OrderedDict()
        self._lock = threading.Lock()
        self._gone = CacheCounts()
        self._shelf: Shelf | None = None

    @contextmanager
    def of(self, user: str) -> Iterator[Recollect]:
        """The engine of a user, for as long as the block lasts."""
        with self._lock:
            lent = self._lent.get(user) or self._opened(user)
            self._lent.move_to_end(user)
            lent.uses += 1
        try:
            yield lent.engine
        finally:
            with self._lock:
                lent.uses -= 1
                idle = self._idle(len(self._lent) - self._limit)
                if not lent.is_kept and not lent.uses:
                    idle.append(lent.engine)
            for engine in idle:
                engine.flush()

    def renew(self, embedder: Embedder) -> None:
        """From now on engines are opened with another embedder; those in use end what they do with the old one."""
        with self._lock:
            self._embedder = embedder
            self._shelf = None
            for lent in self._lent.values():
                lent.is_kept = False
            idle = self._idle(len(self._lent))
            for lent in self._lent.values():
                self._count(lent.engine)
            self._lent.clear()
        for engine in idle:
            engine.flush()

    def close(self) -> None:
        """Writes what any of them still has to write; what is read in the background is gone on with another time."""
        with self._lock:
            engines = [lent.engine for lent in self._lent.values()]
        for engine in engines:
            engine.rest()
            engine.flush()

    def cache(self) -> CacheCounts:
        """Of all engines that there are or were."""
        with self._lock:
            told = [lent.engine.cache_counts() for lent in self._lent.values()]
            return CacheCounts(
                self._gone.hits + sum(hits for hits, _ in told),
                self._gone.misses + sum(misses for _, misses in told),
            )

    def __len__(self) -> int:
        return len(self._lent)

    def _opened(self, user: str) -> Lent:
        engine = Recollect(
            self._store,
            user=user,
            channel=GLOBAL_CHANNEL,
            embedder=self._embedder,
            clock=self._clock,
            shelf=self._shelf,
            commons=self._commons,
            generator=self._generator,
        )
        # One library for all: its index is large, and the same for everybody.
        self._shelf = engine.shelf
        lent = self._lent[user] = Lent(engine)
        return lent

    def _idle(self, count: int) -> list[Recollect]:
        """Takes out so many that nobody uses, the longest unused first."""
        unused = (user for user, lent in self._lent.items() if not lent.uses)
        users = list(islice(unused, max(count, 0)))
        engines = [self._lent.pop(user).engine for user in users]
        for engine in engines:
            self._count(engine)
        return engines

    def _count(self, engine: Recollect) -> None:
        """Keeps what an engine has counted that is about to go."""
        hits, misses = engine.cache_counts()
        self._gone = CacheCounts(self._gone.hits + hits, self._gone.misses + misses)
