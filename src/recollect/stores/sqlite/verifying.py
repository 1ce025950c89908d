"""Has anything been changed behind the engine's back? Names what and where."""

from collections.abc import Iterator

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.formulas import chain
from recollect.model import Edge, Fault, Memory, WitnessEntry
from recollect.ports import Progress
from recollect.stores.checking import TOLD, chain_faults, continued, told_faults, version_faults, with_text
from recollect.stores.rows import (
    MEMORY_COLUMNS,
    WITNESS_COLUMNS,
    Row,
    entry_from,
    memory_from,
    setting_from,
    user_range,
)
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.erasing import ERASING
from recollect.stores.sqlite.rows import rows, user_number, value

PAGE = 512
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
        return [entry_from(row) for row in found]

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
            faults += _owners(connection, number)
            broken = list(self._chain(connection, number))
            faults += broken or _told(connection, number)
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
                memory = memory_from(with_text(row[:-7]))
                yield from version_faults(self._key, memory, row[-7:], user, dimension)
            except UNREADABLE:
                yield Fault(
                    _named(connection, number), f"version row {number} was changed: it cannot be read"
                )
                continue
            yield from continued(previous, memory)
            previous = memory
        yield from continued(previous, None)

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
        head = rows(
            connection,
            "SELECT witness_sequence, witness_hash, last_version, last_edge FROM user WHERE number = ?",
            (user,),
        )[0]
        yield from chain_faults(
            _entries(connection, user),
            lambda entry: self._covered(connection, entry),
            first,
            head,
            lambda kind, last: bool(
                value(connection, f"SELECT 1 FROM {kind} WHERE number > ? AND number <= ?", (last, end))
            ),
        )

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


def _entries(connection: apsw.Connection, user: int) -> Iterator[tuple[int, WitnessEntry | None]]:
    sequences = connection.execute("SELECT sequence FROM witness WHERE user = ? ORDER BY sequence", (user,))
    query = f"SELECT {WITNESS_COLUMNS} FROM witness WHERE user = ? AND sequence = ?"
    for (sequence,) in sequences:
        try:
            yield sequence, entry_from(rows(connection, query, (user, sequence))[0])
        except UNREADABLE:
            yield sequence, None


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


def _owners(connection: apsw.Connection, user: int) -> Iterator[Fault]:
    """Memories whose number says that they are one user's, and whose row that they are another's."""
    found = rows(
        connection,
        "SELECT number, user FROM node WHERE user = ?1 AND number NOT BETWEEN ?2 AND ?3"
        " UNION ALL SELECT number, user FROM node WHERE user != ?1 AND number BETWEEN ?2 AND ?3",
        (user, *user_range(user)),
    )
    for number, owner in found:
        yield Fault(f"node row {number}", f"it was given to user {owner}")


def _told(connection: apsw.Connection, user: int) -> Iterator[Fault]:
    """Of settings and tombstones, by what the chain, which is whole, says of them."""
    entries = rows(
        connection,
        f"SELECT {WITNESS_COLUMNS} FROM witness WHERE user = ? AND operation IN (?, ?) ORDER BY sequence",
        (user, *TOLD),
    )
    kept = rows(connection, "SELECT name, CAST(value AS BLOB) FROM setting WHERE user = ?", (user,))
    buried = rows(connection, "SELECT DISTINCT recorded_at FROM tombstone WHERE user = ?", (user,))
    yield from told_faults(
        map(entry_from, entries), {name: setting_from(text) for name, text in kept}, [at for (at,) in buried]
    )


def _named(connection: apsw.Connection, version: int) -> str:
    query = "SELECT CAST(n.id AS BLOB) FROM version v JOIN node n ON n.number = v.node WHERE v.number = ?"
    memory_id: bytes | None = value(connection, query, (version,))
    return f"version row {version}" if memory_id is None else memory_id.decode(errors="replace")
