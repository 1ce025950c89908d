"""Has anything been changed behind the engine's back? Names what and where."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.formulas import chain
from recollect.model import Edge, Fault, Memory, WitnessEntry
from recollect.ports import Progress
from recollect.stores.checking import TOLD, chain_faults, continued, told_faults, version_faults, with_text
from recollect.stores.postgres.reading import memory_of
from recollect.stores.postgres.session import NOBODY, Session
from recollect.stores.postgres.tenants import Tenants
from recollect.stores.rows import MEMORY_COLUMNS, WITNESS_COLUMNS, Row, entry_from, setting_from, user_range

PAGE = 1_000
VERSIONS = f"""SELECT v.number, {MEMORY_COLUMNS}, v.tenant, v.only_session, v.digest, c.digest, c.fingerprint,
length(x.data), length(w.data) FROM version v LEFT JOIN node n ON n.tenant = v.tenant AND n.number = v.node
LEFT JOIN content c ON c.tenant = v.tenant AND c.number = v.content
LEFT JOIN vector x ON x.tenant = v.tenant AND x.content = v.content
LEFT JOIN words w ON w.tenant = v.tenant AND w.content = v.content
WHERE v.tenant = %s AND v.number = ANY(%s) ORDER BY v.node, v.version"""
EDGES = """SELECT e.number, s.id, t.id, e.type, e.recorded_at, e.reason, e.digest FROM edge e
LEFT JOIN node s ON s.tenant = e.tenant AND s.number = e.source
LEFT JOIN node t ON t.tenant = e.tenant AND t.number = e.target WHERE e.tenant = %s AND e.number = ANY(%s)"""
LONELY_NODES = """SELECT id FROM node n WHERE tenant = %s
AND NOT EXISTS (SELECT 1 FROM version v WHERE v.tenant = n.tenant AND v.node = n.number)"""
SAID = """SELECT v.content, t.name FROM version v CROSS JOIN unnest(v.tags) AS t (name)
WHERE v.tenant = %(user)s AND v.retired_at IS NULL"""
KEPT = "SELECT content, name FROM tag WHERE tenant = %(user)s"
DIFFERING_TAGS = f"""SELECT DISTINCT n.id FROM version v JOIN node n ON n.tenant = v.tenant AND n.number = v.node
WHERE v.tenant = %(user)s AND v.content IN (SELECT content FROM ({SAID} EXCEPT {KEPT}) a
UNION SELECT content FROM ({KEPT} EXCEPT {SAID}) b)"""
UNREADABLE = (ValueError, LookupError, TypeError, OverflowError)
"""What reading a row gives whose values are no longer what they were written as."""


class Verifying(Tenants):
    """Store's part that checks itself."""

    _key: bytes

    def witness(self, user: str, after: int = 0, limit: int | None = None) -> list[WitnessEntry]:
        with self._sessions.reading(self._number(user)) as session:
            found = session.rows(
                f"SELECT {WITNESS_COLUMNS} FROM witness WHERE tenant = %s AND sequence > %s ORDER BY sequence LIMIT %s",
                (session.tenant, after, limit),
            )
        return [entry_from(row) for row in found]

    def verify(self, user: str, progress: Progress | None = None) -> list[Fault]:
        number = self._number(user)
        if number == NOBODY:
            return []
        with self._sessions.reading(number) as session:
            faults = [*self._versions(session, progress), *self._edges(session)]
            faults += [] if faults else _indexes(session)
            broken = list(self._chain(session))
            faults += broken or _told(session)
        return faults

    def _versions(self, session: Session, progress: Progress | None) -> Iterator[Fault]:
        dimension = session.value("SELECT value FROM meta WHERE name = 'dimension'")
        numbers = _numbers(session, "version", "node, version")
        previous: Memory | None = None
        for done, row in enumerate(_pages(session, VERSIONS, numbers), 1):
            if progress is not None and (done % PAGE == 0 or done == len(numbers)):
                progress(done, len(numbers))
            if row[1] is None:
                yield Fault(f"version row {row[0]}", "the memory that it belongs to is missing")
                continue
            try:
                memory = memory_of(with_text(row[1:-7]))
                yield from version_faults(
                    self._key, memory, row[-7:], session.tenant, None if dimension is None else int(dimension)
                )
            except UNREADABLE:
                yield Fault(row[1], f"version row {row[0]} was changed: it cannot be read")
                continue
            yield from continued(previous, memory)
            previous = memory
        yield from continued(previous, None)

    def _edges(self, session: Session) -> Iterator[Fault]:
        for row in _pages(session, EDGES, _numbers(session, "edge", "number")):
            number, source, target, kind, recorded_at, reason, digest = row
            edge = Edge(source, target, kind, reason=reason)
            if chain.edge_digest(self._key, edge, recorded_at) != digest:
                yield Fault(f"edge {number} ({source} {kind} {target})", "it was changed")

    def _chain(self, session: Session) -> Iterator[Fault]:
        first, _ = user_range(session.tenant)
        head = session.rows(
            "SELECT witness_sequence, witness_hash, last_version, last_edge FROM ledger WHERE tenant = %s",
            (session.tenant,),
        )[0]
        digests = {kind: _digests(session, kind) for kind in ("version", "edge")}

        def covered(entry: WitnessEntry) -> bytes:
            found: list[bytes] = []
            for kind, (start, end) in (("version", entry.versions), ("edge", entry.edges)):
                numbers, known = digests[kind]
                found += known[
                    int(np.searchsorted(numbers, start)) : int(np.searchsorted(numbers, end, "right"))
                ]
            return chain.batch_digest(self._key, found)

        def uncovered(kind: str, last: int) -> bool:
            numbers = digests[kind][0]
            return bool(len(numbers)) and int(numbers[-1]) > last

        yield from chain_faults(_entries(session), covered, first, head, uncovered)


def _told(session: Session) -> Iterator[Fault]:
    """Of settings and tombstones, by what the chain, which is whole, says of them."""
    entries = session.rows(
        f"SELECT {WITNESS_COLUMNS} FROM witness WHERE tenant = %s AND operation = ANY(%s) ORDER BY sequence",
        (session.tenant, list(TOLD)),
    )
    kept = session.rows("SELECT name, value FROM setting WHERE tenant = %s", (session.tenant,))
    buried = session.rows("SELECT DISTINCT recorded_at FROM tombstone WHERE tenant = %s", (session.tenant,))
    yield from told_faults(
        map(entry_from, entries), {name: setting_from(text) for name, text in kept}, [at for (at,) in buried]
    )


def _entries(session: Session) -> Iterator[tuple[int, WitnessEntry | None]]:
    after = -1
    while page := session.rows(
        f"SELECT {WITNESS_COLUMNS} FROM witness WHERE tenant = %s AND sequence > %s ORDER BY sequence LIMIT {PAGE}",
        (session.tenant, after),
    ):
        for row in page:
            try:
                yield row[0], entry_from(row)
            except UNREADABLE:
                yield row[0], None
        after = page[-1][0]


def _digests(session: Session, kind: str) -> tuple[NDArray[np.int64], Sequence[bytes]]:
    """Numbers and digests of every row of a kind, those that were erased since included."""
    found = session.rows(
        f"SELECT number, digest FROM {kind} WHERE tenant = %(user)s UNION ALL"
        " SELECT number, digest FROM erased WHERE tenant = %(user)s AND kind = %(kind)s ORDER BY 1",
        {"user": session.tenant, "kind": kind},
    )
    return np.array([number for number, _ in found], np.int64), [digest for _, digest in found]


def _numbers(session: Session, table: str, order: str) -> list[int]:
    query = f"SELECT number FROM {table} WHERE tenant = %s ORDER BY {order}"
    return [number for (number,) in session.rows(query, (session.tenant,))]


def _pages(session: Session, query: str, numbers: Sequence[int]) -> Iterator[Row]:
    for start in range(0, len(numbers), PAGE):
        yield from session.rows(query, (session.tenant, numbers[start : start + PAGE]))


def _indexes(session: Session) -> Iterator[Fault]:
    """Rows that only help to find others: memories without a version, vectors without a text, tags of no version."""
    for (memory_id,) in session.rows(LONELY_NODES, (session.tenant,)):
        yield Fault(memory_id, "every version of it is missing")
    for table in ("vector", "vector_incoming", "words", "words_incoming"):
        orphans = session.rows(
            f"SELECT content FROM {table} x WHERE tenant = %s AND NOT EXISTS"
            " (SELECT 1 FROM content c WHERE c.tenant = x.tenant AND c.number = x.content)",
            (session.tenant,),
        )
        for (content,) in orphans:
            yield Fault(f"{table} row {content}", "the text that it belongs to is missing")
    for (memory_id,) in session.rows(DIFFERING_TAGS, {"user": session.tenant}):
        yield Fault(memory_id, "its tags differ from those it is found by")
