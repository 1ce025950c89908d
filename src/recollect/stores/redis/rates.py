"""How often a key may call, counted together by all services that share a Redis server."""

from typing import Protocol

from recollect.stores.redis.link import Link


class Rates(Protocol):
    """The same of one service."""

    def wait(self, number: int, now: float) -> float: ...
    def close(self) -> None: ...


class RedisRates:
    """A steady rate with bursts of one second (GCRA); without the server each service counts for itself.

    The time is the server's: services need not agree on theirs.
    """

    def __init__(self, link: Link, per_second: float, here: Rates) -> None:
        self._link, self._per_second, self._here = link, per_second, here
        self._spend = link.script("spend")

    def wait(self, number: int, now: float) -> float:
        """How many seconds too early a request of this key comes; 0 lets it through and counts it."""
        if not self._per_second:
            return 0.0
        between = 1_000.0 / self._per_second
        limits = [between, max(1_000.0, between)]
        return self._link.ask(
            lambda client: float(self._spend([f"rate:{number}"], limits, client)) / 1_000,
            lambda: self._here.wait(number, now),
        )

    def close(self) -> None:
        self._here.close()
