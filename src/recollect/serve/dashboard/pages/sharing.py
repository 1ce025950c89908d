"""What one has shared, with whom, and how it served; publishing, with a look at every word before it leaves."""

from collections.abc import Mapping
from typing import Any

from recollect.serve.dashboard.visits import Deed, Done, Page, Visit

TITLE_CHARACTERS = 80
ROLES = ("reader", "writer", "owner")


def show(visit: Visit) -> dict[str, Any]:
    items = visit.memory.published()
    return {
        "items": [(one, visit.memory.sources_of(one.id)) for one in items],
        "given": visit.memory.grants(),
        "received": visit.memory.granted(),
        "roles": ROLES,
        "is_asked": visit.memory.settings.shared.enabled,
    }


def show_preview(visit: Visit) -> dict[str, Any]:
    given = _given(visit)
    return {
        "shown": visit.memory.preview(**_particulars(visit, given)),
        "given": given,
        "mask": visit.asked.checked("mask"),
        "memory_id": visit.asked.named["memory_id"],
    }


def publish(visit: Visit) -> Done:
    """Publishes what the preview showed."""
    made = visit.memory.publish(**_particulars(visit, _given(visit)))
    return Done(f"Published: {made.title}, version {made.version}", "/sharing")


def unpublish(visit: Visit) -> Done:
    """Takes an item away."""
    gone = visit.memory.unpublish(visit.asked.named["item_id"])
    return Done(f"{gone.title} is no longer found by anybody", "/sharing")


def grant(visit: Visit) -> Done:
    """Lets somebody into a channel."""
    asked = visit.asked
    role = asked.chosen("role", ROLES, "reader")
    made = visit.memory.grant(asked.text("user") or "", asked.text("channel") or "", role)
    return Done(f"{made.user} is now {made.role} of {made.channel}", "/sharing")


def revoke(visit: Visit) -> Done:
    """Takes a grant away."""
    gone = visit.memory.revoke(visit.asked.text("user") or "", visit.asked.text("channel") or "")
    return Done(f"{gone.user} sees no more of {gone.channel}", "/sharing")


def _given(visit: Visit) -> dict[str, str]:
    """What the form says; the title is the memory's beginning until there is another."""
    asked = visit.asked
    text = visit.memory.get(asked.named["memory_id"]).text
    given = {name: asked.text(name) or "" for name in ("title", "summary", "tags", "access", "item")}
    return given | {
        "title": given["title"] or " ".join(text.split())[:TITLE_CHARACTERS],
        "access": given["access"] or "public",
    }


def _particulars(visit: Visit, given: Mapping[str, str]) -> dict[str, Any]:
    """A form as `publish` takes it: always of a memory, so that nothing leaves that is not known."""
    return {
        "title": given["title"],
        "of": visit.asked.named["memory_id"],
        "summary": given["summary"],
        "tags": visit.asked.words("tags"),
        "access": given["access"],
        "item": given["item"] or None,
        "mask": visit.asked.checked("mask"),
    }


PAGES = (
    Page("sharing", "/sharing", "Sharing", show, key="p"),
    Page("preview", "/sharing/preview/{memory_id}", "What would leave", show_preview),
)
DEEDS = (
    Deed("publish", "/sharing/preview/{memory_id}", publish, slow=True),
    Deed("unpublish", "/sharing/items/{item_id}/unpublish", unpublish),
    Deed("grant", "/sharing/grants", grant),
    Deed("revoke", "/sharing/revocations", revoke),
)
