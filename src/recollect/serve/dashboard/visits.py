"""One request to the dashboard: whose memory it is about, what was asked, and what the visitor may do there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import NO_MAPPING
from recollect.serve.http.speeds import Speed
from recollect.serve.keys import Right

MOST_FIELDS = 1_000


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address and a form say; an empty field is as one that is not there."""

    named: Mapping[str, str] = field(default_factory=lambda: NO_MAPPING)
    """The parts of the path."""
    given: Mapping[str, Sequence[str]] = field(default_factory=lambda: NO_MAPPING)

    def text(self, name: str) -> str | None:
        """What was written; None where it is blank."""
        return next((value.strip() for value in self.given.get(name, ()) if value.strip()), None)

    def whole(self, name: str) -> str:
        """What was written, with its spaces."""
        return next(iter(self.given.get(name, ())), "")

    def words(self, name: str) -> tuple[str, ...]:
        """What was written between commas."""
        said = (word.strip() for value in self.given.get(name, ()) for word in value.split(","))
        return tuple(word for word in said if word)

    def checked(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self.text(name) is not None

    def chosen(self, name: str, among: Sequence[str], default: str) -> str:
        """One of a few; another is an error."""
        value = self.text(name) or default
        if value not in among:
            raise InvalidInput(f"{name} is one of {', '.join(among)}, not {value!r}")
        return value

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within limits."""
        value = self.text(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdecimal() or not low <= int(value[:9]) <= high:
            raise InvalidInput(f"{name} is a number from {low} to {high}, not {value!r}")
        return int(value)

    def moment(self, name: str) -> datetime | None:
        """A moment, as a browser or ISO 8601 writes it."""
        value = self.text(name)
        return None if value is None else moment_from(value)


def fields_of(encoded: str) -> dict[str, list[str]]:
    """The fields of an address or of a form.

    >>> fields_of("q=green+tea&k=")
    {'q': ['green tea'], 'k': ['']}
    """
    try:
        return parse_qs(encoded, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise InvalidInput(f"a form here has at most {MOST_FIELDS:,} fields") from None


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page is made from."""

    memory: Recollect
    asked: Asked
    rights: frozenset[Right]
    speeds: Callable[[], Mapping[str, Speed]]
    """How fast the service answers, by route."""


Shown = Mapping[str, Any]
"""What a template draws."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an action, and the page to go to."""

    told: str
    to: str


@dataclass(frozen=True, slots=True)
class Page:
    """An address that shows something."""

    name: str
    path: str
    title: str
    show: Callable[[Visit], Shown]
    key: str = ""
    """The letter that leads to it after `g`; a page without one is not in the menu."""
    right: Right = Right.READ
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """A form that changes something."""

    name: str
    path: str
    do: Callable[[Visit], Done]
    right: Right = Right.WRITE
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Feed:
    """An address that a page fetches data from."""

    name: str
    path: str
    give: Callable[[Visit], Any]
    right: Right = Right.READ
