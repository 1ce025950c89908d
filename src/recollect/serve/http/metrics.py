"""What Prometheus reads: how many requests, how fast, how much is kept."""

import math
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.serve.http.speeds import Speed, speed

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

    from recollect.serve.http.service import Service

SHARED = "PROMETHEUS_MULTIPROC_DIR"
COUNT_EVERY_SECONDS = 15.0
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


def share(folder: Path) -> None:
    """Has every worker that is started from here count into one folder; before anything is counted."""
    os.environ[SHARED] = str(folder)


class Metrics:
    """The counts of a service; those of all workers where they share a folder."""

    def __init__(self, service: "Service") -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram  # noqa: PLC0415 - an extra

        self._registry = CollectorRegistry()
        self.requests = Counter(
            "recollect_requests",
            "Requests by route and status.",
            ("route", "status"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "recollect_request_seconds",
            "How long requests took.",
            ("route",),
            registry=self._registry,
            buckets=SECONDS,
        )
        self.cached = Counter(
            "recollect_embedding_cache",
            "Texts whose vector was at hand, or had to be made.",
            ("found",),
            registry=self._registry,
        )
        self.asked = Counter(
            "recollect_llm",
            "Questions to the language model by task and by what came of them.",
            ("task", "outcome"),
            registry=self._registry,
        )
        self._sizes = Sizes(service)
        self._told = (0, 0)
        self._told_asked: dict[tuple[str, str], int] = {}
        self._service = service

    def finished(self, route: str, status: int, started: float) -> None:
        """Counts a request that was answered."""
        self.requests.labels(route, str(status)).inc()
        self.seconds.labels(route).observe(time.perf_counter() - started)

    def rendered(self) -> bytes:
        """The text that is scraped."""
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - an extra

        self.count_cache()
        self.count_asked()
        sizes = CollectorRegistry()
        sizes.register(self._sizes)
        return generate_latest(self._together()) + generate_latest(sizes)

    def speeds(self) -> dict[str, Speed]:
        """How fast each route answers, over all workers."""
        buckets: dict[str, list[tuple[float, float]]] = {}
        for metric in self._together().collect():
            for sample in metric.samples:
                if sample.name == "recollect_request_seconds_bucket":
                    bound = float(sample.labels["le"])
                    buckets.setdefault(sample.labels["route"], []).append((bound, sample.value))
        return {route: speed(found) for route, found in buckets.items()}

    def _together(self) -> "CollectorRegistry":
        """What was counted: by all workers where they share a folder."""
        from prometheus_client import CollectorRegistry  # noqa: PLC0415 - an extra
        from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

        if not os.environ.get(SHARED):
            return self._registry
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return together

    def count_cache(self) -> None:
        """Takes over what the engines have counted since the last time."""
        now = self._service.engines.cache()
        for found, before, count in zip(("hit", "miss"), self._told, (now.hits, now.misses), strict=True):
            self.cached.labels(found).inc(max(0, count - before))
        self._told = (now.hits, now.misses)

    def count_asked(self) -> None:
        """Takes over what the language model has counted since the last time."""
        generator = self._service.generator
        now = {} if generator is None else dict(generator.counts)
        for (task, outcome), count in now.items():
            self.asked.labels(task, outcome).inc(count - self._told_asked.get((task, outcome), 0))
        self._told_asked = now


class Sizes:
    """What is measured when somebody asks, at most every few seconds: counting reads every version."""

    def __init__(self, service: "Service", clock: Callable[[], float] = time.monotonic) -> None:
        self._service, self._clock = service, clock
        self._counted_at = -math.inf
        self._counts: list[dict[str, Any]] = []

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - an extra

        store = self._service.store
        if self._clock() - self._counted_at >= COUNT_EVERY_SECONDS:
            self._counts = [store.counts(user) for user in self._service.users()]
            self._counted_at = self._clock()
        yield GaugeMetricFamily("recollect_users", "Users who have written.", value=len(self._counts))
        memories = GaugeMetricFamily(
            "recollect_memories", "Active ones by lane, and dormant ones.", labels=["which"]
        )
        for which in ("log", "memory", "dormant"):
            memories.add_metric([which], sum(int(count[which]) for count in self._counts))
        yield memories
        size = GaugeMetricFamily("recollect_store_bytes", "The store's files.", labels=["file"])
        for name, suffix in (("db", ""), ("wal", "-wal")):
            path = Path(store.location + suffix)
            size.add_metric([name], path.stat().st_size if path.is_file() else 0)
        yield size
