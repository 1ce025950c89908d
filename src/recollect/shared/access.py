"""Who may read what was published: each item lies in the channel of its audience, and a reader looks into theirs."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from recollect.errors import InvalidInput

PUBLIC, ORGANISATION, USERS, TIER = "public", "organisation", "users", "tier"
LEVELS: Final = (PUBLIC, ORGANISATION, USERS, TIER)
EXPECTED: Final = "public, organisation:NAME, users:NAME,NAME or tier:NAME"


@dataclass(frozen=True, slots=True)
class Access:
    """An access policy: everybody, an organisation, some users, or those with a tier's label."""

    level: str = PUBLIC
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.level if not self.names else f"{self.level}:{','.join(self.names)}"

    @property
    def channel(self) -> str:
        """The channel of its audience; that of named users does not say who they are.

        >>> access_from("organisation:acme").channel
        'organisation:acme'
        >>> access_from("users:ben,eve").channel == access_from("users:eve, ben").channel
        True
        """
        return f"{USERS}:{mark(*self.names)}" if self.level == USERS else str(self)

    def as_told(self) -> "Access":
        """As a reader may know it: not who else may read."""
        return ANY_USERS if self.level == USERS else self


FOR_ALL: Final = Access()
ANY_USERS: Final = Access(USERS)


def access_from(said: str) -> Access:
    """A policy from words.

    >>> access_from("users: eve, ben")
    Access(level='users', names=('ben', 'eve'))
    """
    level, _, rest = said.partition(":") if isinstance(said, str) else ("", "", "")
    names = tuple(sorted({name.strip() for name in rest.split(",") if name.strip()}))
    level = level.strip()
    wanted = {PUBLIC: not names, ORGANISATION: len(names) == 1, TIER: len(names) == 1, USERS: bool(names)}
    if not wanted.get(level, False):
        raise InvalidInput(f"access is {EXPECTED}, not {said!r}")
    return Access(level, names)


@dataclass(frozen=True, slots=True)
class Member:
    """What somebody belongs to, as whoever runs the library says."""

    organisations: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels of the audiences that this makes one a part of."""
        groups = ((ORGANISATION, self.organisations), (TIER, self.tiers))
        return (PUBLIC, *(f"{level}:{name}" for level, names in groups for name in names))


def member_from(value: Mapping[str, Any] | None) -> Member:
    """A member as its record keeps it; nobody has said anything about most."""
    told = value or {}
    return Member(_names(told.get("organisations", ())), _names(told.get("tiers", ())))


def _names(given: Iterable[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(str(one).strip() for one in given))
    if not all(names) or any("," in name for name in names):
        raise InvalidInput("the name of an organisation or a tier is a word without commas, not empty")
    return names


def mark(*names: str) -> str:
    """A key for names, whatever letters they have."""
    told = "\0".join(sorted(names)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(told, digest_size=12).hexdigest()
