"""API keys: who may call the service, as which user, with which rights.

A key is shown once, when it is made; the store has its SHA-256 alone. Keys are records of a user of their own,
so that nobody's memory holds them.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput, NotFound
from recollect.exchange.values import iso
from recollect.language.moments import moment_from
from recollect.language.secrets import redact
from recollect.model import Record
from recollect.ports import Changes, Clock, RecordChange, Store
from recollect.shared.items import LIBRARY_USER

SERVICE_USER = "_service"
KIND = "api_key"
PREFIX = "rcl"
TOKEN = re.compile(PREFIX + "_([0-9a-f]+)_")
NO_HASH = "0" * 64


class Right(StrEnum):
    """What a key lets its holder do: look, change, or look after the store and erase for good."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Key:
    """All that is known of a key but the key itself."""

    id: str
    user: str
    name: str
    rights: tuple[Right, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    number: int
    """Told apart from every other key's; what its requests are counted by."""

    def is_good(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class Keys:
    """The keys of a store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def create(
        self,
        user: str,
        rights: Iterable[Right] = (Right.READ, Right.WRITE),
        *,
        name: str = "",
        days: float | None = None,
    ) -> tuple[Key, str]:
        """A new key for a user, and the token that is it: nobody can be shown that again."""
        if not user.strip() or user in (SERVICE_USER, LIBRARY_USER):
            raise InvalidInput(f"a key is for a user's name, not {user!r}")
        if days is not None and not 0 < days < 100_000:
            raise InvalidInput(f"a key is good for a number of days above 0, not {days}")
        key_id, now = secrets.token_hex(6), self._clock.now()
        token = f"{PREFIX}_{key_id}_{secrets.token_urlsafe(32)}"
        value = {
            "user": user,
            "name": redact(name).text,
            "rights": [str(right) for right in Right if right in tuple(rights)],
            "hash": _hash(token),
            "created_at": iso(now),
            "expires_at": None if days is None else iso(now + timedelta(days=days)),
            "revoked_at": None,
        }
        if not value["rights"]:
            raise InvalidInput(f"a key needs a right; there are: {', '.join(Right)}")
        self._keep("key created", key_id, value, expected=0)
        return self._known(key_id), token

    def all(self, user: str | None = None) -> list[Key]:
        """Every key, or those of one user, the oldest first; revoked ones too."""
        found = [_key(record) for record in self._store.records(SERVICE_USER, KIND)]
        chosen = (key for key in found if user is None or key.user == user)
        return sorted(chosen, key=lambda key: (key.created_at, key.id))

    def revoke(self, key_id: str) -> Key:
        """Makes a key useless from now on; revoking it again changes nothing."""
        known = self._known(key_id)
        if known.revoked_at is None:
            record = self._store.record(SERVICE_USER, KIND, key_id)
            value = dict(record.value) if record is not None else {}
            self._keep("key revoked", key_id, value | {"revoked_at": iso(self._clock.now())})
        return self._known(key_id)

    def find(self, token: str) -> Key | None:
        """The key that a token is, where it is good; the comparison takes the same time whatever the token."""
        record = self._store.record(SERVICE_USER, KIND, _id(token) or "-")
        stored = NO_HASH if record is None else str(record.value["hash"])
        same = hmac.compare_digest(_hash(token), stored)
        if record is None or not same:
            return None
        key = _key(record)
        return key if key.is_good(self._clock.now()) else None

    def good(self, key_id: str) -> Key | None:
        """A key by its id, where it is good: for those who have shown the key itself before."""
        record = self._store.record(SERVICE_USER, KIND, key_id)
        key = None if record is None else _key(record)
        return key if key is not None and key.is_good(self._clock.now()) else None

    def fingerprint(self, key_id: str) -> str:
        """The SHA-256 of a key, which its holder can reckon and nobody else has."""
        record = self._store.record(SERVICE_USER, KIND, key_id)
        if record is None:
            raise NotFound(f"no key {key_id}")
        return str(record.value["hash"])

    def _known(self, key_id: str) -> Key:
        record = self._store.record(SERVICE_USER, KIND, key_id) if key_id else None
        if record is None:
            raise NotFound(f"no key {key_id}; `recollect keys list` shows them")
        return _key(record)

    def _keep(
        self, operation: str, key_id: str, value: Mapping[str, Any], expected: int | None = None
    ) -> None:
        change = RecordChange(KIND, key_id, dict(value), expected)
        told = {"key": key_id, "user": value["user"], "rights": value["rights"]}
        changes = Changes(operation, self._clock.now(), records=(change,), detail=told)
        self._store.write(SERVICE_USER, changes)


def _id(token: str) -> str | None:
    found = TOKEN.match(token)
    return None if found is None else found[1]


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _key(record: Record) -> Key:
    value = record.value
    moments = {
        name: None if value[name] is None else moment_from(value[name])
        for name in ("expires_at", "revoked_at")
    }
    return Key(
        id=record.key,
        user=value["user"],
        name=value["name"],
        rights=tuple(Right(right) for right in value["rights"]),
        created_at=moment_from(value["created_at"]),
        number=record.revision,
        **moments,
    )
