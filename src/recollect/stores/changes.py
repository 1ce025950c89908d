"""What every store does alike with the changes of one transaction."""

from collections.abc import Sequence

from recollect.ports import Change, Written


def refused_before(written: Sequence[Written], change: Change) -> Written | None:
    """The refusal of an earlier version of the same memory: what follows it is refused with it."""
    if change.memory.version == 1:
        return None
    return next((w for w in written if w.id == change.memory.id and w.refusal is not None), None)
