"""What two copies of a store have each changed since they parted, and bringing one's changes into the other."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.errors import InvalidInput
from recollect.exchange.jsonl import Bundle
from recollect.exchange.learnt import counted, endings, noted, noted_from_value, noted_value, outside
from recollect.ports import Store


@dataclass(frozen=True, slots=True)
class Difference:
    """Ids that were added or changed since the stores parted, on either side and on both."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    both: tuple[str, ...]


def difference(ours: Store, theirs: Store, user: str) -> Difference:
    """Compares by id; what both changed in the same way is no difference."""
    base = _base(ours, theirs, user)
    mine, other = set(ours.changed(user, base)), set(theirs.changed(user, base))
    shared = mine & other
    same = {i for i in shared if _alike(ours, theirs, user, i)}
    return Difference(tuple(sorted(mine - other)), tuple(sorted(other - mine)), tuple(sorted(shared - same)))


def merging(theirs: Store, user: str, change: Difference) -> Bundle:
    """What of their side can be taken over as it is: all that only they changed."""
    wanted = set(change.theirs)
    histories = ((i, outside(theirs, user, theirs.versions(user, i))) for i in change.theirs)
    return Bundle(
        {i: history for i, history in histories if history},
        [e for e in theirs.all_edges(user) if {e.source, e.target} & wanted],
        counted(theirs, user, change.theirs),
        [noted_from_value(noted_value(one)) for one in noted(theirs, user)],
        endings(theirs, user),
    )


def _base(ours: Store, theirs: Store, user: str) -> int:
    """The last version number that both have in common."""
    common = _ancestors(ours, user).keys() & _ancestors(theirs, user).keys()
    if not common:
        raise InvalidInput(
            f"{theirs.location} was not branched from {ours.location}, nor from what it was branched from"
        )
    mine, other = _ancestors(ours, user), _ancestors(theirs, user)
    return max(min(mine[store], other[store]) for store in common)


def _ancestors(store: Store, user: str) -> Mapping[str, int]:
    """Each store that this one holds a part of, and up to which version number."""
    own = {store.identity: store.high_water(user)[1]}
    return own | {str(row["store"]): int(row["base"].get(user, 0)) for row in store.lineage()}


def _alike(ours: Store, theirs: Store, user: str, memory_id: str) -> bool:
    mine, other = ours.versions(user, memory_id), theirs.versions(user, memory_id)
    return [(m.text, m.state, m.version) for m in mine] == [(m.text, m.state, m.version) for m in other]
