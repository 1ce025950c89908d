"""The hash chain over everything that was written, and whether it still holds."""

from typing import Any

from recollect.serve.dashboard.visits import Deed, Done, Page, Visit
from recollect.serve.keys import Right

SHOWN = 100


def show(visit: Visit) -> dict[str, Any]:
    memory = visit.memory
    head = memory.store.counts(memory.user)["witness"]
    last = head["entries"] if head else 0
    before = visit.asked.number("before", last + 1, 1, max(last + 1, 1))
    start = max(0, before - 1 - SHOWN)
    entries = memory.store.witness(memory.user, after=start, limit=before - 1 - start)
    return {
        "head": head,
        "entries": entries[::-1],
        "earlier": start + 1 if start else None,
        "later": min(before + SHOWN, last + 1) if before <= last else None,
    }


def verify(visit: Visit) -> Done:
    """Recomputes the whole chain."""
    faults = visit.memory.verify()
    if not faults:
        return Done("Everything is as it was written", "/audit")
    first = faults[0]
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return Done(f"Changed behind the engine's back: {first.subject}: {first.problem}{more}", "/audit")


PAGES = (Page("audit", "/audit", "Audit", show, key="a"),)
DEEDS = (Deed("verify", "/verify", verify, right=Right.READ, slow=True),)
