"""The verbs that keep the store well."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from recollect import config
from recollect.dream.schedule import status
from recollect.engine.core import Core
from recollect.model import Fault
from recollect.ports import Progress
from recollect.stores.address import check_redis
from recollect.write.reembed import reembed


class Keeping(Core):
    """Verify, statistics, settings, the embedding model, space."""

    def verify(self, progress: Progress | None = None) -> list[Fault]:
        """What was changed behind the engine's back, of all that the chain witnesses; empty is well."""
        return self.store.verify(self.user, progress)

    def cache_counts(self) -> tuple[int, int]:
        """Of how many texts the vector was at hand, and of how many it had to be made."""
        return self._embedder.counts

    def llm_counts(self) -> dict[str, dict[str, int]]:
        """Of each task of a language model, how often what came of it in this process; empty where there is none."""
        found: dict[str, dict[str, int]] = {}
        for (task, outcome), count in ({} if self._generator is None else self._generator.counts).items():
            found.setdefault(task, {})[outcome] = count
        return found

    def stats(self) -> dict[str, Any]:
        """Counts, sizes and the state of the index, the model, the chain and the worker's jobs."""
        known = self.store.model()
        hits, misses = self.cache_counts()
        path = Path(self.store.location)
        files = {suffix or "db": Path(str(path) + suffix) for suffix in ("", "-wal")}
        with self._index_lock:
            index = self._index()
            index.refresh()
        return {
            "store": self.store.location,
            "user": self.user,
            "channel": self.channel,
            **self.store.counts(self.user),
            "model": None if known is None else {"name": known[0], "dimension": known[1]},
            "embedder": self._embedder.name,
            "cache": {"hits": hits, "misses": misses},
            "llm": self.llm_counts(),
            "index": asdict(index.status()),
            "jobs": status(self.store, self.user, self.intervals, self._clock.now()),
            "bytes": {name: file.stat().st_size for name, file in files.items() if file.is_file()},
            "copies": [str(copy) for copy in self.store.copies()],
        }

    def reembed(self, progress: Progress | None = None) -> int:
        """Gives every text a vector of the embedder that is set and makes that the store's model; resumable."""
        self._use(self._chosen_embedder(None))
        done = reembed(self.store, self._embedder, progress)
        with self._index_lock:
            self._partition = None
        self._reembedded()
        return done

    def configure(self, values: Mapping[str, Any]) -> None:
        """Changes settings for this user, in the store; None takes one back to its default."""
        good = config.parsed({name: value for name, value in values.items() if value is not None})
        for name in values:
            config.named(name)
        check_redis(good.get("redis.url", ""))
        stored = {name: None if name not in good else json.dumps(good[name]) for name in values}
        self.store.set_settings(self.user, stored, self._clock.now())
        self.refreshed()

    def compact(self) -> None:
        """Gives unused space back and merges the index; recalls go on meanwhile."""
        self._accesses.flush()
        self.store.compact()
        with self._index_lock:
            self._index().compact()
