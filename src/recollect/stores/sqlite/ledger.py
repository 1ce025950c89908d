"""One user's running numbers and chain within one transaction."""

from collections.abc import Mapping
from typing import Any

import apsw

from recollect.formulas import chain
from recollect.stores.ledger import LEDGER_COLUMNS, Running
from recollect.stores.rows import USER_BITS, Row
from recollect.stores.sqlite.rows import rows, value


class Ledger(Running):
    """One user's running numbers and chain within one transaction."""

    def __init__(self, connection: apsw.Connection, user: str, key: bytes, at: int) -> None:
        self.connection = connection
        known = self._of(user)
        if not known:
            self._add(user, at)
            known = self._of(user)
        number, *numbers = known[0]
        super().__init__(number, key, at, tuple(numbers))

    def seal(self, operation: str, detail: Mapping[str, Any]) -> None:
        """Adds this transaction's link to the chain."""
        self.connection.execute(
            "INSERT INTO witness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self.user, *self.linked(operation, detail)),
        )
        self.connection.execute(
            "UPDATE user SET last_node = ?, last_content = ?, last_version = ?, last_edge = ?, witness_sequence = ?,"
            " witness_hash = ? WHERE number = ?",
            (*self.numbers, self.user),
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
        return rows(self.connection, f"SELECT number, {LEDGER_COLUMNS} FROM user WHERE name = ?", (name,))

    def _add(self, name: str, at: int) -> None:
        number = value(self.connection, "SELECT coalesce(max(number), 0) + 1 FROM user")
        first = number << USER_BITS
        self.connection.execute(
            "INSERT INTO user VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)",
            (number, name, at, first, first, first, first, chain.GENESIS),
        )
