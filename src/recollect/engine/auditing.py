"""The audit: who read what, and what was written, in one list by time."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final, overload

from recollect import config
from recollect.engine.core import Core
from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.language.pii import masked
from recollect.model import EPOCH, AuditEntry, AuditFilter, Memory, microseconds, moment
from recollect.recall.hits import Recall
from recollect.recall.query import Query
from recollect.settings import Settings
from recollect.write.text import LONE_SURROGATES, clean

OFF, VERBOSE = "off", "verbose"
NOTED: Final = ("reads", VERBOSE)
"""The levels at which reads are kept."""
WRITES, READS = "writes", "reads"
MOST_IDS: Final = 1_000
"""So many of what was brought back are named; how many more there were is told."""
MOST_ENTRIES: Final = 1_000
KNOWN_FOR_SECONDS: Final = 1.0
"""How long the level is trusted where the settings are not read anyway."""
_acting: ContextVar[str | None] = ContextVar("recollect_acting", default=None)


@contextmanager
def acting(name: str | None) -> Iterator[None]:
    """Whoever reads in this block is known to the audit by this name."""
    before = _acting.set(name)
    try:
        yield
    finally:
        _acting.reset(before)


@dataclass(frozen=True, slots=True)
class AuditPage(Sequence[AuditEntry]):
    """Entries of the audit, newest first, as a sequence, and where the next ones begin."""

    entries: tuple[AuditEntry, ...]
    next: str | None = None
    """To be given as `after`; None where there are no more."""

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, index: int) -> AuditEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[AuditEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> AuditEntry | tuple[AuditEntry, ...]:
        return self.entries[index]


class Auditing(Core):
    """Looking at the audit, and what goes into it."""

    def audit(
        self,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        operation: str | None = None,
        session: str | None = None,
        memory_id: str | None = None,
        only: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> AuditPage:
        """What was written, as the chain tells it, and what was read, as far as `audit.level` keeps it; newest first.

        `memory_id` asks who wrote one memory or was brought it, by its whole id, also after it was purged. `only`
        is `writes` or `reads`. The next page begins `after` the `next` of the one before.
        """
        if not 1 <= limit <= MOST_ENTRIES:
            raise InvalidInput(f"limit lies between 1 and {MOST_ENTRIES:,}, not {limit}")
        if only not in (None, WRITES, READS):
            raise InvalidInput(f"only is {WRITES} or {READS}, not {only!r}")
        where = AuditFilter(
            None if since is None else moment_from(since),
            None if until is None else moment_from(until),
            *(operation, session, memory_id),
        )
        place = _Place() if after is None else _Place.told(after)
        self.flush()
        # Switched off, it shows nothing of reads that an earlier level has kept.
        told = {WRITES, READS} if only is None else {only}
        told -= {READS} if self.refreshed().audit.level == OFF else set()
        wrote, read = list[AuditEntry](), list[AuditEntry]()
        with self.store.reading():
            if WRITES in told:
                wrote = self.store.writes(self.user, where, below=place.below, limit=limit + 1)
            if READS in told:
                read = self.store.reads(self.user, where, after=place.after, limit=limit + 1)
        return _page(wrote, read, place, limit)

    def _note(
        self,
        operation: str,
        memories: Iterable[Memory],
        *,
        channel: str | None = None,
        session: str | None = None,
        at: datetime | None = None,
        told: Callable[[], Mapping[str, Any]] | None = None,
    ) -> None:
        """Keeps that memories were read, where the level asks for it; `told` gives what `verbose` adds."""
        level = self._level()
        if level not in NOTED:
            return
        found = list(memories)
        crossed = () if channel is None else (one.id for one in found if one.channel != channel)
        detail = dict(told()) if told is not None and level == VERBOSE else {}
        if len(found) > MOST_IDS:
            detail["more"] = len(found) - MOST_IDS
        entry = AuditEntry(
            self._reads.ids.new(),
            at or self._clock.now(),
            operation,
            *(_acting.get(), session, channel),
            tuple(one.id for one in found[:MOST_IDS]),
            tuple(crossed)[:MOST_IDS],
            detail,
        )
        self._reads.add(self.user, entry)

    def _note_recall(self, query: Query, found: Recall) -> None:
        self._note(
            "recall",
            (hit.memory for hit in found),
            channel=query.channel,
            session=query.session,
            at=found.trace.at,
            told=lambda: _in_full(query, found, config.switched(self.settings)),
        )

    def _storable(self, read: AuditEntry) -> AuditEntry:
        """A read as it may be kept: without secrets, and without personal data where that may not be stored."""
        detail = dict(read.detail)
        if "question" in detail:
            question = clean(detail["question"]).text
            stored = self.settings.privacy.personal_data == "store"
            detail["question"] = question if stored else masked(question)
        return replace(
            read,
            actor=_whole(read.actor),
            session=_whole(read.session),
            channel=_whole(read.channel),
            detail=json.loads(LONE_SURROGATES.sub("\ufffd", json.dumps(detail, ensure_ascii=False))),
        )

    def _forget_reads(self) -> int:
        """The worker's job: removes what was read longer ago than it is to be kept; gives how many entries went."""
        now = self._clock.now()
        self._reads.flush()
        before = _kept_from(self.refreshed(), now)
        return self.store.forget_reads(self.user, before, now, lambda: self._everyone_keeps_from(now))

    def _everyone_keeps_from(self, now: datetime) -> datetime | None:
        """From when on somebody still keeps what was read; None for always."""
        told = [{}, *self.store.everyones_settings().values()]
        found = [_kept_from(config.assembled(one, {}), now) for one in told]
        moments = [one for one in found if one is not None]
        return min(moments) if len(moments) == len(found) else None

    def _level(self) -> str:
        if time.monotonic() - self._refreshed_at > KNOWN_FOR_SECONDS:
            self.refreshed()
        return self.settings.audit.level


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page ended: in the chain, and among the reads."""

    below: int | None = None
    after: tuple[datetime, str] | None = None

    @classmethod
    def told(cls, text: str) -> "_Place":
        try:
            below, at, read_id = text.split("-", 2)
            return cls(int(below) if below else None, (moment(int(at)), read_id) if at else None)
        except (ValueError, OverflowError):
            raise InvalidInput(f"after is the `next` of the page before, not {text!r}") from None

    def __str__(self) -> str:
        at, read_id = self.after or (None, "")
        below = "" if self.below is None else self.below
        return f"{below}-{'' if at is None else microseconds(at)}-{read_id}"


def _page(wrote: list[AuditEntry], read: list[AuditEntry], place: _Place, limit: int) -> AuditPage:
    """The newest of both; where the clock once fell back, each keeps the order that it has by itself."""
    writes, reads, chosen = iter(wrote), iter(read), list[AuditEntry]()
    write, one = next(writes, None), next(reads, None)
    while len(chosen) < limit and (write is not None or one is not None):
        if one is None or (write is not None and write.at > one.at):
            assert write is not None  # noqa: S101 - for mypy: one of the two is there
            chosen.append(write)
            place, write = replace(place, below=write.sequence), next(writes, None)
        else:
            chosen.append(one)
            place, one = replace(place, after=(one.at, one.id)), next(reads, None)
    more = write is not None or one is not None
    return AuditPage(tuple(chosen), str(place) if more else None)


def _in_full(query: Query, found: Recall, switched: frozenset[str]) -> dict[str, Any]:
    """All that is needed to ask the same again: `recall(question, **query, as_of=at)` under these settings."""
    asked = {
        field.name: _plain(getattr(query, field.name))
        for field in fields(Query)
        if field.name in ("k", "channel") or getattr(query, field.name) != field.default
    }
    del asked["text"]
    given = sorted(set(query.ablate) ^ switched)
    trace = found.trace
    return {
        "question": query.text,
        "query": {name: value for name, value in asked.items() if name != "ablate"}
        | ({"ablate": given} if given else {}),
        "scores": {hit.id: round(hit.score, 6) for hit in found},
        "stages": {step.stage: round(step.elapsed_ms, 3) for step in trace.steps},
        "ms": round(trace.elapsed_ms, 3),
        "settings": {name: _plain(value) for name, value in trace.settings.items()},
    }


def _plain(value: Any) -> Any:
    """As JSON has it, and as a query takes it."""
    match value:
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(name): _plain(one) for name, one in value.items()}
        case tuple() | list() | set() | frozenset():
            return [_plain(one) for one in value]
        case str():
            return str(value)
    return value


def _whole(name: str | None) -> str | None:
    return None if name is None else LONE_SURROGATES.sub("\ufffd", name)


def _kept_from(settings: Settings, now: datetime) -> datetime | None:
    """The moment before which nothing is kept of what was read; None where all is."""
    days = settings.audit.retention_days
    return None if not days else max(now - timedelta(days=days), EPOCH)
