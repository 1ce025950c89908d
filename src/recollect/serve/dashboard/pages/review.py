"""What waits for somebody to say which of two contradicting memories holds."""

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
        "flags": visit.memory.settings.formation.conflicts == "flag_review",
    }


def resolve(visit: Visit) -> Done:
    """Ends a review."""
    keep = visit.asked.chosen("keep", tuple(TOLD), "")
    visit.memory.resolve(visit.asked.named["memory_id"], keep)
    return Done(TOLD[keep], "/review")


PAGES = (Page("review", "/review", "Review", show, key="r"),)
DEEDS = (Deed("resolve", "/review/{memory_id}", resolve),)
