"""Working memory on a Redis server, for all processes that serve the same users."""

import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from recollect.errors import InvalidInput
from recollect.short_lived import Desk, WorkingStore
from recollect.stores.redis.link import Link
from recollect.stores.working import MOST_VALUES, encoded, too_many

if TYPE_CHECKING:
    from redis import Redis

VALUES, LISTS, STATES = "context", "lists", "states"


class Keys:
    """The keys of one conversation.

    `working:{user:channel:conversation}:turns`, `…:thoughts`, `…:context:NAME`, and of its states
    `session:{user:channel:conversation}:states`. What stands in braces decides on which node of a cluster a key
    lies, so that a conversation lies on one.
    """

    def __init__(self, desk: Desk) -> None:
        # Escaped, so that no name reaches into another's place.
        own = ":".join(quoted(one) for one in (desk.user, desk.channel, desk.conversation))
        self._own = f"{{{own}}}"
        self.values = f"working:{self._own}:{VALUES}"
        self.lists = f"working:{self._own}:{LISTS}"

    def value(self, name: str = "") -> str:
        return f"{self.values}:{quoted(name)}"

    def list(self, name: str) -> str:
        return f"{'session' if name == STATES else 'working'}:{self._own}:{quoted(name)}"


class RedisWorkingStore:
    """Values and lists with their ends; while the server is away they lie in a substitute, and come back from it."""

    def __init__(self, link: Link, substitute: WorkingStore) -> None:
        self._link, self._substitute = link, substitute
        self._put, self._push = link.script("put"), link.script("push")
        self._values, self._clear = link.script("values"), link.script("clear")
        self._away: set[Desk] = set()
        link.on_return(self._returned)

    def put(self, desk: Desk, name: str, value: Any, ttl_seconds: float) -> None:
        keys, text, end = Keys(desk), encoded(value), _end(ttl_seconds)

        def deed(client: "Redis") -> bool:
            left = _left(end)
            told: list[str | int] = [quoted(name), text, left, MOST_VALUES]
            return not left or bool(self._put([keys.values, keys.value(name)], told, client))

        def otherwise() -> bool:
            self._away.add(desk)
            self._substitute.put(desk, name, value, ttl_seconds)
            return True

        if not self._link.ask(deed, otherwise, owed=True):
            raise InvalidInput(too_many())

    def get(self, desk: Desk, name: str) -> Any | None:
        found = self._link.ask(
            lambda client: client.get(Keys(desk).value(name)),
            lambda: encoded(self._substitute.get(desk, name)),
        )
        return None if found is None else json.loads(found)

    def delete(self, desk: Desk, name: str) -> None:
        keys = Keys(desk)

        def deed(client: "Redis") -> None:
            with client.pipeline() as both:
                both.delete(keys.value(name))
                both.zrem(keys.values, quoted(name))
                both.execute()

        self._link.ask(deed, lambda: self._substitute.delete(desk, name), owed=True)

    def values(self, desk: Desk) -> dict[str, Any]:
        keys = Keys(desk)

        def deed(client: "Redis") -> dict[str, Any]:
            told = self._values([keys.values], [keys.value()], client)
            pairs = zip(told[::2], told[1::2], strict=True)
            return {unquoted(name.decode()): json.loads(value) for name, value in pairs}

        return self._link.ask(deed, lambda: self._substitute.values(desk))

    def push(self, desk: Desk, name: str, value: Any, *, keep: int, ttl_seconds: float) -> None:
        keys, text, end = Keys(desk), encoded(value), _end(ttl_seconds)

        def deed(client: "Redis") -> None:
            left = _left(end)
            if left:
                self._push([keys.list(name), keys.lists], [text, left, keep], client)

        def otherwise() -> None:
            self._away.add(desk)
            self._substitute.push(desk, name, value, keep=keep, ttl_seconds=ttl_seconds)

        self._link.ask(deed, otherwise, owed=True)

    def listed(self, desk: Desk, name: str, limit: int) -> list[Any]:
        def deed(client: "Redis") -> list[Any]:
            return [json.loads(one) for one in client.lrange(Keys(desk).list(name), -limit, -1)]

        return self._link.ask(deed, lambda: self._substitute.listed(desk, name, limit))

    def clear(self, desk: Desk) -> None:
        keys = Keys(desk)
        self._link.ask(
            lambda client: self._clear([keys.values, keys.lists], [keys.value()], client),
            lambda: self._substitute.clear(desk),
            owed=True,
        )

    def _returned(self) -> None:
        """What the substitute holds has come back with what was owed."""
        while self._away:
            self._substitute.clear(self._away.pop())


def quoted(name: str) -> str:
    return quote(name, safe="", errors="surrogatepass")


def unquoted(name: str) -> str:
    return unquote(name, errors="surrogatepass")


def _end(ttl_seconds: float) -> float:
    return time.monotonic() + ttl_seconds


def _left(end: float) -> int:
    """Milliseconds until then; 0 where it is past."""
    return max(0, round((end - time.monotonic()) * 1_000))
