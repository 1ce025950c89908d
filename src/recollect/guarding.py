"""Learnt counters are read, reckoned with and written: whoever does so must not overwrite what another wrote meanwhile."""

from recollect.model import LEARNT_GUARD
from recollect.ports import RecordChange, Store


def guarded(store: Store, user: str) -> RecordChange:
    """The change that makes a transaction fail if somebody else wrote a learnt counter since now."""
    known = store.record(user, *LEARNT_GUARD)
    return RecordChange(*LEARNT_GUARD, 1, 0 if known is None else known.revision)
