"""When a conversation is over: memories are formed from those of its turns that nobody has read yet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from recollect.errors import Conflict
from recollect.model import Filter, Lane, Memory, Record
from recollect.ports import RecordChange, Store
from recollect.write.observer import Observer
from recollect.write.result import Remembered
from recollect.write.turns import READ, Scene
from recollect.write.writer import ATTEMPTS

RECORD: Final = "session"
"""The kind of the records that say up to which turn a session was read."""
BATCH: Final = 64
BEFORE: Final = 6
"""So many turns before those that are read tell who is spoken to."""
PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Unread:
    """A session with turns that no memories were formed from yet."""

    session: str
    channel: str
    turns: int
    last_at: datetime
    """When its last turn was recorded."""


def end(store: Store, observer: Observer, scene: Scene, *, dry_run: bool = False) -> list[Remembered]:
    """Reads the rest of a session, a batch a transaction; whatever stops it, the next call goes on from there."""
    user, channel, session = scene.place.user, scene.place.channel, str(scene.origin.session)
    where = Filter(channels=(channel,), lanes=(Lane.LOG,), session=session)
    turns = store.find(user, where)
    results: list[Remembered] = []
    refused = 0
    start = _read_to(turns, store.record(user, RECORD, _key(channel, session)))
    while start < len(turns):
        batch = turns[start : start + BATCH]
        known = store.record(user, RECORD, _key(channel, session))
        revision = 0 if known is None else known.revision
        put_down = RecordChange(RECORD, _key(channel, session), {"read_to": batch[-1].id}, revision)
        if not dry_run and (reached := _read_to(turns, known)) > start:
            start = reached  # somebody else ends it as well
            continue
        try:
            results += observer.learn(
                scene, batch, turns[max(start - BEFORE, 0) : start], put_down, dry_run=dry_run
            )
        except Conflict:
            refused += 1
            if refused == ATTEMPTS:
                raise
            continue
        start += len(batch)
    return results


def unread(store: Store, user: str, channel: str | None = None) -> list[Unread]:
    """The sessions with something that was not read yet, the one that was quiet for longest first."""
    records = {record.key: record.value["read_to"] for record in store.records(user, RECORD)}
    where = Filter(lanes=(Lane.LOG,), channels=None if channel is None else (channel,), any_session=True)
    found: dict[tuple[str, str], Unread] = {}
    after: str | None = None
    while page := store.find(user, where, limit=PAGE, after=after):
        after = page[-1].id
        for turn in page:
            session = turn.origin.session
            if session is None or turn.metadata.get(READ):
                continue
            if turn.id <= records.get(_key(turn.channel, session), ""):
                continue
            place = (turn.channel, session)
            before = found.get(place, Unread(session, turn.channel, 0, turn.recorded_at))
            found[place] = replace(before, turns=before.turns + 1, last_at=turn.recorded_at)
    return sorted(found.values(), key=lambda one: (one.last_at, one.channel, one.session))


def _read_to(turns: Sequence[Memory], known: Record | None) -> int:
    """How many of the turns were read: those up to the recorded one, and those that were read as they came."""
    last = "" if known is None else str(known.value["read_to"])
    read = next((place for place, turn in enumerate(turns) if turn.id > last), len(turns))
    return next(
        (read + place for place, turn in enumerate(turns[read:]) if not turn.metadata.get(READ)), len(turns)
    )


def _key(channel: str, session: str) -> str:
    # A channel may hold any character; its length tells where it ends.
    return f"{len(channel)}:{channel}:{session}"
