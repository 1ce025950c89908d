"""What a transaction has to know of what is there already, asked in one question however much it writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from recollect.formulas import chain
from recollect.ports import Change
from recollect.stores.postgres.ledger import Ledger

THERE: Final = """
SELECT 'erased', a.mark, NULL FROM unnest(%(marks)s::bytea[]) AS a (mark)
JOIN tombstone t ON t.tenant = %(user)s AND t.fingerprint = a.mark
UNION ALL SELECT 'told', a.mark, NULL FROM unnest(%(marks)s::bytea[]) AS a (mark)
WHERE EXISTS (SELECT FROM content c WHERE c.tenant = %(user)s AND c.fingerprint = a.mark)
UNION ALL SELECT 'taken', NULL, a.id FROM unnest(%(ids)s::text[]) AS a (id)
JOIN node n ON n.tenant = %(user)s AND n.id = a.id COLLATE "C"
"""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Fingerprints and ids that are there; what the transaction writes itself is added as it goes."""

    marks: dict[str, bytes]
    """By text."""
    erased: set[bytes]
    """What is refused for good."""
    told: set[bytes]
    """What may have a twin; of all else it is certain that it has none."""
    taken: set[str]
    """Ids that cannot be given again."""


def ahead(ledger: Ledger, changes: Sequence[Change]) -> Ahead:
    """Of the new texts and the new memories of a transaction."""
    texts = dict.fromkeys(change.memory.text for change in changes if change.new is not None)
    marks = {text: chain.fingerprint(ledger.key, ledger.user, text) for text in texts}
    ids = [change.memory.id for change in changes if change.memory.version == 1]
    found: dict[str, set[Any]] = {"erased": set(), "told": set(), "taken": set()}
    if marks or ids:
        asked = {"marks": list(set(marks.values())), "ids": ids, "user": ledger.user}
        for what, mark, memory_id in ledger.session.rows(THERE, asked):
            found[what].add(mark if memory_id is None else memory_id)
    return Ahead(marks, **found)
