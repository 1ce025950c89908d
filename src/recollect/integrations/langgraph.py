"""LangGraph's `BaseStore` on Recollect: long-term memory for graphs, in one file, searched without a key.

An item is a memory of kind `item`; its namespace is its channel, so that `("memories", "ada")` is what the shell calls
`--channel memories.ada`.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from recollect.engine import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.integrations.doors import door_of
from recollect.integrations.extras import extra
from recollect.integrations.langgraph_values import holds, matches, text_of
from recollect.model import ITEM, Filter, Memory, Origin

with extra("langgraph"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        validate_op_namespace,
    )

PLACE: Final = "langgraph"
MOST_HITS: Final = 1_000
LEAST_FETCHED: Final = 40
OVERFETCH: Final = 4
PAGE: Final = 200
_SPECIAL: Final = re.compile(r"[%\s\x00]")
REFRESHED_PART: Final = 1 / 60
"""A read puts an item's end off once this part of its time is gone: not each of many reads writes a version."""


class RecollectStore(BaseStore):
    """A store for `graph.compile(store=…)`.

    `fields` are the paths of a value that are searched (`"$"` is all of it) where `put` names none.
    """

    supports_ttl = True

    def __init__(
        self, memory: Recollect, *, fields: Sequence[str] = ("$",), ttl: TTLConfig | None = None
    ) -> None:
        self.memory, self.fields, self.ttl_config = memory, tuple(fields), ttl
        self._door = door_of(memory)
        self._known: tuple[tuple[int, int] | None, tuple[str, ...]] = (None, ())

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see what was there before; of several writes of one key the last stands."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        results = [self._answer(op) for op in asked]
        puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        refused: list[Refused] = []
        for op in puts.values():
            try:
                with self._door.lock:
                    self._put(op)
            except Refused as error:
                refused.append(error)
        if refused:
            raise refused[0]
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _answer(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list_namespaces(op)
            case PutOp():
                return None
        raise InvalidInput(f"no operation {type(op).__name__}")

    def _get(self, op: GetOp) -> Item | None:
        memory = next(iter(self._found(op.namespace, op.key)), None)
        if memory is None:
            return None
        if op.refresh_ttl:
            self._refresh(memory)
        return Item(**self._told(memory))

    def _put(self, op: PutOp) -> None:
        others = [memory.id for memory in self._found(op.namespace, op.key)]
        known = others.pop(0) if others and op.value is not None else None
        if others:
            self.memory.forget_many(others)
        if op.value is None:
            return
        about = {"key": op.key, "value": dict(op.value), "ttl": op.ttl, "searched": op.index is not False}
        paths = self.fields if op.index is None else op.index or ()
        text = text_of(op.value, paths) or op.key or ITEM
        until = None if op.ttl is None else self._end(op.ttl)
        if known is not None:
            kept = self.memory.edit(known, text, metadata={PLACE: about}, valid_until=until)
        else:
            kept = self.memory.remember(
                text,
                kind=ITEM,
                channel=".".join(op.namespace),
                tags=[_tag(op.key)],
                valid_until=until,
                origin=Origin(event_type="langgraph.put", write_source="integration"),
                metadata={PLACE: about},
                once=False,
            )
        if kept.id is None:
            raise Refused(f"{op.key!r} in {op.namespace} was not kept: {kept.reason}")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        channels = self._channels(op.namespace_prefix)
        wanted = max(0, op.offset + op.limit)
        asks = op.query is not None and bool(op.query.strip())
        found = dict(self._ranked(op, channels, wanted)) if asks else {}
        chosen: dict[tuple[str, str], tuple[Memory, float | None]] = {**found}
        if len(chosen) < wanted:
            for memory in self._listed(op, channels):
                chosen.setdefault(_name(memory), (memory, None))
                if len(chosen) >= wanted:
                    break
        page = list(chosen.values())[op.offset : wanted]
        if op.refresh_ttl:
            for memory, _ in page:
                self._refresh(memory)
        return [SearchItem(**self._told(memory), score=score) for memory, score in page]

    def _ranked(
        self, op: SearchOp, channels: tuple[str, ...], wanted: int
    ) -> Iterator[tuple[tuple[str, str], tuple[Memory, float]]]:
        """The best first; where too few of them satisfy the filter, the best of all that do."""
        wide = min(MOST_HITS, max(OVERFETCH * wanted, LEAST_FETCHED))
        options: dict[str, Any] = {"channels": channels, "kinds": ITEM, "ablate": ("gate", "history")}
        hits = self.memory.recall(op.query or "", wide, **options)
        items = sorted((hit for hit in hits if _is_item(hit.memory)), key=lambda hit: hit.id)
        newest = {*{_name(hit.memory): hit.id for hit in items}.values()}
        fitting = [
            hit for hit in hits if hit.id in newest and _searched(hit.memory) and _fits(op, hit.memory)
        ]
        if len(fitting) < wanted and len(hits) == wide:
            ids = tuple(memory.id for memory in self._listed(op, channels) if _searched(memory))
            fitting = list(self.memory.recall(op.query or "", wide, ids=ids, **options))
        # As a part of the best, where that is above 1: callers compare it with thresholds below 1.
        best = max([1.0, *(hit.score for hit in fitting)])
        return ((_name(hit.memory), (hit.memory, hit.score / best)) for hit in fitting[:wanted])

    def _listed(self, op: SearchOp, channels: tuple[str, ...]) -> Iterator[Memory]:
        """What satisfies the filter, newest first."""
        return (memory for memory in self._each(channels) if _fits(op, memory))

    def _each(self, channels: tuple[str, ...]) -> Iterator[Memory]:
        """The items, newest first; of a key that two processes made at once, the newest alone."""
        where, after, size = self._items(channels), None, PAGE
        seen = set[tuple[str, str]]()
        while page := self.memory.list(where, limit=size, after=after):
            for memory in page:
                if _is_item(memory) and _name(memory) not in seen:
                    seen.add(_name(memory))
                    yield memory
            # Most callers want few; who reads on reads all.
            after, size = page[-1].id, size * 8

    def _list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        known = [tuple(channel.split(".")) for channel in self._channels(())]
        wanted = [name for name in known if all(matches(one, name) for one in op.match_conditions or ())]
        present = [
            name[: op.max_depth] for name in wanted if next(self._each((".".join(name),)), None) is not None
        ]
        return sorted(set(present))[op.offset : op.offset + op.limit]

    def _channels(self, prefix: tuple[str, ...]) -> tuple[str, ...]:
        """The channels of the namespaces that begin so."""
        begins, store, user = ".".join(prefix), self.memory.store, self.memory.user
        written = store.high_water(user)
        if self._known[0] != written:
            # Counting reads every version: not again until there are more.
            self._known = (written, tuple(store.counts(user)["channels"]))
        every = self._known[1]
        return tuple(one for one in every if not prefix or one == begins or one.startswith(begins + "."))

    def _found(self, namespace: tuple[str, ...], key: str) -> list[Memory]:
        """What is kept under a key, the newest first; one, unless two processes made it at once."""
        # Stores of before have tags that are not quoted, and trimmed.
        tags = dict.fromkeys((_tag(key), f"key:{key}".strip()))
        found = {
            memory.id: memory
            for tag in tags
            for memory in self.memory.list(self._items((".".join(namespace),), tag), limit=None)
            if _is_item(memory) and memory.metadata[PLACE]["key"] == key
        }
        return [found[one] for one in sorted(found, reverse=True)]

    def _items(self, channels: tuple[str, ...], *tags: str) -> Filter:
        now = self.memory.now()
        return Filter(channels=channels, kinds=(ITEM,), tags=tags, any_session=True, unexpired_at=now)

    def _refresh(self, memory: Memory) -> None:
        minutes, now = memory.metadata[PLACE].get("ttl"), self.memory.now()
        if minutes is None or memory.valid_until is None:
            return
        lasts = timedelta(minutes=minutes)
        if memory.valid_until < now + lasts * (1 - REFRESHED_PART):
            self.memory.edit(memory.id, valid_until=now + lasts)

    def _end(self, minutes: float) -> datetime:
        try:
            if minutes > 0:
                return self.memory.now() + timedelta(minutes=minutes)
        except OverflowError:
            pass
        raise InvalidInput(f"ttl is a number of minutes above 0, within the calendar, not {minutes}")

    def _told(self, memory: Memory) -> dict[str, Any]:
        # A version that only lasts longer is no update.
        versions = (
            [memory] if memory.version == 1 else self.memory.store.versions(self.memory.user, memory.id)
        )
        written = next(one for one in versions if one.content == memory.content)
        about = memory.metadata[PLACE]
        return {
            "namespace": tuple(memory.channel.split(".")),
            "key": about["key"],
            "value": about["value"],
            "created_at": versions[0].recorded_at,
            "updated_at": written.recorded_at,
        }


def _tag(key: str) -> str:
    """A key as a tag: whose ends are not trimmed away.

    >>> _tag("my notes ")
    'key:my%20notes%20'
    """
    return "key:" + _SPECIAL.sub(lambda found: quote(found[0], safe=""), key)


def _name(memory: Memory) -> tuple[str, str]:
    """By which an item is known: its namespace and its key."""
    return memory.channel, memory.metadata[PLACE]["key"]


def _is_item(memory: Memory) -> bool:
    """Whether it was put here: anybody may call a memory an item."""
    about = memory.metadata.get(PLACE)
    return isinstance(about, Mapping) and {"key", "value"} <= about.keys()


def _searched(memory: Memory) -> bool:
    return bool(memory.metadata[PLACE].get("searched", True))


def _fits(op: SearchOp, memory: Memory) -> bool:
    return not op.filter or holds(op.filter, memory.metadata[PLACE]["value"])
