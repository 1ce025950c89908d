"""Events of agents as they emit them, and which of them are taken in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import NO_MAPPING, Origin
from recollect.write.event_table import Row, row_for, told
from recollect.write.messages import TIME_KEYS, Message
from recollect.write.metadata import check_depth, plain, plain_metadata
from recollect.write.policy import EventParams
from recollect.write.writer import NO_ORIGIN

ABOUT: Final = "event"
"""Where the metadata keeps what the text does not say: the event's id, its part in an episode, its other data."""
TYPE_KEYS: Final = ("type", "event_type", "event")
SESSION_KEYS: Final = ("session", "session_id", "conversation_id", "thread_id")
RUN_KEYS: Final = ("run", "run_id")
ACTOR_KEYS: Final = ("actor", "actor_id")
SPEAKER_KEYS: Final = ("speaker", "author")
ID_KEYS: Final = ("id", "event_id")
DATA_KEYS: Final = ("data", "payload")
LONGEST_TYPE: Final = 200


@dataclass(frozen=True, slots=True)
class Event:
    """Something that an agent did or met: its type, what it says, and where it comes from."""

    type: str
    row: Row
    text: str
    at: datetime | None = None
    """When it happened; without it nobody can tell that the same event comes again."""
    id: str | None = None
    origin: Origin = NO_ORIGIN
    speaker: str | None = None
    rest: Mapping[str, Any] = field(default_factory=lambda: NO_MAPPING, hash=False)

    def message(self, log_only: str | None = None) -> Message:
        """The event as it is observed."""
        about = {"id": self.id, "part": self.row.part, "data": dict(self.rest)}
        if not self.row.forms:
            log_only = f"events of the type {self.type} stay in the log"
        return Message(
            self.text,
            self.row.role,
            self.speaker,
            self.at,
            plain_metadata({ABOUT: {name: value for name, value in about.items() if value}}),
            "event",
            self.origin,
            log_only,
        )


def event_from(value: Any, common: Origin) -> Event:
    """An event from a mapping with a `type`; what it does not say about its origin is as for all of them."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"an event is a mapping with a 'type', not {type(value).__name__}")
    given = _flattened(value)
    check_depth({ABOUT: {"data": given}}, "an event")
    event_type = _taken(given, TYPE_KEYS)
    if not event_type or len(event_type) > LONGEST_TYPE:
        raise InvalidInput(
            f"an event needs a 'type' of at most {LONGEST_TYPE} characters, such as run.completed;"
            f" this one has: {', '.join(map(str, value)) or 'nothing'}"
        )
    session, run = _taken(given, SESSION_KEYS), _taken(given, RUN_KEYS)
    actor, speaker = _taken(given, ACTOR_KEYS), _taken(given, SPEAKER_KEYS)
    event_id, at = _taken(given, ID_KEYS), _moment(given)
    row = row_for(event_type)
    said = told(row, given)
    origin = Origin(session or common.session, run or common.run, actor or common.actor, event_type.strip())
    # Agents are told apart by who acts; people by their names.
    speaks = speaker or (origin.actor if row.role == "assistant" else None)
    return Event(
        event_type.strip(), row, said.text, at, event_id, origin, speaks, plain(said.rest, "an event's data")
    )


def refusal(event: Event, params: EventParams) -> str | None:
    """Why an event is not taken in at all, or None where it is."""
    return next((reason for gate in GATES if (reason := gate(event, params)) is not None), None)


def _paused(_: Event, params: EventParams) -> str | None:
    return None if params.enabled else "events are paused (events.enabled)"


def _unlisted(event: Event, params: EventParams) -> str | None:
    listed = params.types.replace(",", " ").split()
    if not listed or any(fnmatchcase(event.type, pattern) for pattern in listed):
        return None
    return f"events of the type {event.type} are not listed (events.types)"


def _wordless(event: Event, _: EventParams) -> str | None:
    return None if event.text.strip() else f"it says nothing: {event.row.name} is told by {_asked(event.row)}"


def _short(event: Event, params: EventParams) -> str | None:
    length = len(event.text.strip())
    if length >= params.min_characters:
        return None
    return f"{length} characters are too few; it takes {params.min_characters} (events.min_characters)"


GATES: Final[tuple[Callable[[Event, EventParams], str | None], ...]] = (_paused, _unlisted, _wordless, _short)


def _asked(row: Row) -> str:
    return ", ".join(line[line.index("{") + 1 : line.index("}")] for line in row.lines)


def _flattened(value: Mapping[str, Any]) -> dict[str, Any]:
    """What the event says, whether beside its type or in its data."""
    inner: Mapping[str, Any] = next(
        (value[key] for key in DATA_KEYS if isinstance(value.get(key), Mapping)), NO_MAPPING
    )
    outer = {str(name): one for name, one in value.items() if one is not inner}
    return {**{str(name): one for name, one in inner.items()}, **outer}


def _taken(given: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of these that is there, as a word, taken out; the others are data like the rest."""
    for key in keys:
        if isinstance(given.get(key), str | int) and str(given[key]).strip():
            return str(given.pop(key))
    return None


def _moment(given: dict[str, Any]) -> datetime | None:
    for key in TIME_KEYS:
        if given.get(key) is not None:
            return moment_from(given.pop(key))
    return None
