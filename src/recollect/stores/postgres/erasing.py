"""Erasure on a server: the rows go, and the space that they took is cleared of what nobody can see any more."""

from collections.abc import Sequence
from datetime import datetime

from psycopg import sql

from recollect.errors import NotFound
from recollect.model import Memory, State, moment
from recollect.ports import Erased
from recollect.stores.postgres.auditing import erase_reads
from recollect.stores.postgres.ledger import Ledger
from recollect.stores.postgres.writing import Writing, add_version

HOLDING = ("content", "version", "tag", "vector", "vector_incoming", "words", "words_incoming", "edge")
"""Tables whose rows hold something of a text."""
MINE = "SELECT number FROM content WHERE tenant = %(user)s AND node = %(node)s"
OF_NODE = "WHERE tenant = %(user)s AND node = %(node)s"
OF_EDGES = "WHERE tenant = %(user)s AND (source = %(node)s OR target = %(node)s)"
ERASE = (
    f"INSERT INTO tombstone SELECT DISTINCT tenant, fingerprint, %(at)s::bigint FROM content {OF_NODE} ON CONFLICT DO NOTHING",
    f"INSERT INTO erased SELECT tenant, 'version', number, digest FROM version {OF_NODE}",
    f"INSERT INTO erased SELECT tenant, 'edge', number, digest FROM edge {OF_EDGES}",
    f"DELETE FROM tag WHERE tenant = %(user)s AND content IN ({MINE})",
    *(
        f"DELETE FROM {table} WHERE tenant = %(user)s AND content IN ({MINE})"
        for table in ("vector", "vector_incoming", "words", "words_incoming")
    ),
    f"DELETE FROM content {OF_NODE}",
    f"DELETE FROM version {OF_NODE}",
    f"DELETE FROM edge {OF_EDGES}",
    f"DELETE FROM counter {OF_NODE}",
    f"DELETE FROM learnt {OF_NODE}",
    "UPDATE node SET type = 'purged' WHERE tenant = %(user)s AND number = %(node)s",
)


class Erasing(Writing):
    """Store's part that erases."""

    def purge(self, user: str, ids: Sequence[str], at: datetime) -> Erased:
        chosen = tuple(dict.fromkeys(ids))
        places: set[str] = set()

        def purged(ledger: Ledger) -> dict[int, str]:
            texts: dict[int, str] = {}
            for memory_id in chosen:
                texts |= _erase(ledger, memory_id)
            places.update(erase_reads(ledger, chosen, tuple(texts.values())))
            ledger.seal("purge", {"ids": list(chosen)})
            places.update(_places(ledger))
            return texts

        texts = self._sealed(user, at, purged)
        self._vacuum(sorted(places))
        return Erased(chosen, tuple(texts), tuple(texts.values()))

    def compact(self) -> None:
        """Clears the space of rows that are gone, so that it is used again; everybody goes on meanwhile."""
        self._vacuum((*HOLDING, "audit"))

    def _vacuum(self, tables: Sequence[str]) -> None:
        names = ", ".join(sql.Identifier(table).as_string() for table in tables)
        with self._sessions.alone() as connection:
            connection.execute(f"VACUUM (INDEX_CLEANUP ON) {names}".encode())


def _erase(ledger: Ledger, memory_id: str) -> dict[int, str]:
    """Removes one memory's rows; gives its texts."""
    session = ledger.session
    node = ledger.node_of(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id}")
    bound = {"user": ledger.user, "node": node, "at": ledger.at}
    version = session.value(f"SELECT max(version) FROM version {OF_NODE}", bound)
    contents = session.rows(f"SELECT number, text FROM content {OF_NODE} ORDER BY number", bound)
    for statement in ERASE:
        session.execute(statement, bound)
    # One version for each text, so that whatever is derived learns of every one that is gone.
    at = moment(ledger.at)
    for place, (number, _) in enumerate(contents, 1):
        ended = None if place == len(contents) else at
        gone = Memory(memory_id, "", at, at, retired_at=ended, version=version + place, state=State.PURGED)
        add_version(ledger, node, gone, b"", number)
    return dict(contents)


def _places(ledger: Ledger) -> list[str]:
    """The partitions that hold this tenant's rows, without which a vacuum would read everybody's."""
    found = ledger.session.rows(
        "SELECT child.relname FROM pg_inherits i JOIN pg_class child ON child.oid = i.inhrelid"
        " JOIN pg_class parent ON parent.oid = i.inhparent"
        " WHERE parent.relnamespace = quote_ident(current_schema())::regnamespace AND parent.relname = ANY(%s::text[])"
        " AND satisfies_hash_partition(parent.oid, 8, substring(child.relname from '\\d+$')::int, %s::bigint)",
        (list(HOLDING), ledger.user),
    )
    return [name for (name,) in found] or list(HOLDING)
