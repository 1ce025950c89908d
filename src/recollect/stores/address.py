"""What an address names, and what a `postgresql://` one says: where the server is, and what is ours in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from recollect.errors import InvalidInput

SCHEMES = ("postgresql", "postgres")
REDIS = ("redis://", "rediss://", "unix://")


@dataclass(frozen=True, slots=True)
class Address:
    """A store on a server."""

    conninfo: str
    """As libpq takes it, without what is ours."""
    location: str
    """As it may be shown: without a password."""
    schema: str = "recollect"
    """The PostgreSQL schema that holds the store; another one is another store."""
    read: str | None = None
    """A replica that answers what is only read."""
    connections: int = 8
    """How many of each kind, reading and writing, one process opens at most."""
    timeout_seconds: float = 30.0
    """After so long a statement is given up."""
    wait_seconds: float = 5.0
    """So long a server that does not answer is waited for."""


OURS: Mapping[str, type] = MappingProxyType(
    {"schema": str, "read": str, "connections": int, "timeout_seconds": float, "wait_seconds": float}
)


def is_address(store: str) -> bool:
    """Whether it names a server, and not a file.

    >>> is_address("postgresql://db/agents"), is_address("agent.db")
    (True, False)
    """
    return store.split("://", maxsplit=1)[0] in SCHEMES and "://" in store


def is_service(address: str) -> bool:
    """Whether an address is that of a service, rather than of a store.

    >>> is_service("https://host:8420"), is_service("team.db"), is_service("postgresql://host/team")
    (True, False, False)
    """
    return address.startswith(("http://", "https://"))


def parsed(url: str) -> Address:
    """The address; what is ours is taken out of it, the rest is for libpq.

    >>> parsed("postgresql://ada:secret@db/agents?schema=work&sslmode=require").location
    'postgresql://ada@db/agents?schema=work&sslmode=require'
    """
    parts = urlsplit(url)
    given = parse_qsl(parts.query, keep_blank_values=True)
    ours = {name: _typed(name, value) for name, value in given if name in OURS}
    theirs = [(name, value) for name, value in given if name not in OURS]
    if not ours.get("schema", "recollect"):
        raise InvalidInput("the address names an empty schema: leave schema= out, or give it a name")
    shown = [(name, value) for name, value in given if name not in {"password", "read"}]
    host = parts.netloc.rpartition("@")
    user = host[0].split(":")[0]
    netloc = f"{user}@{host[2]}" if user else host[2]
    return Address(
        urlunsplit(parts._replace(query=urlencode(theirs, quote_via=quote))),
        urlunsplit(parts._replace(netloc=netloc, query=urlencode(shown, quote_via=quote, safe="/"))),
        **ours,
    )


def _typed(name: str, value: str) -> Any:
    try:
        return OURS[name](value)
    except ValueError:
        raise InvalidInput(f"{name} in the store's address is a number, not {value!r}") from None


def check_redis(url: str) -> None:
    """Raises where an address is none of a Redis server; empty is none at all.

    >>> check_redis("redis://cache:6379/0"), check_redis("")
    (None, None)
    """
    if url and not url.startswith(REDIS):
        raise InvalidInput(
            f"redis.url is redis://, rediss:// or unix://, such as redis://cache:6379/0, not {without_password(url)!r}"
        )


def without_password(url: str) -> str:
    """An address as it may be shown.

    >>> without_password("redis://agents:secret@cache:6379/0"), without_password("redis://cache")
    ('redis://agents:…@cache:6379/0', 'redis://cache')
    """
    return re.sub(r"(://[^/@:]*):[^/@]*@", r"\1:…@", url)
