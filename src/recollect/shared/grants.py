"""Channels that one user shares with others: by grant, with a role, until it is revoked.

The owner's record decides, and alone does. What the other has is a pointer to it, which is looked up again whenever
it is followed: a grant that is revoked is gone with the owner's record, whatever becomes of the pointer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from urllib.parse import quote, unquote

from recollect.errors import InvalidInput, NotFound, Refused
from recollect.model import GLOBAL_CHANNEL, Record
from recollect.ports import Changes, RecordChange, Store

GRANT: Final = "grant"
POINTER: Final = "granted"


class Role(StrEnum):
    """What a grant lets one do in a channel: read it, also write into it, also grant and revoke."""

    READER = "reader"
    WRITER = "writer"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Grant:
    """Who may do what in whose channel."""

    owner: str
    channel: str
    user: str
    role: Role
    granted_by: str
    granted_at: datetime

    @property
    def may_write(self) -> bool:
        return self.role in (Role.WRITER, Role.OWNER)


class Grants:
    """The grants of one store."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store, self._now = store, now

    def give(self, by: str, user: str, channel: str, role: Role | str, owner: str | None = None) -> Grant:
        """Lets somebody into a channel, or changes what they may do there; written in both chains."""
        whose = by if owner is None else owner
        self._check_owner(by, whose, channel)
        if role not in tuple(Role):
            raise InvalidInput(f"a role is {', '.join(Role)}, not {role!r}")
        if channel == GLOBAL_CHANNEL or not channel.strip():
            raise InvalidInput(f"{GLOBAL_CHANNEL} is a user's own: share a project's channel")
        if not user.strip() or user.startswith("_") or user == whose:
            raise InvalidInput(f"a channel is shared with another user, not with {user!r}")
        value = {"role": str(role), "by": by}
        told = {"channel": channel, "role": str(role)}
        # The pointer comes first: without the grant it leads nowhere.
        self._write(
            user, "granted", RecordChange(POINTER, _key(whose, channel), True), {**told, "owner": whose}
        )
        self._write(
            whose, "grant", RecordChange(GRANT, _key(channel, user), value), {**told, "user": user, "by": by}
        )
        return self._known(whose, channel, user)

    def revoke(self, by: str, user: str, channel: str, owner: str | None = None) -> Grant:
        """Takes a grant away; whoever had it may give it back themselves."""
        whose = by if owner is None else owner
        if by != user:
            self._check_owner(by, whose, channel)
        gone = self._known(whose, channel, user)
        told = {"channel": channel, "user": user, "by": by}
        self._write(whose, "revoke", RecordChange(GRANT, _key(channel, user), None), told)
        self._write(
            user,
            "revoked",
            RecordChange(POINTER, _key(whose, channel), None),
            {"channel": channel, "owner": whose},
        )
        return gone

    def given(self, owner: str) -> list[Grant]:
        """What somebody has granted, by channel and user."""
        return [_grant(owner, record) for record in self._store.records(owner, GRANT)]

    def received(self, user: str, channel: str | None = None) -> list[Grant]:
        """What was granted to somebody and holds now; of one channel's name, or of all."""
        pointers = [_names(one.key) for one in self._store.records(user, POINTER)]
        asked = [(owner, name) for owner, name in pointers if channel is None or name == channel]
        found = (self.held(owner, name, user) for owner, name in asked)
        return [one for one in found if one is not None]

    def held(self, owner: str, channel: str, user: str) -> Grant | None:
        """What somebody may do in a channel of another; None where nothing."""
        record = self._store.record(owner, GRANT, _key(channel, user))
        return None if record is None else _grant(owner, record)

    def _known(self, owner: str, channel: str, user: str) -> Grant:
        found = self.held(owner, channel, user)
        if found is None:
            raise not_shared(owner, channel)
        return found

    def _check_owner(self, by: str, owner: str, channel: str) -> None:
        if by == owner:
            return
        found = self._known(owner, channel, by)
        if found.role is not Role.OWNER:
            raise Refused(f"you are a {found.role} of {channel}: only its owners grant and revoke")

    def _write(self, user: str, operation: str, change: RecordChange, detail: dict[str, str]) -> None:
        self._store.write(user, Changes(operation, self._now(), records=(change,), detail=detail))


def not_shared(owner: str, channel: str) -> NotFound:
    """Told whether the channel is there or not."""
    return NotFound(f"no channel {channel} of {owner} is shared with you")


def _key(*names: str) -> str:
    return "/".join(quote(name, safe="", errors="surrogatepass") for name in names)


def _names(key: str) -> tuple[str, str]:
    first, _, second = key.partition("/")
    return unquote(first, errors="surrogatepass"), unquote(second, errors="surrogatepass")


def _grant(owner: str, record: Record) -> Grant:
    channel, user = _names(record.key)
    value = record.value
    return Grant(owner, channel, user, Role(value["role"]), value["by"], record.updated_at)
