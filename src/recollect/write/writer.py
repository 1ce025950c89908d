"""The verbs that change what is known. Each is one transaction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect import given
from recollect.errors import Conflict, InvalidInput, NotFound, Refused
from recollect.language.searched import searched_terms
from recollect.language.spoken import spoken
from recollect.model import GLOBAL_CHANNEL, NO_MAPPING, Action, Edge, Lane, Memory, Origin, Scope, State
from recollect.ports import Change, Changes, Clock, Embedder, NewText, Progress, RecordChange, Store, Written
from recollect.relations import ENGINE, EdgeType, edge_type
from recollect.write.edition import Edition
from recollect.write.encoding import encoded
from recollect.write.ids import Ids
from recollect.write.messages import Message
from recollect.write.result import Remembered, remembered
from recollect.write.text import address, clean, named, word

NO_ORIGIN = Origin()
ATTEMPTS = 8
"""How often a change is tried again when another process changed the same memory in between."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written: whose, and in which channel."""

    user: str
    channel: str = GLOBAL_CHANNEL


class Writer:
    """Forms versions from what it is told and hands them to the store."""

    def __init__(self, store: Store, embedder: Embedder, clock: Clock) -> None:
        self.store, self.clock, self._embedder = store, clock, embedder
        self.ids = Ids(clock)

    def remember(
        self, place: Place, draft: Memory, *, supersedes: str | None = None, once: bool = True
    ) -> Remembered:
        """Keeps one memory; the same text again reinforces the one that is there, unless it may be there twice."""
        cleaned = clean(draft.text)
        if cleaned.text != draft.text or supersedes is not None:
            draft = replace(draft, text=cleaned.text, supersedes=supersedes)
        new = self.searchable([draft])[0]
        for _ in range(ATTEMPTS):
            now = self.clock.now()
            memory = replace(draft, id=self.ids.new(), recorded_at=now)
            old = None if supersedes is None else self._replaceable(place.user, supersedes)
            changes: tuple[Change, ...] = (Change(memory, new, once=once and old is None),)
            edges: tuple[Edge, ...] = tuple(
                Edge(memory.id, source, "derived_from") for source in draft.origin.sources
            )
            if old is not None:
                changes += (Change(replaced(old, memory, now)),)
                edges += (Edge(memory.id, old.id, "supersedes"),)
            try:
                written = self.write(place, "remember" if old is None else "supersede", now, changes, edges)
            except Conflict:
                continue
            return remembered(written[0], cleaned, supersedes)
        raise Conflict(f"{supersedes} keeps being changed by others; try again")

    def remember_many(
        self, place: Place, drafts: Sequence[Memory], progress: Progress | None, *, once: bool = True
    ) -> list[Remembered]:
        """Keeps many memories in one transaction: all of them or none."""
        cleaned = [clean(draft.text) for draft in drafts]
        now = self.clock.now()
        memories = [
            replace(draft, id=self.ids.new(), text=found.text, recorded_at=now)
            for draft, found in zip(drafts, cleaned, strict=True)
        ]
        texts = self.searchable(memories, progress)
        changes = [Change(memory, new, once=once) for memory, new in zip(memories, texts, strict=True)]
        written = self.write(place, "remember", now, changes) if changes else []
        return [remembered(one, found) for one, found in zip(written, cleaned, strict=True)]

    def edit(self, place: Place, memory_id: str, edition: Edition) -> Remembered:
        """Puts what is new in place of the old, which stays in the history."""
        known = self._known(place.user, memory_id)
        cleaned = clean(known.text if edition.text is None else edition.text)
        edition = replace(edition, text=None if edition.text is None else cleaned.text)
        told = edition.rewritten(known)
        new = None if told == known else self.searchable([told])[0]
        changed = self._revise(place, "edit", memory_id, lambda m: edition.applied(m, known), new)
        return replace(
            remembered(changed, cleaned),
            action=Action.UPDATE if changed.refusal is None else Action.SKIP,
        )

    def tag(self, place: Place, memory_id: str, add: Iterable[str], remove: Iterable[str]) -> None:
        """Adds and removes labels."""
        added, removed = _without_secrets(add), set(_tags(remove))
        self._revise(
            place,
            "tag",
            memory_id,
            lambda m: replace(m, tags=tuple(dict.fromkeys(t for t in (*m.tags, *added) if t not in removed))),
        )

    def pin(self, place: Place, memory_id: str, *, pinned: bool, immutable: bool | None) -> None:
        """Protects a memory from forgetting (pinned) and from any change (immutable), or lifts that."""
        self._revise(
            place,
            "pin",
            memory_id,
            lambda m: replace(m, pinned=pinned, immutable=m.immutable if immutable is None else immutable),
            anchored=True,
        )

    def forget(self, place: Place, memory_id: str) -> None:
        """Makes a memory dormant."""
        self._revise(place, "forget", memory_id, dormant)

    def forget_many(self, place: Place, memory_ids: Sequence[str], *, unpin: bool) -> None:
        """Makes memories dormant in one transaction: all of them or none."""
        for _ in range(ATTEMPTS):
            found = [self._changeable(place.user, one, "forgotten") for one in dict.fromkeys(memory_ids)]
            for memory in found if not unpin else ():
                dormant(memory)
            now = self.clock.now()
            changes = [
                Change(following(dormant(replace(memory, pinned=False)), now))
                for memory in found
                if memory.state is State.ACTIVE
            ]
            try:
                if changes:
                    self.write(place, "forget", now, changes)
            except Conflict:
                continue
            return
        raise Conflict("what is to be forgotten keeps being changed by others; try again")

    def restore(self, place: Place, memory_id: str) -> None:
        """Brings a dormant memory back."""
        self._revise(place, "restore", memory_id, lambda m: replace(m, state=State.ACTIVE), anchored=True)

    def quarantine(self, place: Place, memory_id: str, held: Callable[[Memory], Memory]) -> None:
        """Puts a turn into quarantine that was kept before anybody could tell what it means."""
        self._revise(place, "quarantine", memory_id, held, anchored=True)

    def release(self, place: Place, memory_id: str, released: Callable[[Memory], Memory]) -> None:
        """Takes a turn out of quarantine."""
        self._revise(place, "release", memory_id, released, anchored=True)

    def link(self, place: Place, edge: Edge, *, by_engine: bool = False) -> None:
        """Relates two memories."""
        kind = edge_type(edge.type, by=ENGINE if by_engine else "anyone")
        if edge.source == edge.target:
            raise InvalidInput("a memory cannot be linked to itself")
        weight = given.sound(edge.weight)
        if weight is None or not 0.0 < weight <= 1.0:
            raise InvalidInput(f"an edge's weight lies above 0 and up to 1, not {edge.weight!r}")
        edge = _in_one_form(replace(edge, weight=weight), kind)
        for end in (edge.source, edge.target):
            self._known(place.user, end)
        self.write(place, "link", self.clock.now(), (), (edge,))

    def unlink(self, place: Place, edge: Edge) -> Edge:
        """Takes an edge away that anybody may make, and gives it as it was."""
        edge = _in_one_form(edge, edge_type(edge.type))
        found = self.store.edges(place.user, [edge.source], [edge.type], ends=("source",))
        known = next((one for one in found if one.target == edge.target), None)
        if known is None:
            raise NotFound(
                f"no {edge.type} edge from {edge.source} to {edge.target}; `show` lists those of a memory"
            )
        self.store.write(place.user, Changes("unlink", self.clock.now(), unlinked=(known,)))
        return known

    @property
    def embedder_name(self) -> str:
        """Whose vectors are written."""
        return self._embedder.name

    def searchable(self, memories: Sequence[Memory], progress: Progress | None = None) -> list[NewText]:
        """What is searched of each: its terms, its vector and its words'."""
        texts = [spoken(memory.text, memory.origin.speaker) for memory in memories]
        found = zip(memories, encoded(self._embedder, texts, progress), strict=True)
        return [NewText(terms_of(memory), *vectors) for memory, vectors in found]

    def _revise(
        self,
        place: Place,
        operation: str,
        memory_id: str,
        change: Callable[[Memory], Memory],
        new: NewText | None = None,
        *,
        anchored: bool = False,
    ) -> Written:
        """Writes the next version of a memory, from its newest; `anchored` changes are open to immutable ones too."""
        for _ in range(ATTEMPTS):
            old = (
                self._known(place.user, memory_id)
                if anchored
                else self._changeable(place.user, memory_id, "changed")
            )
            revised = change(old)
            if revised == old:
                return Written(old.id)
            now = self.clock.now()
            try:
                return self.write(place, operation, now, (Change(following(revised, now), new),))[0]
            except Conflict:
                continue
        raise Conflict(f"{memory_id} keeps being changed by others; try again")

    def _known(self, user: str, memory_id: str) -> Memory:
        memory = self.store.get(user, memory_id)
        if memory is None:
            raise NotFound(f"no memory {memory_id}")
        return memory

    def _changeable(self, user: str, memory_id: str, how: str) -> Memory:
        memory = self._known(user, memory_id)
        if memory.immutable:
            raise Refused(f"{memory_id} is immutable and cannot be {how}")
        return memory

    def _replaceable(self, user: str, memory_id: str) -> Memory:
        """What may be superseded: one that was replaced already has a memory in its place, which is the one to replace."""
        memory = self._changeable(user, memory_id, "superseded")
        newer = None if memory.superseded_by is None else self.store.get(user, memory.superseded_by)
        if newer is not None and newer.state is State.ACTIVE:
            raise Conflict(f"{memory_id} was replaced by {newer.id} already: supersede that one")
        return memory

    def write(
        self,
        place: Place,
        operation: str,
        at: datetime,
        changes: Sequence[Change],
        edges: Sequence[Edge] = (),
        detail: Mapping[str, Any] = NO_MAPPING,
        records: tuple[RecordChange, ...] = (),
    ) -> list[Written]:
        """One transaction, with the embedder's name where vectors are written."""
        model = self._embedder.name if any(c.new is not None for c in changes) else None
        written = Changes(
            operation, at, tuple(changes), tuple(edges), records=records, detail=detail, model=model
        )
        return self.store.write(place.user, written)


def _in_one_form(edge: Edge, kind: EdgeType) -> Edge:
    """Both ways of saying an undirected edge are the same edge."""
    if kind.directed or edge.source <= edge.target:
        return edge
    return replace(edge, source=edge.target, target=edge.source)


def draft(
    text: str,
    place: Place,
    at: datetime,
    *,
    kind: str = "note",
    tags: Iterable[str] = (),
    scope: Scope | str | None = None,
    valid_from: datetime | None = None,
    valid_until: datetime | None = None,
    pinned: bool = False,
    immutable: bool = False,
    confidence: float = 1.0,
    importance: float = 0.5,
    origin: Origin = NO_ORIGIN,
    metadata: Mapping[str, Any] = NO_MAPPING,
) -> Memory:
    """A memory still without its id, with what follows from where it is written."""
    start = valid_from or at
    if valid_until is not None and valid_until <= start:
        raise InvalidInput(
            f"it would stop being true ({valid_until:%Y-%m-%d %H:%M}) before it begins ({start:%Y-%m-%d %H:%M})"
        )
    if not isinstance(kind, str) or not kind.strip():
        raise InvalidInput("a memory's kind is a word, not empty")
    address("channel", place.channel)
    reach = _reach(scope, place)
    if reach is Scope.SESSION and origin.session is None:
        raise InvalidInput("a session-scoped memory needs to know its session")
    return Memory(
        "",
        text,
        at,
        start,
        valid_until,
        kind=word(kind),
        channel=place.channel,
        scope=reach,
        tags=_without_secrets(tags),
        pinned=bool(pinned),
        immutable=bool(immutable),
        confidence=_part("confidence", confidence),
        importance=_part("importance", importance),
        origin=named(origin),
        metadata=metadata,
    )


def _reach(scope: Scope | str | None, place: Place) -> Scope:
    if scope is None:
        return Scope.GLOBAL if place.channel == GLOBAL_CHANNEL else Scope.PROJECT
    if scope not in tuple(Scope):
        raise InvalidInput(f"no scope {scope!r}; there are: {', '.join(Scope)}")
    return Scope(scope)


def _part(name: str, value: float) -> float:
    if not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise InvalidInput(f"{name} lies between 0 and 1, not {value!r}")
    return float(value)


def following(memory: Memory, at: datetime) -> Memory:
    """The next version of a memory."""
    return replace(memory, version=memory.version + 1, recorded_at=at, retired_at=None)


def replaced(old: Memory, new: Memory, at: datetime) -> Memory:
    """The next version of what something took the place of: it held until that begins.

    What was to begin later never will, and ends at once.
    """
    until = new.valid_from if new.valid_from > old.valid_from else min(old.valid_from, at)
    return following(replace(old, valid_until=until, superseded_by=new.id), at)


def dormant(memory: Memory) -> Memory:
    """The memory, forgotten."""
    if memory.pinned:
        raise Refused(f"{memory.id} is pinned: unpin it first (`recollect pin {memory.id} --off`)")
    return replace(memory, state=State.DORMANT)


def _tags(names: Iterable[str]) -> tuple[str, ...]:
    given = (names,) if isinstance(names, str) else tuple(names or ())
    if not all(isinstance(name, str) and name.strip().lstrip("#") for name in given):
        raise InvalidInput("a tag is a word, not empty")
    return tuple(dict.fromkeys(name.strip().lstrip("#") for name in given))


def _without_secrets(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word(name) for name in _tags(names)))


def turn_of(turn_id: str, message: Message, text: str, place: Place, origin: Origin, now: datetime) -> Memory:
    """A message as it is kept in the log lane."""
    origin = message.origin or origin
    address("channel", place.channel)
    return Memory(
        turn_id,
        text,
        now,
        message.at or now,
        lane=Lane.LOG,
        kind=word(message.kind),
        channel=place.channel,
        scope=_reach(None, place),
        origin=named(
            replace(
                origin,
                role=message.role,
                speaker=message.speaker,
                event_type=origin.event_type or f"chat.{message.role}_msg",
                write_source="observer",
                data_source=f"{message.role}_message" if message.role in ("user", "assistant") else "system",
            )
        ),
        metadata=message.metadata,
    )


def terms_of(memory: Memory) -> bytes:
    """The terms by which a memory is found."""
    text = spoken(memory.text, memory.origin.speaker)
    return searched_terms(text, memory.valid_from, _title(memory)).tobytes()


def _title(memory: Memory) -> str | None:
    title = memory.metadata.get("title")
    return title if isinstance(title, str) else None
