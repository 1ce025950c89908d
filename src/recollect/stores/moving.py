"""A whole store into another one, of whichever kind: every row, the history and the chain as they are."""

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol, runtime_checkable

from recollect.errors import Conflict, InvalidInput, StoreCorrupt
from recollect.ports import Progress, Store
from recollect.stores.parts import PARTS, packed, unpacked
from recollect.stores.rows import Row

PAGE = 1_000
LAST = "meta"
"""Moved when all else is there: until then the target is a store of its own, under its own name."""
BIT_64 = (1 << 64) - 1


@runtime_checkable
class Movable(Protocol):
    """A store whose rows can be given away and taken in as they are."""

    @property
    def identity(self) -> str: ...
    @property
    def location(self) -> str: ...
    def users(self) -> list[str]: ...
    def reading(self) -> AbstractContextManager[None]: ...
    def size(self, part: str) -> int: ...
    def dump(self, part: str, after: Row | None, limit: int) -> list[Row]: ...
    def load(self, part: str, taken: Sequence[Row], mark: str | None) -> None: ...
    def mark(self) -> str | None: ...
    def clear(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move has brought over."""

    rows: int
    resumed: bool
    """Whether an earlier one was gone on with."""


def move(source: Store, target: Store, progress: Progress | None = None) -> Moved:
    """Fills an empty store with another's rows and compares both; one that was interrupted goes on where it was."""
    if not isinstance(source, Movable) or not isinstance(target, Movable):
        raise InvalidInput("a store in memory cannot be moved, nor moved into: name a file or a server")
    if source.location == target.location:
        raise InvalidInput(f"{source.location} is both the source and the target")
    with source.reading():
        state = _state(source)
        resumed = _prepared(target, state)
        total = sum(source.size(part) for part in PARTS)
        _copy(source, target, state, total, progress)
        _compare(source, target)
        target.load(LAST, source.dump(LAST, None, PAGE), None)
    return Moved(total, resumed)


def _prepared(target: Movable, state: str) -> bool:
    """Whether the target holds the beginning of this same move; one that has another's is emptied."""
    known = target.mark()
    if known is None:
        if target.users():
            raise Conflict(f"{target.location} holds memories already; move into a new store")
        return False
    if json.loads(known)["state"] == state:
        return True
    target.clear()
    return False


def _copy(source: Movable, target: Movable, state: str, total: int, progress: Progress | None) -> None:
    known = json.loads(target.mark() or "null")
    done = 0
    for part in PARTS:
        if part == LAST:
            continue
        if known is not None and part in known["whole"]:
            done += source.size(part)
            continue
        whole = [] if known is None else known["whole"]
        after = unpacked(known["after"]) if known is not None and known["part"] == part else None
        while page := source.dump(part, after, PAGE):
            after = PARTS[part].place(page[-1])
            known = {"state": state, "whole": whole, "part": part, "after": packed(after)}
            target.load(part, page, json.dumps(known))
            done += len(page)
            if progress is not None:
                progress(min(done, total), total)
        known = {"state": state, "whole": [*whole, part], "part": None, "after": None}
    target.load(LAST, (), json.dumps(known))


def _compare(source: Movable, target: Movable) -> None:
    """Counts and hashes of every part on both sides."""
    for part in PARTS:
        if part != LAST and _summed(source, part) != _summed(target, part):
            target.clear()
            raise StoreCorrupt(
                f"what arrived in {target.location} differs from {source.location} in its part {part!r};"
                " the target was emptied: move again while nobody writes to the source"
            )


def _summed(store: Movable, part: str) -> tuple[int, int]:
    """How many rows, and a hash of them in whichever order they come."""
    count = total = 0
    for row in _each(store, part):
        count += 1
        total += int.from_bytes(blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return count, total & BIT_64


def _each(store: Movable, part: str) -> Iterator[Row]:
    after: Row | None = None
    while page := store.dump(part, after, PAGE):
        yield from page
        after = PARTS[part].place(page[-1])


def _state(source: Movable) -> str:
    """Changes with whatever is written to the source."""
    found = [source.identity, *(repr(row) for row in _each(source, "user"))]
    return blake2b("\n".join(found).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
