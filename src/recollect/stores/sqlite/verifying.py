"""Has anything been changed behind the engine's back? Names what and where."""

import json
from collections.abc import Iterator
from typing import Any

import apsw

from recollect.formulas import chain
from recollect.model import Edge, Fault, Memory, State, WitnessEntry, moment
from recollect.ports import Progress
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.rows import MEMORY_COLUMNS, memory_from, user_number, user_range

WITNESS_COLUMNS = "sequence, at, operation, detail, first_version, last_version, first_edge, last_edge, digest, hash"


class Verifying:
    """Store's part that checks itself."""

    _connections: Connections
    _key: bytes

    def witness(self, user: str, after: int = 0, limit: int | None = None) -> list[WitnessEntry]:
        with self._connections.reading() as connection:
            rows = connection.execute(
                f"SELECT {WITNESS_COLUMNS} FROM witness WHERE user = ? AND sequence > ? ORDER BY sequence LIMIT ?",
                (user_number(connection, user), after, -1 if limit is None else limit),
            ).fetchall()
        return [_entry(row) for row in rows]

    def verify(self, user: str, progress: Progress | None = None) -> list[Fault]:
        with self._connections.reading() as connection:
            faults = [
                Fault("file", str(problem))
                for (problem,) in connection.execute("PRAGMA integrity_check(20)").fetchall()
                if problem != "ok"
            ]
            number = user_number(connection, user)
            if number is None or faults:
                return faults
            faults += self._rows(connection, number, progress)
            faults += self._edges(connection, number)
            faults += self._chain(connection, number)
        return faults

    def _rows(self, connection: apsw.Connection, user: int, progress: Progress | None) -> Iterator[Fault]:
        total = connection.execute("SELECT count(*) FROM version WHERE number BETWEEN ? AND ?", user_range(user)).get
        dimension = connection.execute("SELECT value FROM meta WHERE name = 'dimension'").get
        rows = connection.execute(
            f"SELECT {MEMORY_COLUMNS}, v.number, v.digest, c.digest, length(x.data) FROM version v JOIN node n ON n.number = v.node"
            " LEFT JOIN content c ON c.number = v.content LEFT JOIN vector x ON x.content = v.content"
            " WHERE v.number BETWEEN ? AND ? ORDER BY v.node, v.version",
            user_range(user),
        )
        previous: Memory | None = None
        for done, (*columns, version, digest, content_digest, vector_bytes) in enumerate(rows, 1):
            if progress is not None and (done % 512 == 0 or done == total):
                progress(done, total)
            if columns[1] is None:
                columns[1] = ""
                columns[25:29] = None, "", "", None
            memory = memory_from(tuple(columns))
            if content_digest is None and memory.state != State.PURGED:
                yield Fault(memory.id, "its text is missing")
            elif content_digest is not None and chain.content_digest(self._key, memory) != content_digest:
                yield Fault(memory.id, "its text, provenance or metadata was changed")
            if chain.version_digest(self._key, memory, content_digest or b"") != digest:
                yield Fault(memory.id, f"version {memory.version} (row {version}) was changed")
            if vector_bytes is not None and vector_bytes != 2 * (dimension or 0):
                yield Fault(memory.id, f"its vector has {vector_bytes // 2} numbers, the model gives {dimension}")
            if previous is not None and previous.id == memory.id and previous.retired_at != memory.recorded_at:
                yield Fault(memory.id, f"version {previous.version} does not end where version {memory.version} begins")
            if (previous is None or previous.id != memory.id) and previous is not None and previous.retired_at is not None:
                yield Fault(previous.id, "its newest version is missing")
            previous = memory
        if previous is not None and previous.retired_at is not None:
            yield Fault(previous.id, "its newest version is missing")

    def _edges(self, connection: apsw.Connection, user: int) -> Iterator[Fault]:
        rows = connection.execute(
            "SELECT s.id, t.id, e.type, e.recorded_at, e.reason, e.digest FROM edge e LEFT JOIN node s ON s.number = e.source"
            " LEFT JOIN node t ON t.number = e.target WHERE e.number BETWEEN ? AND ?",
            user_range(user),
        )
        for source, target, kind, recorded_at, reason, digest in rows:
            if chain.edge_digest(self._key, Edge(source, target, kind, reason=reason), recorded_at) != digest:
                yield Fault(f"{source} {kind} {target}", "the edge was changed")

    def _chain(self, connection: apsw.Connection, user: int) -> Iterator[Fault]:
        rows = connection.execute(f"SELECT {WITNESS_COLUMNS} FROM witness WHERE user = ? ORDER BY sequence", (user,))
        first = user_range(user)[0]
        expected, version, edge, previous = 1, first, first, chain.GENESIS
        for row in rows:
            entry = _entry(row)
            name = f"witness {entry.sequence}"
            if entry.sequence != expected:
                yield Fault(f"witness {expected}", f"missing: the next entry is {entry.sequence}")
                previous = None
            if entry.versions[0] != version + 1 or entry.edges[0] != edge + 1:
                yield Fault(name, "it does not continue where the entry before it ended")
            digests = [*self._digests(connection, "version", entry.versions), *self._digests(connection, "edge", entry.edges)]
            if chain.batch_digest(self._key, digests) != entry.digest:
                yield Fault(name, f"a row that it covers was removed or changed (versions {entry.versions}, edges {entry.edges})")
            linked = previous is None or entry.hash == chain.link(
                previous, entry.sequence, row[1], entry.operation, entry.detail, (*entry.versions, *entry.edges), entry.digest
            )
            if not linked:
                yield Fault(name, "it was changed, or does not follow the entry before it")
            expected, version, edge, previous = entry.sequence + 1, entry.versions[1], entry.edges[1], entry.hash
        head = connection.execute(
            "SELECT witness_sequence, witness_hash, last_version, last_edge FROM user WHERE number = ?", (user,)
        ).fetchall()[0]
        if head != (expected - 1, previous, version, edge):
            yield Fault(f"witness {expected}", f"the chain ends at {expected - 1}, but {head[0]} entries were written")

    def _digests(self, connection: apsw.Connection, kind: str, numbers: tuple[int, int]) -> list[bytes]:
        rows = connection.execute(
            f"SELECT number, digest FROM {kind} WHERE number BETWEEN ?1 AND ?2"
            " UNION ALL SELECT number, digest FROM erased WHERE kind = ?3 AND number BETWEEN ?1 AND ?2 ORDER BY 1",
            (*numbers, kind),
        )
        return [digest for _, digest in rows]


def _entry(row: tuple[Any, ...]) -> WitnessEntry:
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
