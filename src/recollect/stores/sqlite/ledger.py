"""One user's running numbers and chain within one transaction."""

from collections.abc import Mapping
from typing import Any

import apsw

from recollect.formulas import chain
from recollect.stores.sqlite.rows import USER_BITS, Row, json_or_none, rows, value


class Ledger:
    """One user's running numbers and chain within one transaction."""

    def __init__(self, connection: apsw.Connection, user: str, key: bytes, at: int) -> None:
        self.connection, self.key, self.at = connection, key, at
        known = self._of(user)
        if not known:
            self._add(user)
            known = self._of(user)
        self.user, self.node, self.content, self.version, self.edge, self.sequence, self.hash = known[0]
        self.first_version, self.first_edge = self.version + 1, self.edge + 1
        self.digests: list[bytes] = []

    def seal(self, operation: str, detail: Mapping[str, Any]) -> None:
        """Adds this transaction's link to the chain."""
        covers = (self.first_version, self.version, self.first_edge, self.edge)
        digest = chain.batch_digest(self.key, self.digests)
        self.sequence += 1
        self.hash = chain.link(self.hash, self.sequence, self.at, operation, detail, covers, digest)
        self.connection.execute(
            "INSERT INTO witness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.user,
                self.sequence,
                self.at,
                operation,
                json_or_none(dict(detail)),
                *covers,
                digest,
                self.hash,
            ),
        )
        self.connection.execute(
            "UPDATE user SET last_node = ?, last_content = ?, last_version = ?, last_edge = ?, witness_sequence = ?,"
            " witness_hash = ? WHERE number = ?",
            (self.node, self.content, self.version, self.edge, self.sequence, self.hash, self.user),
        )

    def node_of(self, memory_id: str) -> int | None:
        """The node of a memory that is not purged."""
        node: int | None = value(
            self.connection,
            "SELECT number FROM node WHERE user = ? AND id = ? AND type != 'purged'",
            (self.user, memory_id),
        )
        return node

    def _of(self, name: str) -> list[Row]:
        return rows(
            self.connection,
            "SELECT number, last_node, last_content, last_version, last_edge, witness_sequence, witness_hash"
            " FROM user WHERE name = ?",
            (name,),
        )

    def _add(self, name: str) -> None:
        number = value(self.connection, "SELECT coalesce(max(number), 0) + 1 FROM user")
        first = number << USER_BITS
        self.connection.execute(
            "INSERT INTO user VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)",
            (number, name, self.at, first, first, first, first, chain.GENESIS),
        )
