"""The way to a Redis server, and what is done while it does not answer."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final, TypeVar

from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import RedisError
from redis.retry import Retry

from recollect.errors import InvalidInput
from recollect.stores.address import without_password

log = logging.getLogger("recollect")
T = TypeVar("T")
Deed = Callable[["Redis"], Any]
MOST_OWED: Final = 10_000
"""Of more changes than this that wait for the server, the oldest are given up."""
PROBE: Final = "recollect:probe"


class Link:
    """Asks the server as long as it answers, and something else meanwhile: nobody is ever turned away for it.

    The first call that fails tells it once and is answered by its substitute, as are all others from then on,
    without waiting. A thread looks whether the server takes writes again; what was owed to it is done first, in its
    order, and then it is asked as before. A change whose answer was lost may therefore be done twice.
    """

    def __init__(self, url: str, *, timeout_seconds: float = 0.25, retry_seconds: float = 1.0) -> None:
        try:
            self._client: Redis = Redis.from_url(
                url,
                socket_timeout=timeout_seconds,
                socket_connect_timeout=timeout_seconds,
                # Trying again is what the thread is for.
                retry=Retry(NoBackoff(), 0),
                driver_info=None,
            )
        except ValueError as error:
            raise InvalidInput(f"redis.url is redis://, rediss:// or unix://: {error}") from None
        self.place = without_password(url)
        self._retry_seconds = retry_seconds
        self._owed: deque[Deed] = deque(maxlen=MOST_OWED)
        self._returns: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._answers = True
        self._closed = threading.Event()

    @property
    def answers(self) -> bool:
        """Whether the server was there when it was asked last."""
        return self._answers

    def ask(self, deed: Callable[["Redis"], T], otherwise: Callable[[], T], *, owed: bool = False) -> T:
        """What the server says; what `otherwise` does, where it says nothing, and then the deed is `owed` or not."""
        while True:
            if self._answers:
                try:
                    return deed(self._client)
                except RedisError as error:
                    self._lost(error)
            if not owed:
                return otherwise()
            with self._lock:
                # Under the lock, so that nothing comes between what is owed and the return.
                if not self._answers:
                    told = otherwise()
                    self._owed.append(deed)
                    return told

    def on_return(self, work: Callable[[], None]) -> None:
        """Has something done when the server is back, before it is asked again."""
        self._returns.append(work)

    def script(self, name: str) -> Script:
        """One of our scripts, which the server does as one step."""
        text = files("recollect.stores.redis").joinpath("scripts", f"{name}.lua").read_text("utf-8")
        return self._client.register_script(text)

    def close(self) -> None:
        self._closed.set()
        self._client.close()

    def _lost(self, error: RedisError) -> None:
        with self._lock:
            if not self._answers:
                return
            self._answers = False
        log.warning(
            "Redis at %s does not answer (%s): until it does, each process keeps what is in mind by itself",
            self.place,
            error,
        )
        threading.Thread(target=self._watch, name="recollect-redis", daemon=True).start()

    def _watch(self) -> None:
        pause = 0.0
        while not self._closed.wait(pause):
            pause = self._retry_seconds
            try:
                # A server that is full, or a replica, answers a ping as well.
                self._client.set(PROBE, 1, px=1_000)
                with self._lock:
                    self._settle()
            except RedisError:
                continue
            log.info("Redis at %s answers again", self.place)
            return

    def _settle(self) -> None:
        """Does what is owed, and goes back to asking the server; under the lock."""
        while self._owed:
            self._owed[0](self._client)
            self._owed.popleft()
        for work in self._returns:
            work()
        self._answers = True
