"""What one worker of the service stands on: the store, its keys, its engines, and the threads that answer."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.assembly import Commons, SystemClock, common, make_embedder, make_generator, opened
from recollect.engine import Recollect
from recollect.engine.auditing import acting
from recollect.errors import InvalidInput, ModelMismatch, RecollectError, StoreError
from recollect.ports import Clock, Embedder, Store
from recollect.serve.http.engines import Engines
from recollect.serve.http.logs import log
from recollect.serve.http.metrics import Metrics
from recollect.serve.http.problems import Rejected, told_to_strangers
from recollect.serve.http.rates import Rates
from recollect.serve.keys import SERVICE_USER, Keys
from recollect.settings import Settings
from recollect.stores.address import is_service
from recollect.stores.ops_log import ops_log

if TYPE_CHECKING:
    from recollect.stores.redis.rates import RedisRates

SLOW_THREADS = 2
WARM_EVERY_SECONDS = 5.0
"""After so long a model that could not be loaded is tried again."""


@dataclass(frozen=True, slots=True)
class Options:
    """What every worker is started with."""

    store: str
    user: str
    """Whose memory it is where no keys are asked for."""
    keys: bool = True
    settings: Settings = field(default_factory=Settings)
    rates: Path | None = None
    """The file in which all workers count requests."""
    working: Path | None = None
    """The file in which all workers keep what agents have in mind."""
    dashboard: bool = True
    """Whether people may look inside with a browser, where the extra `dashboard` is installed."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """What the dashboard's sessions are signed with: they end when the service does."""


class Lane:
    """A few threads, and a limit to how many may wait for one."""

    def __init__(self, name: str, threads: int, queue: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"recollect-{name}")
        self._room = threads + queue
        self._seconds = seconds
        self._waiting = 0
        self._lock = threading.Lock()

    async def run(self, work: Callable[[], Any]) -> Any:
        """What the work gives; turned away where too many wait, and given up where it takes too long."""
        with self._lock:
            if self._waiting >= self._room:
                detail = "too many requests wait already; try again"
                raise Rejected(503, "Busy", detail, {"Retry-After": "1"})
            self._waiting += 1
        job: Future[Any] = self._pool.submit(work)
        job.add_done_callback(self._done)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(job)
        except TimeoutError:
            # What runs already is not stopped: halves are worse than late ends.
            told = "" if job.cancel() else "; it was begun and may still be carried out"
            raise Rejected(504, "Timeout", f"it took longer than {self._seconds:g} s{told}") from None

    def _done(self, _: "Future[Any]") -> None:
        with self._lock:
            self._waiting -= 1

    def close(self) -> None:
        """Waits for what was begun."""
        self._pool.shutdown(wait=True)


class Service:
    """Opened once in a worker, closed when it has answered its last request."""

    def __init__(
        self, options: Options, *, embedder: Embedder | None = None, clock: Clock | None = None
    ) -> None:
        chosen = options.settings.service
        if options.keys and is_service(options.settings.shared.store):
            raise InvalidInput(
                "shared.store is another service's address: all users of this one would ask it with one key."
                " Give the library a store (a path, or postgresql://…), or serve one user with --no-keys"
            )
        self.options = options
        self.clock: Clock = clock or SystemClock()
        self.store: Store = opened(options.store)
        self._given_embedder = embedder
        self._choosing = threading.Lock()
        self.embedder = self._chosen()
        self.keys = Keys(self.store, self.clock)
        self.commons = common(options.settings.redis, self.clock, options.working)
        self.generator = make_generator(options.settings.llm, self._tell_ops)
        self.engines = Engines(
            self.store, self.embedder, self.clock, chosen.open_users, self.commons, self.generator
        )
        self.rates = _rates(options, self.commons)
        self.quick = Lane("quick", chosen.threads, chosen.queue, chosen.timeout_seconds)
        self.slow = Lane("slow", SLOW_THREADS, chosen.queue, chosen.slow_timeout_seconds)
        self.metrics = Metrics(self)
        self._warm, self._closed = threading.Event(), threading.Event()

    def warm(self) -> None:
        """Loads the model, so that the first question does not wait for it; tried until it is there."""
        while not self._closed.is_set():
            try:
                self.embedder.embed(["ready"])
            except RecollectError as error:
                log.warning("the embedding model is not ready: %s", error)
                self._closed.wait(WARM_EVERY_SECONDS)
            else:
                self._warm.set()
                return

    def not_ready(self) -> str | None:
        """Why a question would not be answered at once; None where it would."""
        if not self._warm.is_set():
            return "the embedding model is being loaded"
        try:
            known = self.store.model()
            if known is None or known[0] == self.embedder.name or self._follow():
                return None
        except StoreError as error:
            log.warning("not ready: %s", error)
            return told_to_strangers(error)
        return (
            f"the store holds vectors of {known[0]}, but the embedder here is {self.embedder.name}:"
            " start the service with that one, or run `recollect reembed`"
        )

    def _chosen(self) -> Embedder:
        """The embedder that was given, or that the store was filled with, as far as the settings can make it."""
        known = self.store.model()
        stored = None if known is None else known[0]
        if self._given_embedder is not None:
            return self._given_embedder
        return make_embedder(self.options.settings.embedder, stored)

    def _follow(self) -> bool:
        """Takes the embedder of the store's model, where somebody has changed that; says whether it is that one now."""
        with self._choosing:
            known = self.store.model()
            if known is None or known[0] == self.embedder.name:
                return True
            chosen = self._chosen()
            if chosen.name != known[0]:
                return False
            self.embedder = chosen
            self.engines.renew(chosen)
            return True

    def _tell_ops(self, line: Mapping[str, Any]) -> None:
        """What the language model did, for the ops log; it serves all users."""
        ops = self.options.settings.ops
        log_ = ops_log(ops.log, max_bytes=ops.max_bytes, files=ops.files, waiting=ops.waiting)
        if log_ is not None:
            log_.put({"at": self.clock.now().isoformat(), **line})

    def users(self) -> list[str]:
        """Everybody who has written."""
        return [user for user in self.store.users() if user != SERVICE_USER]

    def done_for(self, user: str, work: Callable[[Recollect], Any], key: str | None = None) -> Any:
        """Does something with a user's engine; the audit knows the caller by the key.

        What is refused because the store was given another model meanwhile is done again with that one: nothing
        was begun.
        """
        with acting(None if key is None else f"key {key}"):
            try:
                return self._done(user, work)
            except ModelMismatch:
                if not self._follow():
                    raise
            return self._done(user, work)

    def _done(self, user: str, work: Callable[[Recollect], Any]) -> Any:
        with self.engines.of(user) as memory:
            # The engine was opened for an earlier call: this one goes by what is set now, whoever has set it.
            memory.refreshed()
            return work(memory)

    def close(self) -> None:
        """Ends what was begun, writes what is pending, closes the store."""
        self._closed.set()
        self.quick.close()
        self.slow.close()
        self.engines.close()
        self.rates.close()
        self.commons.close()
        self.store.close()


def _rates(options: Options, beside: Commons) -> "Rates | RedisRates":
    """Counted by all services where they share a Redis server, or else by the workers of this one."""
    per_second = options.settings.service.requests_per_second
    here = Rates(options.rates, per_second)
    if beside.link is None:
        return here
    from recollect.stores.redis.rates import RedisRates  # noqa: PLC0415 - an extra

    return RedisRates(beside.link, per_second, here)
