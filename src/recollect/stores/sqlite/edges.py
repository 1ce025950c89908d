"""Edges: added, weighed anew, taken away."""

from recollect.errors import NotFound
from recollect.formulas import chain
from recollect.model import Edge, microseconds
from recollect.stores.rows import Row
from recollect.stores.sqlite.ledger import Ledger
from recollect.stores.sqlite.rows import rows


def relate(ledger: Ledger, edge: Edge) -> bool:
    """Adds an edge, or raises the weight of the one that says the same already; says whether it is new."""
    source, target = _end(ledger, edge.source), _end(ledger, edge.target)
    known = _found(ledger, source, edge.type, target)
    if known is not None:
        ledger.connection.execute(
            "UPDATE edge SET weight = max(weight, ?) WHERE number = ?", (float(edge.weight), known[0])
        )
        return False
    recorded_at = ledger.at if edge.recorded_at is None else microseconds(edge.recorded_at)
    digest = chain.edge_digest(ledger.key, edge, recorded_at)
    ledger.edge += 1
    ledger.digests.append(digest)
    ledger.connection.execute(
        "INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (ledger.edge, source, target, edge.type, float(edge.weight), recorded_at, edge.reason, digest),
    )
    return True


def reweigh(ledger: Ledger, edge: Edge) -> None:
    """Gives an edge that is there another weight."""
    number, _ = _known(ledger, edge)
    ledger.connection.execute("UPDATE edge SET weight = ? WHERE number = ?", (float(edge.weight), number))


def unlink(ledger: Ledger, edge: Edge) -> None:
    """Takes an edge away; the chain keeps its digest."""
    number, digest = _known(ledger, edge)
    ledger.connection.execute("INSERT INTO erased VALUES ('edge', ?, ?)", (number, digest))
    ledger.connection.execute("DELETE FROM edge WHERE number = ?", (number,))


def _known(ledger: Ledger, edge: Edge) -> Row:
    found = _found(ledger, _end(ledger, edge.source), edge.type, _end(ledger, edge.target))
    if found is None:
        raise NotFound(f"no {edge.type} edge from {edge.source} to {edge.target}")
    return found


def _found(ledger: Ledger, source: int, kind: str, target: int) -> Row | None:
    found = rows(
        ledger.connection,
        "SELECT number, digest FROM edge WHERE source = ? AND type = ? AND target = ?",
        (source, kind, target),
    )
    return found[0] if found else None


def _end(ledger: Ledger, memory_id: str) -> int:
    node = ledger.node_of(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id} to link")
    return node
