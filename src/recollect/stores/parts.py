"""A store's rows as they are moved: the same columns and values from whichever store they come."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from recollect.model import LEARNT
from recollect.stores.auditing import READ_COLUMNS
from recollect.stores.ledger import LEDGER_COLUMNS
from recollect.stores.rows import USER_BITS, WITNESS_COLUMNS, Row

MARK = "moving"
"""The name in `meta` under which a store that is being filled from another keeps how far it is."""


@dataclass(frozen=True, slots=True)
class Part:
    """A table, the columns that say which row it is, and the one that says whose."""

    columns: tuple[str, ...]
    key: tuple[str, ...]
    owner: str | None
    """`user`, or a number that the user's is in; None for what is the whole store's."""

    def place(self, row: Sequence[Any]) -> Row:
        """The key of a row."""
        return tuple(row[self.columns.index(name)] for name in self.key)

    def tenant(self, names: Sequence[str], values: Sequence[Any]) -> int:
        """Whose it is, from some of its columns."""
        number = int(values[names.index(self.owner or "")])
        return number if self.owner == "user" else number >> USER_BITS


def _part(columns: str, key: str, owner: str | None) -> Part:
    return Part(tuple(columns.split(", ")), tuple(key.split(", ")), owner)


PARTS: Mapping[str, Part] = MappingProxyType(
    {
        "meta": _part("name, value", "name", None),
        "user": _part(f"number, name, created_at, {LEDGER_COLUMNS}", "number", None),
        "node": _part("number, user, id, type", "number", "number"),
        "content": _part(
            "number, node, text, terms, session, run, actor, event_type, role, speaker, sources, write_source,"
            " data_source, reason, metadata, fingerprint, digest",
            "number",
            "number",
        ),
        "version": _part(
            "number, user, node, version, content, past_content, lane, kind, channel, scope, only_session, state,"
            " valid_from, valid_until, recorded_at, retired_at, supersedes, superseded_by, tags, pinned, immutable,"
            " confidence, importance, digest",
            "number",
            "number",
        ),
        "tag": _part("name, content", "name, content", "content"),
        "edge": _part(
            "number, source, target, type, weight, recorded_at, reason, digest", "number", "number"
        ),
        "counter": _part("node, access_count, last_accessed_at", "node", "node"),
        "learnt": _part(f"node, {', '.join(LEARNT)}", "node", "node"),
        "record": _part("user, kind, key, value, revision, updated_at", "user, kind, key", "user"),
        "vector": _part("content, data", "content", "content"),
        "vector_incoming": _part("content, data", "content", "content"),
        "words": _part("content, data", "content", "content"),
        "words_incoming": _part("content, data", "content", "content"),
        "tombstone": _part("fingerprint, user, recorded_at", "user, fingerprint", "user"),
        "erased": _part("kind, number, digest", "kind, number", "number"),
        "witness": _part(f"user, {WITNESS_COLUMNS}", "user, sequence", "user"),
        "setting": _part("user, name, value", "user, name", "user"),
        "audit": _part(f"user, {READ_COLUMNS}", "user, at, id", "user"),
        "lineage": _part("depth, store, created_at, base", "depth", None),
    }
)
LISTS = frozenset({"tags", "sources", "ids", "cross_channel"})
FLAGS = frozenset({"pinned", "immutable"})


def is_moved(name: str) -> bool:
    """Whether something in `meta` goes with the rows, or is the file's or the server's own."""
    return name in {"identity", "key", "model", "dimension", "incoming", "incoming_dimension"}


def packed(place: Row) -> str:
    """A key as JSON.

    >>> unpacked(packed((1, "a", b"b")))
    (1, 'a', b'b')
    """
    return json.dumps([{"bytes": one.hex()} if isinstance(one, bytes) else one for one in place])


def unpacked(text: str) -> Row:
    """The inverse of `packed`."""
    return tuple(bytes.fromhex(one["bytes"]) if isinstance(one, dict) else one for one in json.loads(text))
