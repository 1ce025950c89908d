"""One user's running numbers and chain within one transaction, however they are stored."""

from collections.abc import Mapping
from typing import Any

from recollect.formulas import chain
from recollect.stores.rows import Row, json_or_none

LEDGER_COLUMNS = "last_node, last_content, last_version, last_edge, witness_sequence, witness_hash"


class Running:
    """The numbers that a transaction goes on from, and the digests of what it has written so far."""

    def __init__(self, user: int, key: bytes, at: int, numbers: Row) -> None:
        self.user, self.key, self.at = user, key, at
        self.node, self.content, self.version, self.edge, self.sequence, self.hash = numbers
        self.first_version, self.first_edge = self.version + 1, self.edge + 1
        self.digests: list[bytes] = []

    def linked(self, operation: str, detail: Mapping[str, Any]) -> Row:
        """This transaction's link in the chain, as the columns of a witness row after the user."""
        covers = (self.first_version, self.version, self.first_edge, self.edge)
        digest = chain.batch_digest(self.key, self.digests)
        self.sequence += 1
        self.hash = chain.link(self.hash, self.sequence, self.at, operation, detail, covers, digest)
        return (
            self.sequence,
            self.at,
            operation,
            json_or_none(dict(detail)),
            *covers,
            digest,
            self.hash,
        )

    @property
    def numbers(self) -> Row:
        """As LEDGER_COLUMNS."""
        return self.node, self.content, self.version, self.edge, self.sequence, self.hash
