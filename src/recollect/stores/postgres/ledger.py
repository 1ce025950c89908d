"""One tenant's running numbers and chain within one transaction; its writers queue for the row."""

from collections.abc import Mapping
from typing import Any

from recollect.stores.ledger import LEDGER_COLUMNS, Running
from recollect.stores.postgres.session import Session


class Ledger(Running):
    """One tenant's running numbers and chain within one transaction."""

    def __init__(self, session: Session, key: bytes, at: int) -> None:
        self.session = session
        found = session.rows(
            f"SELECT {LEDGER_COLUMNS} FROM ledger WHERE tenant = %s FOR UPDATE", (session.tenant,)
        )
        super().__init__(session.tenant, key, at, found[0])

    def seal(self, operation: str, detail: Mapping[str, Any]) -> None:
        """Adds this transaction's link to the chain."""
        self.session.execute(
            "INSERT INTO witness VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (self.user, *self.linked(operation, detail)),
        )
        self.session.execute(
            "UPDATE ledger SET last_node = %s, last_content = %s, last_version = %s, last_edge = %s,"
            " witness_sequence = %s, witness_hash = %s WHERE tenant = %s",
            (*self.numbers, self.user),
        )
        self.session.sealed(self.sequence, self.hash)

    def node_of(self, memory_id: str) -> int | None:
        """The node of a memory that is not purged."""
        node: int | None = self.session.value(
            "SELECT number FROM node WHERE tenant = %s AND id = %s AND type != 'purged'",
            (self.user, memory_id),
        )
        return node
