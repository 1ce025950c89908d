"""What waits for somebody: contradictions, what was taken for an attack, and what nothing was known about."""

from typing import Any

from recollect.serve.dashboard.visits import Deed, Done, Page, Visit

SHOWN = 25
TOLD = {
    "new": "The new one holds; what it replaces is in the history",
    "old": "The old one stays; the new one is forgotten and can be restored",
    "both": "Both hold",
}


def show(visit: Visit) -> dict[str, Any]:
    found = visit.memory.reviews(limit=SHOWN + 1, after=visit.asked.text("after"))
    return {
        "reviews": found[:SHOWN],
        "following": found[SHOWN - 1].memory.id if len(found) > SHOWN else None,
        "quarantined": visit.memory.quarantined(limit=SHOWN),
        "gaps": visit.memory.gaps(limit=SHOWN),
        "flags": visit.memory.settings.formation.conflicts == "flag_review",
    }


def resolve(visit: Visit) -> Done:
    """Ends a review."""
    keep = visit.asked.chosen("keep", tuple(TOLD), "")
    visit.memory.resolve(visit.asked.named["memory_id"], keep)
    return Done(TOLD[keep], "/review")


def release(visit: Visit) -> Done:
    """Takes a message out of quarantine."""
    read = visit.memory.release(visit.asked.named["memory_id"])
    formed = sum(one.id is not None for one in read.formed)
    return Done(f"Released{f', and {formed} memories stand for it' if formed else ''}", "/review")


def close(visit: Visit) -> Done:
    """Ends a gap, with what is known by now if that is written."""
    answer = visit.asked.text("answer")
    visit.memory.close_gap(visit.asked.named["memory_id"], answer=answer)
    return Done("Remembered, and the gap is closed" if answer else "Dismissed", "/review")


PAGES = (Page("review", "/review", "Review", show, key="r"),)
DEEDS = (
    Deed("resolve", "/review/{memory_id}", resolve),
    Deed("release", "/quarantine/{memory_id}/release", release),
    Deed("close_gap", "/gaps/{memory_id}/close", close),
)
