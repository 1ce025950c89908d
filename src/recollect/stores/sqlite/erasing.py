"""Real erasure: the text, its vector and its terms leave every table, free page and the write-ahead log."""

import time
from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.errors import NotFound, StoreBusy
from recollect.model import Memory, State, microseconds, moment
from recollect.ports import Erased
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.writing import Ledger, add_version

LOG_WAIT_SECONDS = 10.0


class Erasing:
    """Store's part that erases."""

    _connections: Connections
    _key: bytes

    def purge(self, user: str, ids: Sequence[str], at: datetime) -> Erased:
        contents: list[int] = []
        texts: list[str] = []
        with self._connections.writing() as connection:
            ledger = Ledger(connection, user, self._key, microseconds(at))
            for memory_id in ids:
                for number, text in _erase(ledger, memory_id):
                    contents.append(number)
                    texts.append(text)
            ledger.seal("purge", {"ids": list(ids)})
        self._empty_log()
        return Erased(tuple(ids), tuple(contents), tuple(texts))

    def compact(self) -> None:
        """Gives free pages back to the disk; readers go on meanwhile."""
        with self._connections.alone() as connection:
            connection.execute("VACUUM")
        self._empty_log()

    def _empty_log(self) -> None:
        deadline = time.monotonic() + LOG_WAIT_SECONDS
        while True:
            with self._connections.alone() as connection:
                connection.set_busy_timeout(250)
                try:
                    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
                finally:
                    connection.set_busy_timeout(60_000)
            if not busy:
                return
            if time.monotonic() > deadline:
                raise StoreBusy(
                    "the rows are erased, but another process is reading and keeps the write-ahead log:"
                    " run `recollect compact` when it has finished"
                )


def _erase(ledger: Ledger, memory_id: str) -> list[tuple[int, str]]:
    connection = ledger.connection
    node = connection.execute("SELECT number FROM node WHERE user = ? AND id = ?", (ledger.user, memory_id)).get
    versions = _rows(connection, "SELECT number, digest, version FROM version WHERE node = ? AND state != 'purged'", node)
    if not versions:
        raise NotFound(f"no memory {memory_id}")
    contents = _rows(connection, "SELECT number, text, fingerprint FROM content WHERE node = ?", node)
    edges = _rows(connection, "SELECT number, digest FROM edge WHERE source = ?1 OR target = ?1", node)
    connection.executemany("INSERT OR IGNORE INTO tombstone VALUES (?, ?, ?)", [(c[2], ledger.user, ledger.at) for c in contents])
    connection.executemany("INSERT INTO erased VALUES ('version', ?, ?)", [v[:2] for v in versions])
    connection.executemany("INSERT INTO erased VALUES ('edge', ?, ?)", edges)
    for number, _, _ in contents:
        for table, column in (("vector", "content"), ("vector_incoming", "content"), ("tag", "content"), ("content", "number")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))
    connection.execute("DELETE FROM version WHERE node = ?", (node,))
    connection.execute("DELETE FROM edge WHERE source = ?1 OR target = ?1", (node,))
    connection.execute("DELETE FROM counter WHERE node = ?", (node,))
    at = moment(ledger.at)
    last = Memory(memory_id, "", at, at, version=max(v[2] for v in versions) + 1, state=State.PURGED)
    add_version(ledger, node, last, b"", contents[-1][0])
    return [(number, text) for number, text, _ in contents]


def _rows(connection: apsw.Connection, query: str, node: int | None) -> list[tuple[int, bytes, int]]:
    return [] if node is None else connection.execute(query, (node,)).fetchall()
