"""Digests of what is stored and the hash chain over them.

Every digest is keyed with the store's own secret, so that a digest which outlives an erased text
cannot be looked up in a table of common texts.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from recollect.model import Edge, Memory, microseconds

DIGEST_BYTES = 16
GENESIS = bytes(32)

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
"""A value's one form. Made once: `json.dumps` with options makes an encoder for every call."""


def digest(key: bytes, value: Any) -> bytes:
    """The keyed hash of a JSON-shaped value in its one canonical form.

    >>> digest(b"k", {"a": 1, "b": 2}) == digest(b"k", {"b": 2, "a": 1})
    True
    """
    return hashlib.blake2b(_canonical(value).encode(), key=key, digest_size=DIGEST_BYTES).digest()


def fingerprint(key: bytes, user: int, text: str) -> bytes:
    """The same for two texts of one user that differ only in case and white space."""
    return digest(key, [user, " ".join(text.casefold().split())])


def content_digest(key: bytes, memory: Memory) -> bytes:
    """Covers the text, its provenance and its metadata."""
    o = memory.origin
    return digest(
        key,
        [
            *(memory.id, memory.text, o.session, o.run, o.actor, o.event_type, o.role, o.speaker, o.sources),
            *(o.write_source, o.data_source, o.reason, dict(memory.metadata)),
        ],
    )


def version_digest(key: bytes, memory: Memory, content: bytes) -> bytes:
    """Covers what is believed about a memory, and through `content` its text."""
    m = memory
    until = None if m.valid_until is None else microseconds(m.valid_until)
    return digest(
        key,
        [
            *(m.id, m.version, content.hex(), m.lane, m.kind, m.channel, m.scope, m.state),
            *(microseconds(m.valid_from), until, microseconds(m.recorded_at), m.supersedes, m.superseded_by),
            *(list(m.tags), bool(m.pinned), bool(m.immutable), float(m.confidence), float(m.importance)),
        ],
    )


def edge_digest(key: bytes, edge: Edge, recorded_at: int) -> bytes:
    """Covers what an edge says; its weight is learnt and may move."""
    return digest(key, [edge.source, edge.target, edge.type, recorded_at, edge.reason])


def batch_digest(key: bytes, digests: Iterable[bytes]) -> bytes:
    """One digest for all rows that one transaction wrote, in their order."""
    return hashlib.blake2b(b"".join(digests), key=key, digest_size=DIGEST_BYTES).digest()


def link(
    previous: bytes,
    sequence: int,
    at: int,
    operation: str,
    detail: Mapping[str, Any],
    covers: tuple[int, ...],
    rows: bytes,
) -> bytes:
    """The chain's next hash: it changes when any earlier entry does.

    >>> first = link(GENESIS, 1, 0, "remember", {}, (1, 1, 0, 0), b"x")
    >>> first != link(first, 2, 0, "remember", {}, (1, 1, 0, 0), b"x")
    True
    """
    entry = _canonical([sequence, at, operation, dict(detail), covers, rows.hex()])
    return hashlib.sha256(previous + entry.encode()).digest()
