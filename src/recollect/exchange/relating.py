"""The edges of two stores that sync: what one has related the other gets, and what it took away goes there too.

Of an edge that was taken away on one side and related on the other, the later of the two holds.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.exchange.values import edge_from_value
from recollect.model import Edge, microseconds
from recollect.ports import Changes, Store
from recollect.removals import REMOVAL, Removal, edge_key, removal_from, removal_of

SYNC: Final = "sync"


def news(store: Store, user: str, sequence: int) -> tuple[list[Edge], list[Removal]]:
    """The edges that were added after a link of the chain, and what became of those that were taken away."""
    edges = list(store.all_edges(user, _last_edge(store, user, sequence)))
    removals = [removal_from(one) for one in store.records(user, REMOVAL) if one.revision > sequence]
    # What was put back comes with what says so.
    back = {one.key: one for one in removals if not one.is_gone}
    ends = sorted({end for one in back.values() for end in (one.source, one.target)})
    return edges + [one for one in _edges(store, user, ends) if edge_key(one) in back], removals


def related(store: Store, user: str, edges: Iterable[Mapping[str, Any]], now: datetime) -> None:
    """Writes the edges whose two ends are here; the others come again with the end that is missing."""
    given = [edge_from_value(one) for one in edges]
    ends = {end for one in given for end in (one.source, one.target)}
    here = {one for one in ends if store.get(user, one) is not None}
    there = {edge_key(one) for one in _edges(store, user, sorted(here))}
    new = [one for one in given if {one.source, one.target} <= here and edge_key(one) not in there]
    known = _removals(store, user, new)
    new = [one for one in new if not _is_gone(one, known.get(edge_key(one)))]
    if new:
        # One that comes back did so when it did there, not now.
        back = [(one, known[edge_key(one)]) for one in new if edge_key(one) in known]
        records = tuple((_put_back(one) if last.is_gone else last).change for one, last in back)
        store.write(user, Changes(SYNC, now, edges=tuple(new), records=records))


def unlinked(store: Store, user: str, removals: Iterable[Mapping[str, Any]], now: datetime) -> int:
    """Takes away what the other side took away, unless it was related later here; gives how many went.

    Comes before `related`: an edge that was put back is in the same page.
    """
    given = [_removal(one) for one in removals]
    known = _removals(store, user, given)
    newer = [one for one in given if one.outlasts(known.get(one.key))]
    ends = sorted({end for one in newer for end in (one.source, one.target)})
    there = {edge_key(one): one for one in _edges(store, user, ends)}
    held = [one for one in newer if not _was_later(there.get(one.key), one)]
    gone = tuple(there[one.key] for one in held if one.is_gone and one.key in there)
    if held:
        records = tuple(one.change for one in held)
        store.write(user, Changes(SYNC, now, unlinked=gone, records=records))
    return len(gone)


def _edges(store: Store, user: str, ends: list[str]) -> list[Edge]:
    return store.edges(user, ends) if ends else []


def _last_edge(store: Store, user: str, sequence: int) -> int:
    """The number of the last edge that was there at a link of the chain."""
    found = store.witness(user, sequence - 1, 1) if sequence else []
    return found[0].edges[1] if found else 0


def _removals(store: Store, user: str, edges: Iterable[Edge | Removal]) -> dict[str, Removal]:
    """What is known of edges that were taken away once, by their keys."""
    keys = [edge_key(one) for one in edges]
    known = store.records_named(user, REMOVAL, keys) if keys else {}
    return {key: removal_from(one) for key, one in known.items()}


def _is_gone(edge: Edge, last: Removal | None) -> bool:
    """Whether an edge is one that was taken away here, and was not related again since."""
    return last is not None and last.is_gone and not _was_later(edge, last)


def _was_later(edge: Edge | None, last: Removal) -> bool:
    return edge is not None and edge.recorded_at is not None and microseconds(edge.recorded_at) > last.at


def _put_back(edge: Edge) -> Removal:
    assert edge.recorded_at is not None  # noqa: S101 - one without a moment is not later than a removal
    return removal_of(edge, edge.recorded_at, is_gone=False)


def _removal(told: Mapping[str, Any]) -> Removal:
    try:
        return removal_from(told)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"not a removal of an edge: {error}") from None
