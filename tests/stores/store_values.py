"""What the store tests are made of: memories, texts with vectors, and everything that a store can tell."""

from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from recollect.assembly import on_server
from recollect.model import AuditFilter, Edge, Filter, Memory, Origin, State
from recollect.ports import WORD_BYTES, Change, Changes, NewText, Store, Written
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore

AT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 2, 1, tzinfo=UTC)
EVERYTHING = Filter(states=tuple(State), any_session=True)
MODEL, DIMENSION = "hash-8", 8
PROVENANCE = {field.name for field in fields(Origin)}


def make_store(kind: str, place: Any) -> Store:
    """A store in a folder, or at the address of a server."""
    if kind == "postgres":
        return on_server(place)
    return ReferenceStore() if kind == "reference" else SQLiteStore(place / "store.db")


def vector(seed: int, dimension: int = DIMENSION) -> bytes:
    return np.random.default_rng(seed).standard_normal(dimension).astype(np.float16).tobytes()


def words(seed: int, count: int | None = None) -> bytes:
    """As many words as the seed says, unless told."""
    return np.random.default_rng(seed).bytes(WORD_BYTES * (seed % 3 if count is None else count))


def new_text(text: str, *, dimension: int | None = DIMENSION) -> NewText:
    seed = sum(text.encode("utf-8", "surrogatepass"))
    terms = np.random.default_rng(seed).integers(0, 1 << 32, 3, np.uint32).tobytes()
    return NewText(terms, *((None, None) if dimension is None else (vector(seed, dimension), words(seed))))


def memory(memory_id: str, text: str | None = None, at: datetime = AT, **values: Any) -> Memory:
    """A memory; values that are provenance go into its origin."""
    origin = Origin(**{name: values.pop(name) for name in PROVENANCE & values.keys()})
    return Memory(
        memory_id, text or f"text of {memory_id}", at, values.pop("valid_from", at), origin=origin, **values
    )


def change(one: Memory, *, once: bool = False) -> Change:
    return Change(one, new_text(one.text), once=once)


def keep(
    store: Store,
    *memories: Memory,
    user: str = "ada",
    once: bool = False,
    edges: Iterable[Edge] = (),
    **values: Any,
) -> list[Written]:
    """Writes new memories in one transaction."""
    changes = tuple(change(one, once=once) for one in memories)
    return store.write(user, Changes("remember", AT, changes, tuple(edges), model=MODEL, **values))


def next_version(old: Memory, at: datetime = LATER, **values: Any) -> Memory:
    return replace(old, version=old.version + 1, recorded_at=at, retired_at=None, **values)


def revise(
    store: Store,
    memory_id: str,
    *,
    user: str = "ada",
    at: datetime = LATER,
    text: str | None = None,
    **values: Any,
) -> Written:
    """Writes the next version of a memory, with a new text if one is given."""
    old = store.get(user, memory_id)
    assert old is not None
    if text is None:
        return store.write(user, Changes("revise", at, (Change(next_version(old, at, **values)),)))[0]
    told = next_version(old, at, text=text, content=0, **values)
    return store.write(user, Changes("edit", at, (change(told),), model=MODEL))[0]


def link(store: Store, *edges: Edge, user: str = "ada") -> None:
    store.write(user, Changes("link", AT, edges=edges))


def ids(memories: Iterable[Memory]) -> list[str]:
    return [one.id for one in memories]


def text_of(store: Store, memory_id: str, user: str = "ada") -> str:
    found = store.get(user, memory_id)
    assert found is not None
    return found.text


def everything(store: Store, user: str = "ada") -> dict[str, Any]:
    """All that a store tells about a user, to see whether anything changed."""
    known = ids(store.find(user, EVERYTHING))
    resolved = store.resolve(user, "")
    contents = np.array([m.content for m in store.find(user, EVERYTHING)], np.int64)
    numbers, vectors = store.vectors(user, contents)
    worded, ends, codes = store.words(user, contents)
    return {
        "users": store.users(),
        "versions": {memory_id: store.versions(user, memory_id) for memory_id in [*known, *resolved]},
        "ids": resolved,
        "edges": list(store.all_edges(user)),
        "counters": store.counters(user, known),
        "records": [r for kind in ("goal", "key") for r in store.records(user, kind)],
        "tombstones": store.tombstones(user),
        "counts": store.counts(user),
        "documents": store.documents(user, 0, 1000),
        "visibility": store.visibility(user, 0, 1000),
        "high_water": store.high_water(user),
        "vectors": (numbers.tolist(), vectors.tolist()),
        "words": (worded.tolist(), ends.tolist(), codes.tolist()),
        "model": store.model(),
        "settings": store.settings(user),
        "witness": store.witness(user),
        "reads": store.reads(user, AuditFilter(), limit=1000),
        "writes": store.writes(user, AuditFilter(), limit=1000),
    }
