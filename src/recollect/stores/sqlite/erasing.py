"""Real erasure: the text, its vectors and its terms leave every table, free page and the write-ahead log."""

import time
import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from recollect.errors import NotFound, StoreBusy
from recollect.model import Memory, State, microseconds, moment
from recollect.ports import Erased
from recollect.stores.sqlite.auditing import erase_reads
from recollect.stores.sqlite.connection import BUSY_MILLISECONDS, Connections
from recollect.stores.sqlite.ledger import Ledger
from recollect.stores.sqlite.residue import remains
from recollect.stores.sqlite.rows import rows, value
from recollect.stores.sqlite.writing import add_version

LOG_WAIT_SECONDS = 10.0
LOG_WAIT_STEP_MILLISECONDS = 250
ERASING = "erasing "
"""The name in `meta`, followed by a number of its own, of an erasure whose bytes are not yet all gone."""

ERASE = (
    "INSERT OR IGNORE INTO tombstone SELECT fingerprint, :user, :at FROM content WHERE node = :node",
    "INSERT INTO erased SELECT 'version', number, digest FROM version WHERE node = :node",
    "INSERT INTO erased SELECT 'edge', number, digest FROM edge WHERE source = :node OR target = :node",
    """DELETE FROM tag WHERE (name, content) IN
    (SELECT j.value, v.content FROM version v, json_each(v.tags) j WHERE v.node = :node)""",
    "DELETE FROM vector WHERE content IN (SELECT number FROM content WHERE node = :node)",
    "DELETE FROM vector_incoming WHERE content IN (SELECT number FROM content WHERE node = :node)",
    "DELETE FROM words WHERE content IN (SELECT number FROM content WHERE node = :node)",
    "DELETE FROM words_incoming WHERE content IN (SELECT number FROM content WHERE node = :node)",
    "DELETE FROM content WHERE node = :node",
    "DELETE FROM version WHERE node = :node",
    "DELETE FROM edge WHERE source = :node OR target = :node",
    "DELETE FROM counter WHERE node = :node",
    "DELETE FROM learnt WHERE node = :node",
    "UPDATE node SET type = 'purged' WHERE number = :node",
)


class Erasing:
    """Store's part that erases."""

    _connections: Connections
    _path: Path
    _key: bytes

    def purge(self, user: str, ids: Sequence[str], at: datetime) -> Erased:
        chosen = tuple(dict.fromkeys(ids))
        mark = ERASING + str(uuid.uuid4())
        texts: dict[int, str] = {}
        pieces: list[bytes] = []
        with self._connections.writing() as connection:
            ledger = Ledger(connection, user, self._key, microseconds(at))
            for memory_id in chosen:
                texts |= _erase(ledger, memory_id, pieces)
            pieces += erase_reads(ledger, chosen, tuple(texts.values()))
            ledger.seal("purge", {"ids": list(chosen)})
            connection.execute("INSERT INTO meta VALUES (?, ?)", (mark, ledger.at))
        self._empty_log()
        if remains(self._path, pieces):
            self._rewrite()
        self._finished([mark])
        return Erased(chosen, tuple(texts), tuple(texts.values()))

    def compact(self) -> None:
        """Gives free pages back to the disk, and ends what an interrupted purge left; readers go on meanwhile."""
        with self._connections.reading() as connection:
            marks = [
                mark
                for (mark,) in rows(connection, "SELECT name FROM meta WHERE name GLOB ?", (ERASING + "*",))
            ]
        self._rewrite()
        self._finished(marks)

    def _rewrite(self) -> None:
        """Builds the whole file anew from what is in use, in a temporary file: it may not fit into memory."""
        with self._connections.alone() as connection:
            connection.execute("PRAGMA temp_store = FILE")
            try:
                connection.execute("VACUUM")
            finally:
                connection.execute("PRAGMA temp_store = MEMORY")
        self._empty_log()

    def _finished(self, marks: Sequence[str]) -> None:
        if marks:
            with self._connections.writing() as connection:
                connection.executemany("DELETE FROM meta WHERE name = ?", [(mark,) for mark in marks])

    def _empty_log(self) -> None:
        deadline = time.monotonic() + LOG_WAIT_SECONDS
        while True:
            with self._connections.alone() as connection:
                connection.set_busy_timeout(LOG_WAIT_STEP_MILLISECONDS)
                try:
                    busy = value(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
                finally:
                    connection.set_busy_timeout(BUSY_MILLISECONDS)
            if not busy:
                return
            if time.monotonic() > deadline:
                raise StoreBusy(
                    "the rows are erased, but another process is reading and keeps the write-ahead log:"
                    " run `recollect compact` when it has finished"
                )


def _erase(ledger: Ledger, memory_id: str, pieces: list[bytes]) -> dict[int, str]:
    """Removes one memory's rows; gives its texts, and adds all that must not be found any more to `pieces`."""
    connection = ledger.connection
    node = ledger.node_of(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id}")
    version = value(connection, "SELECT max(version) FROM version WHERE node = ?", (node,))
    contents = rows(
        connection,
        "SELECT c.number, c.text, c.terms, c.metadata, x.data, y.data, w.data, z.data FROM content c"
        " LEFT JOIN vector x ON x.content = c.number LEFT JOIN vector_incoming y ON y.content = c.number"
        " LEFT JOIN words w ON w.content = c.number LEFT JOIN words_incoming z ON z.content = c.number"
        " WHERE c.node = ? ORDER BY c.number",
        (node,),
    )
    for _, *found in contents:
        pieces += [
            piece.encode() if isinstance(piece, str) else piece for piece in found if piece is not None
        ]
    for statement in ERASE:
        connection.execute(statement, {"node": node, "user": ledger.user, "at": ledger.at})
    # One version for each text, so that whatever is derived learns of every one that is gone.
    at = moment(ledger.at)
    for place, (number, *_) in enumerate(contents, 1):
        ended = None if place == len(contents) else at
        gone = Memory(memory_id, "", at, at, retired_at=ended, version=version + place, state=State.PURGED)
        add_version(ledger, node, gone, b"", number)
    return {row[0]: row[1] for row in contents}
