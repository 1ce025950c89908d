"""Has anything been changed behind the engine's back? Names what and where."""

import json
from collections.abc import Iterator

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.formulas import chain
from recollect.model import Edge, Fault, Memory, Scope, State, WitnessEntry, moment
from recollect.ports import WORD_BYTES, Progress
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.erasing import ERASING
from recollect.stores.sqlite.rows import (
    MEMORY_COLUMNS,
    Row,
    memory_from,
    rows,
    user_number,
    user_range,
    value,
)

PAGE = 512
WITNESS_COLUMNS = (
    "sequence, at, operation, detail, first_version, last_version, first_edge, last_edge, digest, hash"
)
VERSION_QUERY = (
    f"SELECT v.number, {MEMORY_COLUMNS}, v.user, v.only_session, v.digest, c.digest, c.fingerprint, length(x.data), length(w.data)"
    " FROM version v LEFT JOIN node n ON n.number = v.node LEFT JOIN content c ON c.number = v.content"
    " LEFT JOIN vector x ON x.content = v.content LEFT JOIN words w ON w.content = v.content WHERE v.number IN carray(?) ORDER BY v.node, v.version"
)
EDGE_QUERY = (
    "SELECT e.number, s.id, t.id, e.type, e.recorded_at, e.reason, e.digest FROM edge e"
    " LEFT JOIN node s ON s.number = e.source LEFT JOIN node t ON t.number = e.target WHERE e.number IN carray(?)"
)
UNREADABLE = (ValueError, LookupError, TypeError, OverflowError, apsw.CorruptError)
"""What reading a row gives whose values are no longer what they were written as."""


class Verifying:
    """Store's part that checks itself."""

    _connections: Connections
    _key: bytes

    def witness(self, user: str, after: int = 0, limit: int | None = None) -> list[WitnessEntry]:
        with self._connections.reading() as connection:
            found = rows(
                connection,
                f"SELECT {WITNESS_COLUMNS} FROM witness WHERE user = ? AND sequence > ? ORDER BY sequence LIMIT ?",
                (user_number(connection, user), after, -1 if limit is None else limit),
            )
        return [_entry(row) for row in found]

    def verify(self, user: str, progress: Progress | None = None) -> list[Fault]:
        with self._connections.reading() as connection:
            faults = [
                Fault("file", str(problem))
                for (problem,) in rows(connection, "PRAGMA integrity_check(20)")
                if problem != "ok"
            ]
            if value(connection, "SELECT 1 FROM meta WHERE name GLOB ?", (ERASING + "*",)):
                faults.append(
                    Fault("file", "a purge was interrupted, its bytes may be left: run `recollect compact`")
                )
            number = user_number(connection, user)
            if number is None or faults:
                return faults
            faults += self._versions(connection, number, progress)
            faults += self._edges(connection, number)
            faults += [] if faults else _indexes(connection, number)
            faults += self._chain(connection, number)
        return faults

    def _versions(self, connection: apsw.Connection, user: int, progress: Progress | None) -> Iterator[Fault]:
        dimension = value(connection, "SELECT value FROM meta WHERE name = 'dimension'")
        numbers = _numbers(connection, "version", user, "node, version")
        previous: Memory | None = None
        for done, (number, row) in enumerate(_pages(connection, VERSION_QUERY, numbers), 1):
            if progress is not None and (done % PAGE == 0 or done == len(numbers)):
                progress(done, len(numbers))
            if row and row[0] is None:
                yield Fault(f"version row {number}", "the memory that it belongs to is missing")
                continue
            try:
                memory = memory_from(_with_text(row[:-7]))
                yield from self._version(memory, row[-7:], user, dimension)
            except UNREADABLE:
                yield Fault(
                    _named(connection, number), f"version row {number} was changed: it cannot be read"
                )
                continue
            yield from _continued(previous, memory)
            previous = memory
        yield from _continued(previous, None)

    def _version(self, memory: Memory, row: Row, user: int, dimension: int | None) -> Iterator[Fault]:
        owner, only_session, digest, content_digest, mark, vector_bytes, word_bytes = row
        m = memory
        if content_digest is None and m.state != State.PURGED:
            yield Fault(m.id, "its text is missing")
        if content_digest is not None and chain.content_digest(self._key, m) != content_digest:
            yield Fault(m.id, "its text, provenance or metadata was changed")
        elif content_digest is not None and chain.fingerprint(self._key, user, m.text) != mark:
            yield Fault(m.id, "the fingerprint of its text was changed")
        changed = chain.version_digest(self._key, m, content_digest or b"") != digest
        session = m.origin.session if m.scope == Scope.SESSION else None
        if changed or owner != user or (content_digest is not None and only_session != session):
            yield Fault(m.id, f"version {m.version} was changed")
        if vector_bytes is not None and vector_bytes != 2 * (dimension or 0):
            yield Fault(m.id, f"its vector has {vector_bytes} bytes, the model gives {2 * (dimension or 0)}")
        if word_bytes is not None and word_bytes % WORD_BYTES:
            yield Fault(m.id, f"its words have {word_bytes} bytes, which is no multiple of {WORD_BYTES}")

    def _edges(self, connection: apsw.Connection, user: int) -> Iterator[Fault]:
        numbers = _numbers(connection, "edge", user, "number")
        for number, row in _pages(connection, EDGE_QUERY, numbers):
            try:
                source, target, kind, recorded_at, reason, digest = row
                edge = Edge(source, target, kind, reason=reason)
                if chain.edge_digest(self._key, edge, recorded_at) != digest:
                    yield Fault(f"edge {number} ({source} {kind} {target})", "it was changed")
            except UNREADABLE:
                yield Fault(f"edge {number}", "it was changed: it cannot be read")

    def _chain(self, connection: apsw.Connection, user: int) -> Iterator[Fault]:
        first, end = user_range(user)
        expected, version, edge = 1, first, first
        previous: bytes | None = chain.GENESIS
        sequences = connection.execute(
            "SELECT sequence FROM witness WHERE user = ? ORDER BY sequence", (user,)
        )
        for (sequence,) in sequences:
            name = f"witness {sequence}"
            if sequence != expected:
                yield Fault(f"witness {expected}", f"it is missing: the next entry is {sequence}")
                previous = None
            expected = sequence + 1
            try:
                row = rows(
                    connection,
                    f"SELECT {WITNESS_COLUMNS} FROM witness WHERE user = ? AND sequence = ?",
                    (user, sequence),
                )[0]
                entry = _entry(row)
            except UNREADABLE:
                yield Fault(name, "it was changed: it cannot be read")
                previous = None
                continue
            if previous is not None and (entry.versions[0], entry.edges[0]) != (version + 1, edge + 1):
                yield Fault(name, "it does not continue where the entry before it ended")
            if self._covered(connection, entry) != entry.digest:
                yield Fault(
                    name,
                    f"a row that it covers was removed or changed (versions {entry.versions}, edges {entry.edges})",
                )
            if previous is not None and entry.hash != _linked(previous, entry, row[1]):
                yield Fault(name, "it was changed, or does not follow the entry before it")
            version, edge, previous = entry.versions[1], entry.edges[1], entry.hash
        head = rows(
            connection,
            "SELECT witness_sequence, witness_hash, last_version, last_edge FROM user WHERE number = ?",
            (user,),
        )[0]
        if head != (expected - 1, previous, version, edge):
            yield Fault(
                f"witness {expected}", f"the chain ends at {expected - 1}, but {head[0]} entries were written"
            )
        for kind, last in (("version", version), ("edge", edge)):
            if value(connection, f"SELECT 1 FROM {kind} WHERE number > ? AND number <= ?", (last, end)):
                yield Fault(f"{kind} row {last + 1}", "the chain does not cover it, nor what follows")

    def _covered(self, connection: apsw.Connection, entry: WitnessEntry) -> bytes:
        """The digest of the rows that an entry covers, as they are now."""
        found: list[bytes] = []
        for kind, numbers in (("version", entry.versions), ("edge", entry.edges)):
            found += [
                digest
                for _, digest in rows(
                    connection,
                    f"SELECT number, digest FROM {kind} WHERE number BETWEEN ?1 AND ?2 UNION ALL"
                    " SELECT number, digest FROM erased WHERE kind = ?3 AND number BETWEEN ?1 AND ?2 ORDER BY 1",
                    (*numbers, kind),
                )
            ]
        return chain.batch_digest(self._key, found)


def _numbers(connection: apsw.Connection, table: str, user: int, order: str) -> NDArray[np.int64]:
    query = f"SELECT number FROM {table} WHERE number BETWEEN ? AND ? ORDER BY {order}"
    return np.array([number for (number,) in connection.execute(query, user_range(user))], np.int64)


def _pages(connection: apsw.Connection, query: str, numbers: NDArray[np.int64]) -> Iterator[tuple[int, Row]]:
    """Each row after its number; the row is empty where its text cannot be read any more."""
    for start in range(0, len(numbers), PAGE):
        page = numbers[start : start + PAGE]
        try:
            found = rows(connection, query, (apsw.carray(page),))
        except apsw.CorruptError:
            if len(page) == 1:
                yield int(page[0]), ()
            else:
                for place in range(len(page)):
                    yield from _pages(connection, query, page[place : place + 1])
            continue
        yield from ((row[0], row[1:]) for row in found)


def _indexes(connection: apsw.Connection, user: int) -> Iterator[Fault]:
    """Rows that only help to find others: memories without a version, vectors without a text, tags of no version."""
    nodes = rows(
        connection,
        "SELECT id FROM node n WHERE user = ? AND NOT EXISTS (SELECT 1 FROM version v WHERE v.node = n.number)",
        (user,),
    )
    for (memory_id,) in nodes:
        yield Fault(memory_id, "every version of it is missing")
    for table in ("vector", "vector_incoming", "words", "words_incoming"):
        orphans = rows(
            connection,
            f"SELECT content FROM {table} x WHERE content BETWEEN ? AND ?"
            " AND NOT EXISTS (SELECT 1 FROM content c WHERE c.number = x.content)",
            user_range(user),
        )
        for (content,) in orphans:
            yield Fault(f"{table} row {content}", "the text that it belongs to is missing")
    said = "SELECT v.content, j.value FROM version v, json_each(v.tags) j WHERE v.number BETWEEN ?1 AND ?2 AND v.retired_at IS NULL"
    kept = "SELECT content, name FROM tag WHERE content BETWEEN ?1 AND ?2"
    differing = rows(
        connection,
        "SELECT DISTINCT n.id FROM version v JOIN node n ON n.number = v.node WHERE v.content IN (SELECT content FROM"
        f" (SELECT * FROM ({said}) EXCEPT {kept}) UNION SELECT content FROM (SELECT * FROM ({kept}) EXCEPT {said}))",
        user_range(user),
    )
    for (memory_id,) in differing:
        yield Fault(memory_id, "its tags differ from those it is found by")


def _continued(previous: Memory | None, memory: Memory | None) -> Iterator[Fault]:
    """Whether each version of a memory follows the one before it, and the last one is not ended."""
    if previous is not None and memory is not None and memory.id == previous.id:
        if memory.version != previous.version + 1:
            yield Fault(memory.id, f"version {previous.version + 1} is missing")
        if previous.retired_at != memory.recorded_at:
            yield Fault(
                memory.id, f"version {previous.version} does not end where version {memory.version} begins"
            )
        return
    if previous is not None and previous.retired_at is not None:
        yield Fault(previous.id, "its newest version is missing")
    if memory is not None and memory.version > 1 and memory.state != State.PURGED:
        yield Fault(memory.id, "version 1 is missing")


def _with_text(columns: Row) -> Row:
    """An erased memory has versions, but no row of content to read the rest from."""
    if columns[1] is not None:
        return columns
    return (columns[0], "", *columns[2:26], "", "", *columns[28:])


def _named(connection: apsw.Connection, version: int) -> str:
    query = "SELECT CAST(n.id AS BLOB) FROM version v JOIN node n ON n.number = v.node WHERE v.number = ?"
    memory_id: bytes | None = value(connection, query, (version,))
    return f"version row {version}" if memory_id is None else memory_id.decode(errors="replace")


def _linked(previous: bytes, entry: WitnessEntry, at: int) -> bytes:
    covers = (*entry.versions, *entry.edges)
    return chain.link(previous, entry.sequence, at, entry.operation, entry.detail, covers, entry.digest)


def _entry(row: Row) -> WitnessEntry:
    sequence, at, operation, detail, first_version, last_version, first_edge, last_edge, digest, link = row
    return WitnessEntry(
        sequence,
        moment(at),
        operation,
        {} if detail is None else json.loads(detail),
        (first_version, last_version),
        (first_edge, last_edge),
        digest,
        link,
    )
