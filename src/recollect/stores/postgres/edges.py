"""Edges: added, weighed anew, taken away."""

from recollect.errors import NotFound
from recollect.formulas import chain
from recollect.model import Edge, microseconds
from recollect.stores.postgres.ledger import Ledger
from recollect.stores.rows import Row


def relate(ledger: Ledger, edge: Edge) -> bool:
    """Adds an edge, or raises the weight of the one that says the same already; says whether it is new."""
    source, target = _end(ledger, edge.source), _end(ledger, edge.target)
    known = _found(ledger, source, edge.type, target)
    if known is not None:
        ledger.session.execute(
            "UPDATE edge SET weight = greatest(weight, %s) WHERE tenant = %s AND number = %s",
            (float(edge.weight), ledger.user, known[0]),
        )
        return False
    recorded_at = ledger.at if edge.recorded_at is None else microseconds(edge.recorded_at)
    digest = chain.edge_digest(ledger.key, edge, recorded_at)
    ledger.edge += 1
    ledger.digests.append(digest)
    ledger.session.execute(
        "INSERT INTO edge VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            *(ledger.user, ledger.edge, source, target, edge.type, float(edge.weight)),
            *(recorded_at, edge.reason, digest),
        ),
    )
    return True


def reweigh(ledger: Ledger, edge: Edge) -> None:
    """Gives an edge that is there another weight."""
    number, _ = _known(ledger, edge)
    ledger.session.execute(
        "UPDATE edge SET weight = %s WHERE tenant = %s AND number = %s",
        (float(edge.weight), ledger.user, number),
    )


def unlink(ledger: Ledger, edge: Edge) -> None:
    """Takes an edge away; the chain keeps its digest."""
    number, digest = _known(ledger, edge)
    ledger.session.execute("INSERT INTO erased VALUES (%s, 'edge', %s, %s)", (ledger.user, number, digest))
    ledger.session.execute("DELETE FROM edge WHERE tenant = %s AND number = %s", (ledger.user, number))


def _known(ledger: Ledger, edge: Edge) -> Row:
    found = _found(ledger, _end(ledger, edge.source), edge.type, _end(ledger, edge.target))
    if found is None:
        raise NotFound(f"no {edge.type} edge from {edge.source} to {edge.target}")
    return found


def _found(ledger: Ledger, source: int, kind: str, target: int) -> Row | None:
    found = ledger.session.rows(
        "SELECT number, digest FROM edge WHERE tenant = %s AND source = %s AND type = %s AND target = %s",
        (ledger.user, source, kind, target),
    )
    return found[0] if found else None


def _end(ledger: Ledger, memory_id: str) -> int:
    node = ledger.node_of(memory_id)
    if node is None:
        raise NotFound(f"no memory {memory_id} to link")
    return node
