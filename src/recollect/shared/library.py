"""The library: published items, as memories of a user of its own in a store, with a record for each.

Whoever looks is named in every call, and sees what they may read and nothing else: an item that is not there and
one that they may not read are told in the same words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from recollect.errors import InvalidInput, NotFound, Refused
from recollect.model import Memory, Origin, Record, Scope, State
from recollect.ports import Change, Changes, NewText, RecordChange, Store
from recollect.shared.access import ORGANISATION, USERS, Access, Member, access_from, mark, member_from
from recollect.shared.items import (
    LIBRARY_USER,
    Item,
    Offer,
    Quality,
    item_from,
    known_quality,
    snapshots,
    told_of,
    version_of,
    whole_text,
)
from recollect.shared.preview import Preview, preview, refuse_problems
from recollect.shared.voices import QUALITY, Voices

ITEM, OWNED, READER, MEMBER = "item", "owned_item", "item_reader", "member"
"""Kinds of the library's records."""
NO_TIME: Final = timedelta()
ERASED: Final = "this text was erased from the library before and is not taken again: put it differently"


@dataclass(frozen=True)
class Tools:
    """What the library needs of an engine."""

    store: Store
    model: Callable[[], str]
    new_id: Callable[[], str]
    searchable: Callable[[Sequence[Memory]], list[NewText]]
    recall: Callable[..., Any]
    """The hits of a question among the channels that are given."""
    purge: Callable[[str], object]
    now: Callable[[], datetime]


class Library:
    """Publish, look, find."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._voices = Voices(tools.store)

    def publish(self, user: str, offer: Offer, item_id: str | None = None) -> Item:
        """A new item, or the next version of one's own; in one transaction, and found from then on."""
        shown = self.preview(user, offer, item_id)
        refuse_problems(shown)
        if (
            offer.access.level == ORGANISATION
            and offer.access.names[0] not in self.member(user).organisations
        ):
            raise Refused(f"you are not in {offer.access.names[0]}: you cannot publish to it")
        known = None if item_id is None else self._owned(user, item_id)
        old = None if known is None else self._memory(known.key)
        now = self._tools.now()
        memory = self._offered(offer, old, now)
        value = {"owner": user, "access": str(offer.access), "state": "published"}
        records = [RecordChange(ITEM, memory.id, value, 0 if known is None else known.revision)]
        if known is None:
            records.append(RecordChange(OWNED, f"{mark(user)}/{memory.id}", True))
        records += _readers(offer.access)
        if self._tools.store.erased(LIBRARY_USER, [memory.text])[0]:
            raise Refused(ERASED)
        change = Change(memory, self._tools.searchable([memory])[0])
        # The chain of the library tells what was published, not who did: others may verify it.
        changes = Changes(
            "publish",
            now,
            (change,),
            records=tuple(records),
            detail={"item": memory.id, "version": version_of(memory)},
            model=self._tools.model(),
        )
        (written,) = self._tools.store.write(LIBRARY_USER, changes)
        if written.refusal is not None:
            raise Refused(ERASED)
        return self.item(user, memory.id)

    def preview(self, user: str, offer: Offer, item_id: str | None = None) -> Preview:
        """What publishing would give away, beside what is published."""
        known = None if item_id is None else self._owned(user, item_id)
        if known is None:
            return preview(offer)
        before = self._seen(user, known)
        return preview(offer, before if before.is_published else None)

    def unpublish(self, user: str, item_id: str, *, erase: bool = False) -> Item:
        """Takes one's own item away: the next question of anybody is without it.

        Its versions stay, for its owner alone; `erase` takes them too, also from the copies that were made here.
        """
        known = self._owned(user, item_id)
        gone = replace(self._seen(user, known), is_published=False)
        memory = self._memory(known.key)
        now = self._tools.now()
        if memory.state is State.ACTIVE:
            value = {**known.value, "state": "unpublished"}
            change = Change(replace(memory, state=State.DORMANT, version=memory.version + 1, recorded_at=now))
            record = RecordChange(ITEM, known.key, value, known.revision)
            quality = RecordChange(QUALITY, known.key, None)
            changes = Changes(
                "unpublish", now, (change,), records=(record, quality), detail={"item": known.key}
            )
            self._tools.store.write(LIBRARY_USER, changes)
        if erase:
            self._tools.purge(known.key)
            self._forget_records(user, known.key)
        return gone

    def item(self, user: str, item_id: str, version: int | None = None) -> Item:
        """An item that a user may read, as it is or as one of its versions was."""
        record = self._readable(user, item_id)
        if version is None:
            return self._seen(user, record)
        for memory in snapshots(self._tools.store.versions(LIBRARY_USER, record.key)):
            if version_of(memory) == version:
                return self._as_seen(user, record, memory)
        raise NotFound(f"item {record.key} has no version {version}")

    def versions(self, user: str, item_id: str) -> list[Item]:
        """Every version of an item that a user may read, oldest first."""
        record = self._readable(user, item_id)
        found = snapshots(self._tools.store.versions(LIBRARY_USER, record.key))
        return [self._as_seen(user, record, memory) for memory in found]

    def published(self, user: str) -> list[Item]:
        """What a user has published, newest first, also what was taken away again and not erased."""
        owned = self._tools.store.records(LIBRARY_USER, OWNED, prefix=f"{mark(user)}/")
        records = (self._record(one.key.partition("/")[2]) for one in owned)
        found = [self._seen(user, record) for record in records if record is not None]
        return sorted(found, key=lambda one: (one.published_at, one.id), reverse=True)

    def search(self, user: str, question: str, k: int, **options: Any) -> Any:
        """The hits of a question among what a user may read, with what is known of how each served others."""
        found = self._tools.recall(question, k, channels=self.channels(user), **options)
        known = self.qualities([hit.id for hit in found])
        return [
            replace(hit, values={**hit.values, "quality": known[hit.id].score}) if hit.id in known else hit
            for hit in found
        ]

    def found(self, user: str, question: str, k: int) -> list[Item]:
        """The same as items."""
        return [self.item(user, hit.id) for hit in self.search(user, question, k)]

    def tell(self, user: str, item_ids: Sequence[str], *, success: bool) -> list[str]:
        """Adds how a run went that used items; gives those that count: read by the teller, published by others."""
        counted = [one for one in dict.fromkeys(item_ids) if self._may_tell(user, one)]
        if counted:
            self._voices.tell(user, dict.fromkeys(counted, success), self._tools.now())
        return counted

    def coordinate(self, every: timedelta = NO_TIME) -> int | None:
        """Releases what may be told of how items served; None where it is not due yet."""
        now = self._tools.now()
        return self._voices.coordinate(now) if self._voices.is_due(now, every) else None

    def channels(self, user: str) -> tuple[str, ...]:
        """The audiences that a user is a part of."""
        named = self._tools.store.records(LIBRARY_USER, READER, prefix=f"{mark(user)}/")
        return (*self.member(user).channels, *(f"{USERS}:{one.key.partition('/')[2]}" for one in named))

    def member(self, user: str) -> Member:
        """What a user belongs to."""
        record = self._tools.store.record(LIBRARY_USER, MEMBER, user)
        return member_from(None if record is None else record.value)

    def enrol(self, user: str, *, organisations: Sequence[str] = (), tiers: Sequence[str] = ()) -> Member:
        """Says what a user belongs to, from now on and alone; this is for whoever runs the library."""
        if not user.strip():
            raise InvalidInput("a member is a user's name, not empty")
        told = {"organisations": list(organisations), "tiers": list(tiers)}
        member = member_from(told)
        value = told if organisations or tiers else None
        change = RecordChange(MEMBER, user, value)
        detail = {"member": mark(user)}
        self._tools.store.write(
            LIBRARY_USER, Changes("enrol", self._tools.now(), records=(change,), detail=detail)
        )
        return member

    def qualities(self, item_ids: Sequence[str]) -> dict[str, Quality]:
        """What was released of items, by their ids; nothing of those of which nothing was."""
        records = self._tools.store.records_named(LIBRARY_USER, QUALITY, item_ids)
        return {one: known_quality(record.value) for one, record in records.items()}

    def _offered(self, offer: Offer, old: Memory | None, now: datetime) -> Memory:
        made = Memory(
            self._tools.new_id() if old is None else old.id,
            whole_text(offer),
            now,
            now if old is None else old.valid_from,
            version=1 if old is None else old.version + 1,
            kind=offer.kind,
            channel=offer.access.channel,
            scope=Scope.PROJECT,
            tags=offer.tags,
            origin=Origin(write_source="publish", data_source="library"),
            metadata=told_of(offer, 1 if old is None else version_of(old) + 1),
        )
        said = ("text", "kind", "tags")
        same = old is not None and all(getattr(old, name) == getattr(made, name) for name in said)
        if (
            old is not None
            and same
            and {**old.metadata, "item_version": 0} == {**made.metadata, "item_version": 0}
        ):
            # Only who may read it changes: that is no version of its own.
            return replace(made, metadata=old.metadata)
        return made

    def _record(self, item_id: str) -> Record | None:
        return self._tools.store.record(LIBRARY_USER, ITEM, item_id) if item_id else None

    def _readable(self, user: str, item_id: str) -> Record:
        record = self._record(item_id)
        # All that decides is looked at before anything is said, so that no answer comes sooner than another.
        channels = self.channels(user)
        memory = self._tools.store.get(LIBRARY_USER, item_id)
        if record is not None and memory is not None:
            is_open = memory.state is State.ACTIVE and memory.channel in channels
            if is_open or record.value["owner"] == user:
                return record
        raise _unknown(item_id)

    def _may_tell(self, user: str, item_id: str) -> bool:
        """Whether somebody's outcome counts: nobody praises what is their own, or what they cannot have used."""
        try:
            return bool(self._readable(user, item_id).value["owner"] != user)
        except NotFound:
            return False

    def _owned(self, user: str, item_id: str) -> Record:
        record = self._readable(user, item_id)
        if record.value["owner"] != user:
            raise Refused(f"item {item_id} was published by somebody else: only they can change it")
        return record

    def _memory(self, item_id: str) -> Memory:
        memory = self._tools.store.get(LIBRARY_USER, item_id)
        if memory is None:
            raise _unknown(item_id)
        return memory

    def _seen(self, user: str, record: Record) -> Item:
        return self._as_seen(user, record, self._memory(record.key))

    def _as_seen(self, user: str, record: Record, memory: Memory) -> Item:
        return item_from(
            memory,
            access_from(record.value["access"]),
            is_own=record.value["owner"] == user,
            is_published=record.value["state"] == "published",
            quality=self.qualities([record.key]).get(record.key),
        )

    def _forget_records(self, user: str, item_id: str) -> None:
        kinds = ((ITEM, item_id), (OWNED, f"{mark(user)}/{item_id}"), (QUALITY, item_id))
        records = tuple(RecordChange(kind, key, None) for kind, key in kinds)
        self._tools.store.write(LIBRARY_USER, Changes("item erased", self._tools.now(), records=records))


def _readers(access: Access) -> list[RecordChange]:
    """What lets named users find an audience that they are in."""
    named = access.names if access.level == USERS else ()
    return [RecordChange(READER, f"{mark(name)}/{mark(*access.names)}", True) for name in named]


def _unknown(item_id: str) -> NotFound:
    return NotFound(f"no published item {item_id}")
