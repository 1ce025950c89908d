"""The vectors of texts that were asked for lately, on a Redis server: what one process embedded, no other has to."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from recollect.stores.redis.link import Link

if TYPE_CHECKING:
    from redis import Redis

PREFIX: Final = "vector:"
BATCH: Final = 1_000


class RedisVectorCache:
    """Bytes by the hash of their text; without the server nothing is found and nothing is kept."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def found(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        def deed(client: "Redis") -> dict[bytes, bytes]:
            told = client.mget([PREFIX + key.hex() for key in keys])
            return {key: value for key, value in zip(keys, told, strict=True) if isinstance(value, bytes)}

        return self._link.ask(deed, dict)

    def keep(self, rows: Mapping[bytes, bytes], ttl_seconds: float) -> None:
        def deed(client: "Redis") -> None:
            with client.pipeline(transaction=False) as all_of_them:
                for key, value in rows.items():
                    all_of_them.set(PREFIX + key.hex(), value, px=max(1, round(ttl_seconds * 1_000)))
                all_of_them.execute()

        self._link.ask(deed, lambda: None)

    def clear(self) -> None:
        """Forgets all of them; where the server is away, when it is back."""

        def deed(client: "Redis") -> None:
            place = 0
            while True:
                place, keys = client.scan(place, match=PREFIX + "*", count=BATCH)
                if keys:
                    client.unlink(*keys)
                if not place:
                    return

        self._link.ask(deed, lambda: None, owed=True)
